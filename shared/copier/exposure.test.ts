import { expect, test } from 'vitest'
import { againstOf, exposureOf, type MarketHolding } from './exposure.ts'

const holdings: readonly MarketHolding[] = [
  { account: 'a', market: 'NQ', micros: 20 },
  { account: 'b', market: 'NQ', micros: -3 },
  { account: 'a', market: 'ES', micros: -10 },
  { account: 'c', market: 'NQ', micros: 5 },
  { account: 'a', market: 'GC', micros: 0 },
]

test('exposure sums micros by market, long and short separately', () => {
  expect(exposureOf(holdings)).toEqual([
    { market: 'ES', net: -10, long: 0, short: -10, accounts: 1 },
    { market: 'NQ', net: 22, long: 25, short: -3, accounts: 3 },
  ])
  expect(exposureOf([])).toEqual([])
})

test('parts of micros add up exactly', () => {
  expect(exposureOf([{ account: 'a', market: 'GC', micros: 0.1 }, { account: 'b', market: 'GC', micros: 0.2 }])).toEqual([{ market: 'GC', net: 0.3, long: 0.3, short: 0, accounts: 2 }])
})

test('an account opposes those on the other side of its market, and never itself', () => {
  expect(againstOf(holdings)).toEqual([['b'], ['a', 'c'], [], ['b'], []])
  expect(againstOf([{ account: 'a', market: 'NQ', micros: 10 }, { account: 'a', market: 'NQ', micros: -10 }])).toEqual([[], []])
})
