import { tradingDay } from '#shared/market/trading-day.ts'
import { addAmounts, amountOf, zero, type Amount } from '#shared/money/money.ts'
import type { TradeFigures } from './figures.ts'

/** One trading day of an equity curve. */
export type EquityPoint = {
  /** Date of the exchange's session in which the trades were closed, `YYYY-MM-DD`. */
  readonly tradingDay: string
  /** Net of that day's trades. */
  readonly net: Amount
  /** Net of all trades up to the end of that day. */
  readonly cumulative: Amount
}

/** The equity curve of trades of one currency, a point for each trading day with a trade, the earliest first. */
export const equityCurve = (trades: Iterable<TradeFigures>): readonly EquityPoint[] => {
  const days = new Map<string, Amount>()
  for (const { exitTime, netPnl } of trades) {
    const day = tradingDay(exitTime)
    days.set(day, addAmounts(days.get(day) ?? zero, netPnl))
  }
  let cumulative = zero
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, net]) => {
      cumulative = addAmounts(cumulative, net)
      return { tradingDay: day, net, cumulative }
    })
}

/** The deepest fall of the curve below an earlier high, the start at nothing counted in; never below zero. */
export const maxDrawdown = (curve: readonly EquityPoint[]): Amount => {
  let high = 0
  let deepest = 0
  for (const { cumulative } of curve) {
    high = Math.max(high, cumulative)
    deepest = Math.max(deepest, high - cumulative)
  }
  return amountOf(deepest)
}
