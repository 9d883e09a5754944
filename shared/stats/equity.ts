import { addAmounts, amountOf, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { CalendarDay } from './calendar.ts'
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

/** One trade of an equity curve. */
export type EquityStep = {
  readonly id: string
  /** UTC ms. */
  readonly exitTime: number
  readonly net: Amount
  /** Net of all trades up to and with this one. */
  readonly cumulative: Amount
}

/** A fall of a curve below an earlier high; `At` names its points: a trading day, or the exit of a trade in UTC ms. */
export type Drawdown<At> = {
  /** From the high down to the bottom, above zero. */
  readonly depth: Amount
  /** The last point at the high it fell from; null where that is the start of the curve, at nothing. */
  readonly start: At | null
  /** Its lowest point, the first of several. */
  readonly bottom: At
  /** The first point that is at the high again, or above; null while there is none. */
  readonly recovery: At | null
}

/** The falls of a curve that count. */
export type Drawdowns<At> = {
  /** The deepest, of equals the earliest; null where the curve never fell. */
  readonly deepest: Drawdown<At> | null
  /** The one under way at the end of the curve, and how far below its high the curve ends; null at a high. */
  readonly present: (Drawdown<At> & { readonly below: Amount }) | null
}

/** The equity curve of one currency, a point for each trading day with a trade; the days are in their order. */
export const equityByDay = (days: readonly CalendarDay[], currency: Currency): readonly EquityPoint[] => {
  let cumulative = zero
  return days.flatMap(({ tradingDay, money }) => {
    const own = money.find((row) => row.currency === currency)
    if (own === undefined) return []
    cumulative = addAmounts(cumulative, own.netPnl)
    return [{ tradingDay, net: own.netPnl, cumulative }]
  })
}

/** The equity curve of trades of one currency that come in the order of their exits. */
export const equityByTrade = (trades: readonly (Pick<TradeFigures, 'exitTime' | 'netPnl'> & { readonly id: string })[]): readonly EquityStep[] => {
  let cumulative = zero
  return trades.map(({ id, exitTime, netPnl }) => {
    cumulative = addAmounts(cumulative, netPnl)
    return { id, exitTime, net: netPnl, cumulative }
  })
}

/** The deepest and the present fall of a curve, the start at nothing counted in as a high. */
export const drawdowns = <Point extends { readonly cumulative: Amount }, At>(curve: readonly Point[], at: (point: Point) => At): Drawdowns<At> => {
  let high = zero
  let highAt: At | null = null
  let fall: Drawdown<At> | null = null
  let deepest: Drawdown<At> | null = null
  for (const point of curve) {
    if (point.cumulative >= high) {
      if (fall !== null) deepest = deeper(deepest, { ...fall, recovery: at(point) })
      high = point.cumulative
      highAt = at(point)
      fall = null
    } else {
      const depth = amountOf(high - point.cumulative)
      if (fall === null || depth > fall.depth) fall = { depth, start: highAt, bottom: at(point), recovery: null }
    }
  }
  const below = amountOf(high - (curve.at(-1)?.cumulative ?? zero))
  return { deepest: fall === null ? deepest : deeper(deepest, fall), present: fall && { ...fall, below } }
}

const deeper = <At>(earlier: Drawdown<At> | null, later: Drawdown<At>): Drawdown<At> => (earlier === null || later.depth > earlier.depth ? later : earlier)
