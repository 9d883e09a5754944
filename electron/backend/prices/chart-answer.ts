import type { CandleColumns, StepColumns, TradeChart } from '#shared/api/prices.ts'
import type { Candle } from '#shared/prices/candles.ts'
import type { TradeFill } from '#shared/prices/excursions.ts'
import type { StepPage } from '#shared/prices/steps.ts'
import type { ChartTrade } from './chart-trade.ts'
import type { ChartPrices } from './prices-worker.ts'

const fill = ({ time, qty, price }: TradeFill) => ({ at: time, qty, price })

/** What a chart shows beside prices as the API states it. */
export const chartAnswer = ({ fills, others, closed, orders, ...chart }: ChartTrade, { known, prints }: ChartPrices): TradeChart => ({
  ...chart,
  fills: fills.map(fill),
  others: others.map(fill),
  closed: [...closed],
  orders: orders.map(({ side, kind, steps, until }) => ({ side, kind, until, steps: [...steps] })),
  prints,
  known: known.map(({ from, to, grain }) => ({ from: Math.floor(from / 1000), to: Math.ceil(to / 1000), grain: grain === 'prints' ? 0 : grain })),
})

/** Candles as the API states them. */
export const candleAnswer = (candles: readonly Candle[]): CandleColumns => ({
  at: candles.map(({ at }) => at / 1_000_000),
  open: candles.map(({ open }) => open),
  high: candles.map(({ high }) => high),
  low: candles.map(({ low }) => low),
  close: candles.map(({ close }) => close),
})

/** Steps of a replay as the API states them: small differences make short text. */
export const stepAnswer = ({ grain, steps, next }: StepPage): StepColumns => {
  const differences = (of: 'at' | 'close'): number[] => steps.map((step, index) => step[of] - (steps[index - 1]?.[of] ?? 0))
  const toClose = (of: 'open' | 'high' | 'low'): number[] => steps.map((step) => step[of] - step.close)
  return { at: differences('at'), close: differences('close'), bars: grain === 'prints' ? null : { open: toClose('open'), high: toClose('high'), low: toClose('low') }, next }
}
