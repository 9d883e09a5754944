import type { CandleColumns, TradeChart } from '#shared/api/prices.ts'
import type { Ticks } from '#shared/money/price.ts'
import { candleAt, type CandleSize } from '#shared/prices/candles.ts'
import { chartPoint, type ChartPoint } from '#shared/prices/chart-points.ts'
import { pathOf } from './chart-fills.ts'

/** Candles as the API sends them, each with what the trade was at its end. */
export const candlePoints = (facts: TradeChart, { at, open, high, low, close }: CandleColumns, size: CandleSize): readonly ChartPoint[] => {
  const path = pathOf(facts)
  const points: ChartPoint[] = []
  for (const [index, seconds] of at.entries()) {
    const { from, to } = candleAt(seconds * 1_000_000, size)
    const cut = { at: from, end: to, open: (open[index] ?? 0) as Ticks, high: (high[index] ?? 0) as Ticks, low: (low[index] ?? 0) as Ticks, close: (close[index] ?? 0) as Ticks }
    points.push(chartPoint(path, facts.tickValue, points.at(-1) ?? null, cut))
  }
  return points
}
