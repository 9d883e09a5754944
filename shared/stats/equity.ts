import { addAmounts, amountOf, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { CalendarDay } from './calendar.ts'
import type { TradeFigures } from './figures.ts'

/** One trading day of an equity curve. */
export type EquityPoint = {
  /** Date of the exchange's session in which the trades were closed, `YYYY-MM-DD`. */
  readonly tradingDay: string
  /** Net P&L of the day's trades. */
  readonly net: Amount
  /** Net P&L of all trades up to the end of that day. */
  readonly cumulative: Amount
}

/** One trade of an equity curve. */
export type EquityStep = {
  readonly id: string
  /** UTC ms. */
  readonly exitTime: number
  readonly net: Amount
  /** Net P&L of all trades up to and including this one. */
  readonly cumulative: Amount
}

/** A drawdown of a curve. `At` identifies its points: a trading day, or a trade's exit in UTC ms. */
export type Drawdown<At> = {
  /** From the high to the bottom, positive. */
  readonly depth: Amount
  /** The last point at the high; null if the high is the start of the curve, at zero. */
  readonly start: At | null
  /** The first lowest point. */
  readonly bottom: At
  /** The first point back at the high or above; null if not recovered. */
  readonly recovery: At | null
}

/** The max drawdown and the current one. */
export type Drawdowns<At> = {
  /** The deepest, the earliest of equals; null if the curve never fell. */
  readonly deepest: Drawdown<At> | null
  /** The drawdown at the end of the curve, and how far below its high the curve ends; null at a high. */
  readonly present: (Drawdown<At> & { readonly below: Amount }) | null
}

/** The equity curve of one currency, with a point for each trading day with a trade; `days` come in order. */
export const equityByDay = (days: readonly CalendarDay[], currency: Currency): readonly EquityPoint[] => {
  let cumulative = zero
  return days.flatMap(({ tradingDay, money }) => {
    const row = money.find((one) => one.currency === currency)
    if (row === undefined) return []
    cumulative = addAmounts(cumulative, row.netPnl)
    return [{ tradingDay, net: row.netPnl, cumulative }]
  })
}

/** The equity curve of trades of one currency; `trades` come in order of their exits. */
export const equityByTrade = (trades: readonly (Pick<TradeFigures, 'exitTime' | 'netPnl'> & { readonly id: string })[]): readonly EquityStep[] => {
  let cumulative = zero
  return trades.map(({ id, exitTime, netPnl }) => {
    cumulative = addAmounts(cumulative, netPnl)
    return { id, exitTime, net: netPnl, cumulative }
  })
}

/** The drawdowns of a curve that starts at zero. */
export const drawdowns = <Point extends { readonly cumulative: Amount }, At>(curve: readonly Point[], at: (point: Point) => At): Drawdowns<At> => {
  let high = zero
  let highAt: At | null = null
  let open: Drawdown<At> | null = null
  let deepest: Drawdown<At> | null = null
  for (const point of curve) {
    if (point.cumulative >= high) {
      if (open !== null) deepest = deeper(deepest, { ...open, recovery: at(point) })
      high = point.cumulative
      highAt = at(point)
      open = null
    } else {
      const depth = amountOf(high - point.cumulative)
      if (open === null || depth > open.depth) open = { depth, start: highAt, bottom: at(point), recovery: null }
    }
  }
  const below = amountOf(high - (curve.at(-1)?.cumulative ?? zero))
  return { deepest: open === null ? deepest : deeper(deepest, open), present: open && { ...open, below } }
}

const deeper = <At>(earlier: Drawdown<At> | null, later: Drawdown<At>): Drawdown<At> => (earlier === null || later.depth > earlier.depth ? later : earlier)
