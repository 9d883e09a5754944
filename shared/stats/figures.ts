import { bookedDay } from '#shared/fills/booked-day.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { directionOf, pairIdOf, type Direction, type Pair } from '#shared/pnl/pair.ts'
import type { Trip } from '#shared/pnl/trip.ts'

/** The money of a trade and the days it counts for, be it a pair, a trip or one that was added by hand. */
export type TradeFigures = {
  /** Local date of the exit, `YYYY-MM-DD`. */
  readonly date: string
  /** Date of the exchange's session that the exit belongs to, `YYYY-MM-DD`: the broker's where it told one. */
  readonly tradingDay: string
  /** UTC ms. */
  readonly exitTime: number
  readonly currency: Currency
  readonly grossPnl: Amount
  /** A cost is positive. */
  readonly commission: Amount
  /** In other currencies; missing where there are none. */
  readonly otherFees?: CurrencyAmounts | undefined
  readonly netPnl: Amount
}

/** All that the statistics need of a trade. */
export type CountedTrade = TradeFigures & {
  /** Sets the order of trades that were closed in the same millisecond. */
  readonly id: string
  /** UTC ms. */
  readonly entryTime: number
  /** The contract, `MESM6`; statistics go by its product. */
  readonly symbol: string
  /** Key of the account. */
  readonly account: string
  readonly side: Direction
  /** The account's prop firm; null or missing where there is none. */
  readonly firm?: string | null
  /** Its own and those of its trading day, each once; missing where there are none. */
  readonly tags?: readonly string[]
  /** What was to be lost at the stop, above zero; null or missing where no stop is known. */
  readonly risk?: Amount | null
}

/** A trade as statistics take it: they go by its session, not by its local date. */
export type TakenTrade = Omit<CountedTrade, 'date'>

/** What the statistics need of a pair, but for firm and risk, which are its user's to say. */
export const pairFigures = (pair: Pair): CountedTrade => ({
  id: pairIdOf(pair),
  date: pair.date,
  tradingDay: bookedDay(pair.closing),
  entryTime: pair.opening.time,
  exitTime: pair.closing.time,
  symbol: pair.opening.contract,
  account: pair.opening.account,
  side: directionOf(pair),
  currency: pair.spec.currency,
  grossPnl: pair.grossPnl,
  commission: pair.commission,
  otherFees: pair.otherFees,
  netPnl: pair.netPnl,
})

/** What the statistics need of a trip, but for firm and risk, which are its user's to say. */
export const tripFigures = (trip: Trip): CountedTrade => ({
  id: trip.id,
  date: trip.date,
  tradingDay: bookedDay({ time: trip.exitTime, tradeDate: trip.tradeDate }),
  entryTime: trip.entryTime,
  exitTime: trip.exitTime,
  symbol: trip.contract,
  account: trip.account,
  side: trip.direction,
  currency: trip.spec.currency,
  grossPnl: trip.grossPnl,
  commission: trip.commission,
  otherFees: trip.otherFees,
  netPnl: trip.netPnl,
})
