import { expect, test } from 'vitest'
import { askTape, pricePlace, second, tickSize, tuesday } from '#tests/helpers/price-tapes.ts'
import { writingPrices } from './price-file.ts'
import { storeBars } from './store-fetched.ts'

const minute = 60 * second
const prices = (price: number): Int32Array => Int32Array.of(price, price, price)

test('a bar that is not over when it is fetched is left for the next fetch', () => {
  const place = pricePlace()
  const at = [0, 1, 2].map((index) => tuesday + index * minute)
  const list = { width: minute, at: Float64Array.from(at), open: prices(100), high: prices(104), low: prices(96), close: prices(100), volume: prices(1) }
  const span = { from: tuesday, to: tuesday + 3 * minute }
  const fetched = (now: number) =>
    writingPrices(place, (writer) => storeBars(writer, { wanted: { contract: 'MNQZ6', key: 'MNQ 2026-12', tickSize, span, core: span }, facts: { tickSize, fills: [] }, now, source: 'tradovate-bars', lists: [list] })).added
  expect(fetched((tuesday + 2.5 * minute) / 1000)).toBe(2)
  expect(fetched((tuesday + 3 * minute) / 1000)).toBe(1)
  expect(askTape(place, (tape) => [...tape.bars(span)].map((bar) => bar.at))).toEqual(at)
})
