import type { Amount, Currency } from '#shared/money/money.ts'
import type { Pair } from '#shared/pnl/pair.ts'
import type { Trip } from '#shared/pnl/trip.ts'

/** What statistics need of a trade, be it a pair, a trip or one that was added by hand. */
export type TradeFigures = {
  /** Local date of the exit, `YYYY-MM-DD`. */
  readonly date: string
  /** UTC ms. */
  readonly exitTime: number
  readonly currency: Currency
  readonly grossPnl: Amount
  readonly commission: Amount
  readonly netPnl: Amount
}

/** The figures of a pair. */
export const pairFigures = ({ date, closing, spec, grossPnl, commission, netPnl }: Pair): TradeFigures => ({
  date,
  exitTime: closing.time,
  currency: spec.currency,
  grossPnl,
  commission,
  netPnl,
})

/** The figures of a trip. */
export const tripFigures = ({ date, exitTime, spec, grossPnl, commission, netPnl }: Trip): TradeFigures => ({
  date,
  exitTime,
  currency: spec.currency,
  grossPnl,
  commission,
  netPnl,
})
