import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Direction } from '#shared/pnl/fill-pair.ts'

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
  /** Exit efficiency by the stored prices, in 1/10,000: at least and at most; null or missing if unknown. */
  readonly exitEfficiency?: { readonly least: number; readonly most: number } | null
}

/** A trade without its local date: statistics go by its trading day. */
export type StatisticsTrade = Omit<CountedTrade, 'date'>
