import { bookedDay } from '#shared/fills/booked-day.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { directionOf, pairIdOf, type Direction, type Pair } from '#shared/pnl/pair.ts'
import type { Trip } from '#shared/pnl/trip.ts'

/** The P&L and days of a trade: a fill pair, a trade from flat to flat, or one added by hand. */
export type TradeFigures = {
  /** Local date of the exit, `YYYY-MM-DD`. */
  readonly date: string
  /** The trading day of the exit, `YYYY-MM-DD`; the broker's own if it sent one. */
  readonly tradingDay: string
  /** UTC ms. */
  readonly exitTime: number
  readonly currency: Currency
  readonly grossPnl: Amount
  /** Positive for a cost. */
  readonly commission: Amount
  /** Fees in other currencies, if any. */
  readonly otherFees?: CurrencyAmounts | undefined
  readonly netPnl: Amount
}

/** A trade as statistics need it. */
export type CountedTrade = TradeFigures & {
  /** Orders trades that closed in the same millisecond. */
  readonly id: string
  /** UTC ms. */
  readonly entryTime: number
  /** The contract, `MESM6`; statistics group by its product. */
  readonly symbol: string
  /** Account key. */
  readonly account: string
  readonly side: Direction
  /** The account's prop firm, if any. */
  readonly firm?: string | null
  /** Its own tags and those of its trading day, each once. */
  readonly tags?: readonly string[]
  /** The loss at the stop, positive; null or missing without a known stop. */
  readonly risk?: Amount | null
}

/** A trade without its local date: statistics go by its trading day. */
export type StatisticsTrade = Omit<CountedTrade, 'date'>

/** The figures of a fill pair, without firm and risk, which the user sets. */
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

/** The figures of a trade from flat to flat, without firm and risk, which the user sets. */
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
