// @module-tag slow
import { expect, test } from 'vitest'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { contract, keepTape, pricePlace, second, tickSize, tuesday } from '#tests/helpers/price-tapes.ts'
import { query } from '../db/database.ts'
import { excursionChanges, saveExcursions, type ExcursionChanges } from './save-excursions.ts'
import { readingPrices, writingPrices, type PricePaths } from './store/price-file.ts'
import type { TradeCursor, TradeWithFills } from './trades-to-price.ts'

const print = (seconds: number, price: number) => ({ at: tuesday + seconds * second, price: price as Ticks, size: 1 })
/** A tape of an hour that goes up a tick each ten seconds, and down by five in each fifth step. */
const tape = (from: number) => Array.from({ length: 360 }, (_, step) => print(from + step * 10, 28_000 + step - (step % 5 === 4 ? 5 : 0)))

/** Bought and sold at the tape's prices, so many seconds after it begins. */
const trade = (id: string, bought: number, sold: number, more: Partial<TradeWithFills> = {}): TradeWithFills => {
  const fill = (seconds: number, qty: number) => ({ time: tuesday / 1000 + seconds * 1000, qty, price: (28_000 + seconds / 10) as Ticks })
  const fills = [fill(bought, 1), fill(sold, -1)]
  return { id, ended: tuesday / 1000 + sold * 1000, contract, tickSize, tickValue: { num: 5_000, den: 1 }, fills, parts: [], ...more }
}

const all = { after: null, next: null }
const keep = (paths: PricePaths, trades: readonly TradeWithFills[], where: { readonly after: TradeCursor | null; readonly next: TradeCursor | null } = all): ExcursionChanges => {
  const changes = readingPrices(paths, { put: [], gone: [] } as ExcursionChanges, (reader) => excursionChanges(reader, trades, where))
  writingPrices(paths, (writer) => { saveExcursions(writer, changes) })
  return changes
}
const idsOf = ({ put, gone }: ExcursionChanges) => ({ put: put.map(({ id }) => id), gone: [...gone].sort() })
const kept = (paths: PricePaths) => readingPrices<{ id: string; mfe_least: Amount }[]>(paths, [], (reader) => query<{ id: string; mfe_least: Amount }>(reader, 'SELECT id, mfe_least FROM excursions ORDER BY id').all())

const mostOf = (paths: PricePaths) => readingPrices<{ most: Amount | null }[]>(paths, [], (reader) => query<{ most: Amount | null }>(reader, 'SELECT mfe_most AS most FROM excursions').all()).map(({ most }) => most)

test('excursions are computed once, and again where a trade or the prices within it changed', () => {
  const paths = pricePlace()
  keepTape(paths, tape(0), { chunk: 50 })
  const [one, two] = [trade('one', 600, 900), trade('two', 1_200, 1_500)]
  expect(idsOf(keep(paths, [one, two]))).toEqual({ put: ['one', 'two'], gone: [] })
  expect(idsOf(keep(paths, [one, two]))).toEqual({ put: [], gone: [] })
  // Up by a tick each ten seconds for 300 s, at 5,000 a tick.
  expect(kept(paths)[0]).toEqual({ id: 'one', mfe_least: 30 * 5_000 })

  expect(idsOf(keep(paths, [trade('one', 600, 910), two]))).toEqual({ put: ['one'], gone: [] })
  // Prices of another time say nothing of them, finer ones of their own time do.
  keepTape(paths, tape(100_000), { chunk: 50 })
  expect(idsOf(keep(paths, [one, two]))).toEqual({ put: ['one'], gone: [] })
  keepTape(paths, [{ at: tuesday + 1_200 * second, width: 60 * second, open: 28_000 as Ticks, high: 28_500 as Ticks, low: 27_000 as Ticks, close: 28_000 as Ticks, volume: 9 }])
  expect(idsOf(keep(paths, [one, two]))).toEqual({ put: ['two'], gone: [] })
})

test('stamps without seconds reach a minute further', () => {
  const paths = pricePlace()
  const whole = trade('whole minutes', 600, 900)
  // The trade ended within a minute of 14:45, and the first file of prices ends five seconds behind.
  keepTape(paths, tape(0).filter(({ at }) => at < tuesday + 905 * second), { chunk: 50 })
  expect(idsOf(keep(paths, [whole]))).toEqual({ put: ['whole minutes'], gone: [] })
  expect(mostOf(paths)).toEqual([null])
  keepTape(paths, tape(0).filter(({ at }) => at >= tuesday + 905 * second), { chunk: 50, source: 'sierra-scid' })
  expect(idsOf(keep(paths, [whole]))).toEqual({ put: ['whole minutes'], gone: [] })
})

test('excursions of a removed trade are deleted, and so are those of one that lost its prices', () => {
  const paths = pricePlace()
  keepTape(paths, tape(0), { chunk: 50 })
  const scaled = trade('scaled', 600, 900, { parts: [{ id: 'pair 1', fills: trade('', 600, 800).fills }, { id: 'pair 2', fills: trade('', 610, 900).fills }] })
  expect(idsOf(keep(paths, [scaled, trade('gone', 700, 950)]))).toEqual({ put: ['scaled', 'pair 1', 'pair 2', 'gone'], gone: [] })
  expect(idsOf(keep(paths, [scaled]))).toEqual({ put: [], gone: ['gone'] })
  writingPrices(paths, (writer) => writer.database.exec('DELETE FROM parts'))
  expect(idsOf(keep(paths, [scaled]))).toEqual({ put: [], gone: ['pair 1', 'pair 2', 'scaled'] })
  expect(idsOf(keep(paths, [trade('unpriced', 200_000, 200_100)]))).toEqual({ put: [], gone: [] })
})

test('a part of all trades leaves the others as they are', () => {
  const paths = pricePlace()
  keepTape(paths, tape(0), { chunk: 50 })
  const [one, two, three] = [trade('one', 600, 900), trade('two', 610, 900), trade('three', 1_200, 1_500)]
  keep(paths, [one, two, three])
  const behind = ({ ended, id }: TradeWithFills): TradeCursor => ({ ended, id })
  expect(idsOf(keep(paths, [one], { after: null, next: behind(one) }))).toEqual({ put: [], gone: [] })
  // Between the two ends: a trade of one moment with the part's last is another's.
  expect(idsOf(keep(paths, [], { after: behind(one), next: behind(two) }))).toEqual({ put: [], gone: ['two'] })
  expect(idsOf(keep(paths, [], { after: behind(two), next: null }))).toEqual({ put: [], gone: ['three'] })
  expect(kept(paths).map(({ id }) => id)).toEqual(['one'])
})
