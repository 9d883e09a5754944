import { expect, test } from 'vitest'
import { figuresAge } from './figures-age.ts'

const at = Date.UTC(2026, 1, 13, 20, 41)

test('figures are live for a minute, then as old as they are, in whole minutes', () => {
  const old = (ms: number) => figuresAge({ from: 'live', at }, at + ms)
  // The clock of the page may be a little behind the program's.
  expect([old(-500), old(0), old(59_999)]).toEqual([{ is: 'live' }, { is: 'live' }, { is: 'live' }])
  expect([old(60_000), old(119_999), old(7_200_000)]).toEqual([{ is: 'old', ageMs: 60_000 }, { is: 'old', ageMs: 60_000 }, { is: 'old', ageMs: 7_200_000 }])
})
test('the journal never says that it is live, however new its balance is', () => {
  expect(figuresAge({ from: 'journal', at }, at)).toEqual({ is: 'journal', at })
  expect(figuresAge({ from: 'journal', at: null }, at)).toEqual({ is: 'journal', at: null })
  expect(figuresAge({ from: 'live', at: null }, at)).toEqual({ is: 'journal', at: null })
})
