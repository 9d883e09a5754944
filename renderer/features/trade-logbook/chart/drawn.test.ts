import { expect, test } from 'vitest'
import { isKnownAt, momentIn, movedBy, shapeOf } from './drawn.ts'

const minute = 60_000

test('a drawing on a candle counts from its end, and on a replay’s newest one from the current moment', () => {
  expect(momentIn(60, 60)).toBe(2 * minute - 1)
  expect(momentIn(60, 60, 75_500_500)).toBe(75_500)
  expect(shapeOf({ kind: 'horizontal', at: 2 * minute - 1, price: 5 }, 300)).toMatchObject({ from: { candle: 0, price: 5 }, to: null })
})

test('a replay knows a drawing once all of it lies behind', () => {
  const line = { kind: 'trend', at: minute, price: 5, to: { at: 3 * minute, price: 9 } } as const
  expect([isKnownAt(line, 3 * minute * 1000 - 1), isKnownAt(line, 3 * minute * 1000)]).toEqual([false, true])
  expect(isKnownAt({ kind: 'note', at: minute, price: 5, text: 'n' }, minute * 1000)).toBe(true)
})

test('a trend line moves as a whole or by one end', () => {
  const line = { kind: 'trend', at: 1, price: 5, to: { at: 3, price: 9 } } as const
  const up = ({ at, price }: { at: number; price: number }) => ({ at: at + 1, price: price + 2 })
  expect(movedBy(line, 'whole', up)).toEqual({ kind: 'trend', at: 2, price: 7, to: { at: 4, price: 11 } })
  expect(movedBy(line, 'from', up)).toEqual({ ...line, at: 2, price: 7 })
  expect(movedBy(line, 'to', up)).toEqual({ ...line, to: { at: 4, price: 11 } })
})
