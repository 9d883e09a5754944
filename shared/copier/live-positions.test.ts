import { expect, test } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { openByPrice, openOfAccount, priceText, type PricedPosition } from './live-positions.ts'

const nq: PricedPosition = { currency: 'USD', net: 2, averagePrice: 25_000.25, mark: { price: 25_003.5, at: 900 }, valuePerPoint: 20 }
const es: PricedPosition = { currency: 'USD', net: -1, averagePrice: 6_780, mark: { price: 6_781.25, at: 700 }, valuePerPoint: 50 }
const reported = { pnl: amountOf(10_0000), at: 800 }

test('open P&L is price move times contracts times point value, exact', () => {
  // (25003.50 − 25000.25) × 2 × 20 = 130.00
  expect(openByPrice(nq)).toEqual({ pnl: 130_0000, from: 'prices', at: 900 })
  // A short loses where prices rise: −1 × 1.25 × 50 = −62.50
  expect(openByPrice(es)).toEqual({ pnl: -62_5000, from: 'prices', at: 700 })
  expect(openByPrice({ ...nq, mark: null })).toBeNull()
  expect(openByPrice({ ...nq, averagePrice: null })).toBeNull()
})

test('an account’s open P&L is the sum of its positions, as old as its oldest price', () => {
  expect(openOfAccount({ currency: 'USD', positions: [nq, es], snapshot: null }, 1_000)).toEqual({ pnl: 67_5000, from: 'prices', at: 700 })
  expect(openOfAccount({ currency: 'USD', positions: [], snapshot: reported }, 1_000)).toEqual({ pnl: 0, from: 'prices', at: 1_000 })
})

test('the snapshot counts if a price is missing, if it is newer than every price, or if a position is in another currency', () => {
  const snapshot = { ...reported, from: 'snapshot' }
  expect(openOfAccount({ currency: 'USD', positions: [nq, { ...es, mark: null }], snapshot: reported }, 1_000)).toEqual(snapshot)
  expect(openOfAccount({ currency: 'USD', positions: [nq, { ...es, mark: null }], snapshot: null }, 1_000)).toBeNull()
  // One price is newer than the snapshot: prices count.
  expect(openOfAccount({ currency: 'USD', positions: [nq, es], snapshot: reported }, 1_000)).toMatchObject({ from: 'prices' })
  expect(openOfAccount({ currency: 'USD', positions: [nq, es], snapshot: { ...reported, at: 901 } }, 1_000)).toEqual({ ...snapshot, at: 901 })
  expect(openOfAccount({ currency: 'USD', positions: [{ ...nq, currency: 'EUR' }], snapshot: null }, 1_000)).toBeNull()
})

test.each([
  [25_000, '0.25', '25000.00'],
  [6_759.375, '0.25', '6759.375'],
  [6_759.333333333333, '0.25', '6759.3333'],
  [25_000.000000000004, '0.25', '25000.00'],
  [112.515625, '0.015625', '112.515625'],
  [24_150, '1', '24150'],
  [24_150.5, '1', '24150.5'],
  [1.1645, '0.00005', '1.16450'],
  [-37.63, '0.01', '-37.63'],
])('the price %f in ticks of %s reads %s', (price, tick, text) => {
  expect(priceText(price, tick)).toBe(text)
})

test('a non-finite price gives null', () => {
  expect(priceText(NaN, '0.25')).toBeNull()
})
