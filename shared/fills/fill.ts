import type { Brand } from '#shared/base/brand.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { FillSource } from './source.ts'

/** Fillbook's own key of a brokerage account, unique over brokers and environments: `tradovate:demo:700101`. */
export type AccountKey = Brand<string, 'AccountKey'>

export type Side = 'buy' | 'sell'

/** One execution as matching needs it: parsed, in whole ticks, with everything that P&L needs. */
export type Fill = {
  /** The broker's fill id if it has one. Unique within the account. */
  readonly id: string
  readonly account: AccountKey
  /** The broker's name of the contract, `MESM6`: fills match only within one account and contract. */
  readonly contract: string
  /** UTC milliseconds. */
  readonly time: number
  readonly side: Side
  /** Whole contracts, at least 1. */
  readonly qty: number
  /** Whole ticks of the contract's tick size. */
  readonly price: Ticks
  /** All fees of the fill in the contract's currency (a cost is positive); null if the broker has not reported them. */
  readonly fee: Amount | null
  /** Fees in other currencies, beside `fee`; missing if there are none. */
  readonly otherFees?: CurrencyAmounts | undefined
  /** The file or report whose fees override those of the fill's own source. */
  readonly feeFrom?: string | undefined
  /** False for a busted fill: it is kept, but does not count. */
  readonly active: boolean
  /** Where the fill was read; a better source replaces a worse one. */
  readonly source: FillSource
  /** The broker's session of the fill, `YYYY-MM-DD`; null or missing if unknown. */
  readonly tradeDate?: string | null
  /** Other fills have the same timestamp, and their order is unknown. */
  readonly ambiguous?: boolean | undefined
}
