import type { CandleColumns, TradeChart } from '#shared/api/prices.ts'
import type { Ticks } from '#shared/money/price.ts'
import { candleAt, isTickSize, type CandleSize } from '#shared/prices/candles.ts'
import { chartPoint, type ChartPoint } from '#shared/prices/chart-points.ts'
import { pathOf } from './chart-fills.ts'

/** Candles of the API, each with the trade's position and P&L at its end. */
export const candlePoints = (facts: TradeChart, { at, open, high, low, close }: CandleColumns, size: CandleSize): readonly ChartPoint[] => {
  const path = pathOf(facts)
  const points: ChartPoint[] = []
  for (const [index, seconds] of at.entries()) {
    const moment = Math.round(seconds * 1_000_000)
    const { from, to } = isTickSize(size) ? { from: moment, to: endOf(facts, moment, at[index + 1]) } : candleAt(moment, size)
    const cut = { at: from, end: to, open: (open[index] ?? 0) as Ticks, high: (high[index] ?? 0) as Ticks, low: (low[index] ?? 0) as Ticks, close: (close[index] ?? 0) as Ticks }
    points.push(chartPoint(path, facts.tickValue, points.at(-1) ?? null, cut))
  }
  return points
}

/** When a tick candle ends: when the next one begins, or where the prices end. */
const endOf = ({ known }: Pick<TradeChart, 'known'>, moment: number, next: number | undefined): number => {
  if (next !== undefined) return Math.round(next * 1_000_000)
  const stretch = known.find(({ from, to }) => from * 1000 <= moment && to * 1000 > moment)
  return stretch === undefined ? moment + 1 : stretch.to * 1000
}
