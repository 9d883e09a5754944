import { expect, test } from 'vitest'
import { askTape, pricePlace, second, tickSize, tuesday } from '#tests/helpers/price-tapes.ts'
import { wantedSessions } from './feed-queries.ts'
import { writingPrices } from './store/price-file.ts'
import { saveBars } from './save-fetched.ts'

const minute = 60 * second
const prices = (price: number): Int32Array => Int32Array.of(price, price, price)

test('a bar that is not over when it is fetched is left for the next fetch', () => {
  const paths = pricePlace()
  const at = [0, 1, 2].map((index) => tuesday + index * minute)
  const list = { width: minute, at: Float64Array.from(at), open: prices(100), high: prices(104), low: prices(96), close: prices(100), volume: prices(1) }
  const span = { from: tuesday, to: tuesday + 3 * minute }
  // The trade ended within the last bar.
  const needed = [{ contract: 'MNQZ6', key: 'MNQ 2026-12', tickSize, spans: [{ from: tuesday, to: tuesday + 2.2 * minute }] }]
  const wanted = (now: number) => writingPrices(paths, (writer) => wantedSessions(writer, needed, { feed: 'tradovate', grain: minute, now, latest: now })).wanted
  const fetched = (now: number) => wanted(now).map((one) => writingPrices(paths, (writer) => saveBars(writer, { wanted: one, facts: { tickSize, fills: [] }, now, source: 'tradovate-bars', lists: [list] })).added)
  expect(fetched((tuesday + 2.5 * minute) / 1000)).toEqual([2])
  expect(fetched((tuesday + 3 * minute) / 1000)).toEqual([1])
  expect(wanted((tuesday + 3 * minute) / 1000)).toEqual([])
  expect(askTape(paths, (tape) => [...tape.bars(span)].map((bar) => bar.at))).toEqual(at)
})
