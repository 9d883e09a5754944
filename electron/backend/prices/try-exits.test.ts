import { expect, test } from 'vitest'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { ExitRule } from '#shared/prices/exit-rule.ts'
import { contract, keepTape, pricePlace, tickSize, tuesday } from '#tests/helpers/price-tapes.ts'
import { readingPrices } from './store/price-file.ts'
import type { TradeOfFilter } from './trades-to-price.ts'
import { tryExits, type TriedTrade } from './try-exits.ts'

type Part = readonly [ms: number, qty: number, price: number]

const none: ExitRule = { stop: null, target: null, trail: null, breakEven: null, minutes: null, first: null }
const farStop: ExitRule = { ...none, stop: { in: 'ticks', value: 9_000 } }

/** What rules make of a trade of these fills; a tick is worth a dollar unless said otherwise. */
const tried = (fills: readonly Part[], net: number, rules: readonly ExitRule[] = [farStop], tickValue = { num: 10_000, den: 1 }): readonly TriedTrade[] => {
  const paths = pricePlace()
  keepTape(paths, [[-120_000, 28_000] as const, ...fills.map(([ms, , price]) => [ms, price] as const), [240_000, 28_000] as const].map(([ms, price]) => ({ at: tuesday + ms * 1000, price: price as Ticks, size: 1 })))
  const priced = { id: 'one', ended: 0, contract, tickSize, tickValue, fills: fills.map(([ms, qty, price]) => ({ time: tuesday / 1000 + ms, qty, price: price as Ticks })) }
  const trade: TradeOfFilter = { tradingDay: '2026-10-06', currency: 'USD' as TradeOfFilter['currency'], net: Math.round(net * 10_000) as Amount, costs: 0 as Amount, risk: null, tags: [], priced }
  return readingPrices<readonly TriedTrade[]>(paths, [], (reader) => tryExits(reader, [trade], { rules, terms: { slippage: 0, horizon: { until: 'exit' }, insideBars: 'any-price' }, fee: null }))
}
const dollars = (...sums: readonly number[]) => [{ would: sums.map((sum) => ({ least: Math.round(sum * 10_000), most: Math.round(sum * 10_000) })) }]

test('a rule that never comes into play leaves a trade as it was, also where its exit was filled in parts', () => {
  expect(tried([[0, 2, 28_000], [60_001, -2, 28_010]], 20)).toMatchObject(dollars(20))
  expect(tried([[1, 3, 28_000], [60_001, -1, 28_010], [60_001, -2, 28_007]], 24)).toMatchObject(dollars(24))
  expect(tried([[1, -3, 28_010], [60_001, 1, 28_000], [60_151, 2, 28_003]], 24)).toMatchObject(dollars(24))
})

test('a gross that the broker rounded to cents is no difference', () => {
  // A tick of the ten-year note is $15.625: the broker paid $15.63.
  expect(tried([[1, 1, 28_000], [60_001, -1, 28_001]], 15.63, [farStop], { num: 156_250, den: 1 })).toMatchObject(dollars(15.63))
  expect(tried([[1, 2, 28_000], [60_001, -1, 28_001], [60_001, -1, 28_003]], 62.51, [farStop], { num: 156_250, den: 1 })).toMatchObject(dollars(62.51))
})
