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

test('a trade has seen what lies within it, and of the candles of its ends only what surely does', () => {
  const points = pointsOf([[1.5, 1, 100], [2.5, 1, 98], [4.5, -2, 103]], [[90, 130, 80, 99], [99, 120, 70, 101], [101, 104, 97, 99], [99, 106, 98, 105], [105, 140, 60, 90], [90, 150, 50, 90]])
  expect(points.map(({ seen }) => seen && [seen.low, seen.high])).toEqual([null, [100, 101], [97, 104], [97, 106], [97, 106], null])
  expect(points.map(({ held }) => held.qty)).toEqual([0, 1, 2, 2, 0, 0])
  expect(points.map(({ held }) => held.average)).toEqual([null, 100, 99, 99, null, null])
  // After its last fill it is the result.
  expect(points.map(({ pnl }) => pnl)).toEqual([null, 10_000, 0, 12 * 10_000, 8 * 10_000, null])
})

test('a trade within one candle has seen its fills', () => {
  expect(pointsOf([[0.2, -1, 100], [0.8, 1, 95]], [[90, 130, 80, 99]])[0]).toMatchObject({ seen: { low: 95, high: 100 }, pnl: 50_000 })
})
