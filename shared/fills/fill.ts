import type { Brand } from '#shared/base/brand.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { FillSource } from './source.ts'

/** Fillbook's own key of a brokerage account, unique over brokers and environments: `tradovate:demo:700101`. */
export type AccountKey = Brand<string, 'AccountKey'>

export type Side = 'buy' | 'sell'

/** One execution, as the matching sees it: parsed, in whole ticks, with everything that P&L needs. */
export type Fill = {
  /** The broker's fill id where there is one. Unique within the account. */
  readonly id: string
  readonly account: AccountKey
  /** The contract's name as the broker writes it, `MESM6`: fills match only within one account and contract. */
  readonly contract: string
  /** UTC milliseconds. */
  readonly time: number
  readonly side: Side
  /** Whole contracts, at least 1. */
  readonly qty: number
  /** Whole ticks of the contract's tick size. */
  readonly price: Ticks
  /** All fees of the whole fill in the contract's currency (a cost is positive), or null where the broker has not said. */
  readonly fee: Amount | null
  /** Fees that the broker charged in other currencies, beside `fee`; missing where there are none. */
  readonly otherFees?: CurrencyAmounts | undefined
  /** The file or report that had the last word on the fees, if the fill came from another source. */
  readonly feeFrom?: string | undefined
  /** False for a fill that the broker busted: it is kept, but does not count. */
  readonly active: boolean
  /** Where the fill was read; a better source replaces a worse one. */
  readonly source: FillSource
  /** The session that the broker books it on, `YYYY-MM-DD`; null or missing if unknown. */
  readonly tradeDate?: string | null
  /** It shares its moment with others, and nobody knows which came first. */
  readonly ambiguous?: boolean | undefined
}
