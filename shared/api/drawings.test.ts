import { expect, test } from 'vitest'
import { drawings } from './drawings.ts'

const line = { kind: 'horizontal', at: 1_764_000_000_000, price: 27_000 }
const fits = (...given: readonly unknown[]): boolean => drawings.safeParse(given).success

test('a drawing lies at a moment and a whole tick, a note has a text, and a fill pair holds fifty', () => {
  expect([fits(line), fits({ ...line, kind: 'note', text: 'x'.repeat(500) }), fits({ ...line, kind: 'trend', to: { at: 0, price: -5 } })]).toEqual([true, true, true])
  expect([fits({ ...line, price: 0.5 }), fits({ ...line, at: -1 }), fits({ ...line, kind: 'trend' }), fits({ ...line, kind: 'circle' })]).toEqual([false, false, false, false])
  expect([fits({ ...line, kind: 'note', text: '' }), fits({ ...line, kind: 'note', text: 'x'.repeat(501) })]).toEqual([false, false])
  expect([fits(...Array.from({ length: 50 }, () => line)), fits(...Array.from({ length: 51 }, () => line))]).toEqual([true, false])
})

test('the same drawing is the same text, however it was sent', () => {
  expect(JSON.stringify(drawings.parse([{ price: 1, at: 2, kind: 'horizontal', more: true }]))).toBe('[{"kind":"horizontal","at":2,"price":1}]')
})
