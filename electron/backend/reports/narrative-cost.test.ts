import { expect, test } from 'vitest'
import { costOf } from './narrative-cost.ts'

const prices = { input: '0.15', output: '0.6', currency: 'USD' }

test.each([
  [{ input: 1_000_000, output: 1_000_000 }, '0.75'],
  [{ input: 1_000, output: 200 }, '0.00027'],
  [{ input: 1, output: 0 }, '0.00000015'],
  [{ input: 0, output: 0 }, '0.00'],
  [{ input: 123_456_789, output: 987_654_321 }, '611.11111095'],
])('of %j tokens is exact', (tokens, amount) => {
  expect(costOf(tokens, prices)).toEqual({ amount, currency: 'USD' })
})

test('the cost is unknown without tokens or prices', () => {
  expect([costOf(null, prices), costOf({ input: 1, output: 1 }, null)]).toEqual([null, null])
})
