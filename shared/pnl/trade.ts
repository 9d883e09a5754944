import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Direction, FeeSource, TradeWarning } from './fill-pair.ts'

/** A trade: all fill pairs from flat to flat; while the position is open, those closed so far. */
export type Trade = {
  /** `account/first fill`: the same fills always give the same id. */
  readonly id: string
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  readonly direction: Direction
  /** Local date of the batch of the latest fill, `YYYY-MM-DD`. */
  readonly date: string
  /** Time of the first fill, UTC ms. */
  readonly entryTime: number
  /** Time of the latest fill, UTC ms. */
  readonly exitTime: number
  /** The broker's session of the latest fill; null if unknown. */
  readonly tradeDate: string | null
  /** Contracts closed. */
  readonly qty: number
  /** The largest number of contracts held at once. */
  readonly maxPosition: number
  readonly pairCount: number
  /** Price of the first fill; the sums below are relative to it, so they stay small and exact. */
  readonly basePrice: Ticks
  /** Sum over the closed contracts of entry price less base price, in ticks. */
  readonly entrySum: number
  /** Sum over the closed contracts of exit price less base price, in ticks. */
  readonly exitSum: number
  readonly grossPnl: Amount
  readonly commission: Amount
  /** Fees in currencies other than the contract's; in no sum. */
  readonly otherFees: CurrencyAmounts
  readonly netPnl: Amount
  /** Null until the first pair closes. */
  readonly feeSource: FeeSource | null
  readonly warnings: readonly TradeWarning[]
  /** Missing contracts if `incomplete`, 0 if their number is unknown; otherwise null. */
  readonly missing: number | null
}
