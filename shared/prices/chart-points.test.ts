import { expect, test } from 'vitest'
import type { Ticks } from '#shared/money/price.ts'
import { chartPoint, type ChartPoint } from './chart-points.ts'
import { positionPath } from './position-path.ts'

const minute = 60_000_000
const tickValue = { num: 10_000, den: 1 }
const pointsOf = (fills: readonly (readonly [at: number, qty: number, price: number])[], candles: readonly (readonly [open: number, high: number, low: number, close: number])[]): readonly ChartPoint[] => {
  const path = positionPath(fills.map(([at, qty, price]) => ({ at: at * minute, qty, price: price as Ticks })))
  const points: ChartPoint[] = []
  for (const [index, prices] of candles.entries()) {
    const [open, high, low, close] = prices.map((price) => price as Ticks) as [Ticks, Ticks, Ticks, Ticks]
    points.push(chartPoint(path, tickValue, points.at(-1) ?? null, { at: index * minute, end: (index + 1) * minute, open, high, low, close }))
  }
  return points
}

test('a trade scaled in has seen nothing below its average where price stayed above it', () => {
  const points = pointsOf([[0.5, 1, 6073], [2.5, 1, 6077], [4.5, -2, 6080]], [[6073, 6074, 6070, 6074], [6074, 6077, 6073, 6076], [6076, 6078, 6075, 6077], [6077, 6079, 6075, 6078], [6078, 6081, 6076, 6080]])
  expect(points.map(({ seen }) => seen && [seen.average, seen.low, seen.high])).toEqual([[6073, 6073, 6074], [6073, 6073, 6077], [6075, 6077, 6077], [6075, 6075, 6079], [6075, 6075, 6080]])
})

test('a losing trade has seen the price of its exit', () => {
  const points = pointsOf([[0.5, 1, 6400], [2.5, -1, 6386]], [[6400, 6401, 6398, 6399], [6399, 6399, 6390, 6391], [6391, 6391, 6380, 6382], [6382, 6390, 6370, 6380]])
  expect(points.map(({ seen }) => seen && [seen.average, seen.isLong, seen.low])).toEqual([[6400, true, 6399], [6400, true, 6390], [6400, true, 6386], null])
  // What is taken off leaves average and what was seen.
  expect(pointsOf([[0.5, -2, 6400], [2.5, 1, 6395]], [[6400, 6401, 6398, 6399], [6399, 6410, 6390, 6391], [6391, 6391, 6380, 6382]]).at(-1)?.seen).toMatchObject({ high: 6410 })
})

test('a trade has seen what lies within it, and of the candles of its ends only what surely does', () => {
  const points = pointsOf([[1.5, 1, 100], [2.5, 1, 98], [4.5, -2, 103]], [[90, 130, 80, 99], [99, 120, 70, 101], [101, 104, 97, 99], [99, 106, 98, 105], [105, 140, 60, 90], [90, 150, 50, 90]])
  expect(points.map(({ seen }) => seen && [seen.low, seen.high])).toEqual([null, [100, 101], [98, 99], [98, 106], [98, 106], null])
  expect(points.map(({ held }) => held.qty)).toEqual([0, 1, 2, 2, 0, 0])
  expect(points.map(({ held }) => held.average)).toEqual([null, 100, 99, 99, null, null])
  // After its last fill it is the result.
  expect(points.map(({ pnl }) => pnl)).toEqual([null, 10_000, 0, 12 * 10_000, 8 * 10_000, null])
})

test('a trade within one candle has seen its fills', () => {
  expect(pointsOf([[0.2, -1, 100], [0.8, 1, 95]], [[90, 130, 80, 99]])[0]).toMatchObject({ seen: { low: 95, high: 100 }, pnl: 50_000 })
})

test('a trade within one candle shows the largest position that it held, and any other the one at the end', () => {
  const shown = (...given: Parameters<typeof pointsOf>) => pointsOf(...given).map((point) => point.shown)
  expect(shown([[0.2, -1, 100], [0.4, -2, 101], [0.8, 3, 95]], [[90, 130, 80, 99], [99, 99, 99, 99]])).toEqual([-3, 0])
  expect(shown([[0.2, 2, 100], [1.4, 1, 101], [1.8, -3, 95]], [[90, 130, 80, 99], [99, 99, 99, 99]])).toEqual([2, 0])
})
