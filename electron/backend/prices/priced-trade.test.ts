import { expect, test } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { excursionsOf } from '#shared/prices/excursions.ts'
import type { Print } from '#shared/prices/tape.ts'
import { tradeToTry, whatIf } from '#shared/prices/what-if.ts'
import { plainTape } from '#tests/helpers/plain-tape.ts'
import { fillsOf, type Sides } from './priced-trade.ts'

const begin = Date.UTC(2026, 9, 6, 14, 30)
const second = 1_000_000
const tapeOf = (prices: readonly (readonly [ms: number, price: number])[]) =>
  plainTape([{ from: begin * 1000 - 60 * second, to: begin * 1000 + 600 * second, grain: 'prints' }], prices.map(([ms, price]): Print => ({ at: (begin + ms) * 1000, price: price as Ticks, size: 1 })), [])
const pair = (opening: string, closing: string, qty: number, entry: readonly [ms: number, price: number], exit: readonly [ms: number, price: number]): Sides & { readonly id: string } =>
  ({ id: `tradovate:demo:7/${opening}/${closing}`, side: 'long', qty, entryTime: begin + entry[0], entryPrice: entry[1] as Ticks, exitTime: begin + exit[0], exitPrice: exit[1] as Ticks })

test('fills of one moment keep the order of the broker, whose ids are numbers', () => {
  // Two are sold at 28,001 and then 28,003: the best was 4 ticks, and never both at 28,003.
  const fills = fillsOf([pair('8', '10', 1, [100, 28_000], [5_100, 28_003]), pair('8', '9', 1, [100, 28_000], [5_100, 28_001])])
  expect(fills.map(({ qty, price }) => [qty, price])).toEqual([[2, 28_000], [-1, 28_001], [-1, 28_003]])
  const found = excursionsOf({ fills, tolerance: 0, tickValue: { num: 1, den: 1 }, risk: null }, tapeOf([[100, 28_000], [5_100, 28_001], [5_100, 28_003]]))
  expect(found).toMatchObject({ result: amountOf(4), mfe: { amount: { least: 4 } } })
})

test('a fill that fill pairs cut into parts is one, whatever its stamp', () => {
  const fills = fillsOf([pair('1', '4', 2, [0, 27_969], [90_000, 27_980]), pair('2', '4', 2, [30_000, 27_974], [90_000, 27_980]), pair('2', '5', 3, [30_000, 27_974], [95_000, 27_980])])
  expect(fills.map(({ qty, price }) => [qty, price])).toEqual([[2, 27_969], [5, 27_974], [-4, 27_980], [-3, 27_980]])
  const trade = tradeToTry(fills, 0)
  if (trade === null) throw new Error('Nothing is added behind an exit')
  // In two parts, a third of four contracts would leave at the print of the first, and the second would not be made.
  const rule = { stop: null, target: null, trail: null, breakEven: null, minutes: null, first: { at: 1, percent: 34 } }
  const [found] = whatIf(trade, [rule], { slippage: 0, horizon: { until: 'exit' }, insideBars: 'any-price' }, tapeOf([[0, 27_969], [30_000, 27_974], [90_000, 27_980], [95_000, 27_980]]))
  expect(found?.map(({ contracts }) => contracts)).toEqual([7])
})
