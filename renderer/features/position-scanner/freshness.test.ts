import { expect, test } from 'vitest'
import { isOld, priceAgeMs, wholeAgeMs } from './freshness.ts'

test('a price says its age once it is more than five seconds old', () => {
  expect([0, 4_999, 5_000].map((age) => priceAgeMs(1_000, 1_000 + age))).toEqual([null, null, null])
  expect([5_001, 12_700, 59_999].map((age) => priceAgeMs(0, age))).toEqual([5_000, 12_000, 59_000])
})

test('from a minute on an age moves once a minute', () => {
  expect([60_000, 119_999, 120_000].map((age) => priceAgeMs(0, age))).toEqual([60_000, 60_000, 120_000])
})

test('a price of a clock that was set back is no younger than now', () => {
  expect(wholeAgeMs(2_000, 1_000)).toBe(0)
  expect(priceAgeMs(2_000, 1_000)).toBeNull()
})

test('half a minute makes it old', () => {
  expect([null, 29_000, 30_000, 600_000].map(isOld)).toEqual([false, false, true, true])
})
