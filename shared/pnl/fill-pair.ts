import type { Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount } from '#shared/money/money.ts'

export type Direction = 'long' | 'short'

/** The source of a fill's fee: the broker's API, an exported file, the user's own rate, or Fillbook's table. */
export type FillFeeSource = 'broker' | 'file' | 'setting' | 'table'

/** The source of a trade's fees; `mixed` if its fills' sources differ. */
export type FeeSource = FillFeeSource | 'mixed'

/**
 * What a trader must know before trusting a trade's figures: its contract is in no table; its code is only part of the name; its commission is
 * unknown (taken as 0); its position disagrees with the broker's or a fill is missing (`incomplete`); one of its prices is an order's average
 * (`approximate`); or fills share a timestamp and another order would give other trades (`ambiguous-order`).
 */
export type TradeWarning = 'unknown-contract' | 'partial-root' | 'unknown-commission' | 'incomplete' | 'approximate' | 'ambiguous-order'

/** A fill pair: a quantity that one fill opened and another closed. Its id is `pairIdOf`. */
export type FillPair = {
  /** The trade (flat to flat) that the pair belongs to. */
  readonly tradeId: string
  /** Local date of the batch, which is that of the closing fill, `YYYY-MM-DD`. */
  readonly date: string
  /** Holds account, contract, entry time and entry price. */
  readonly opening: Fill
  /** Holds exit time and exit price. */
  readonly closing: Fill
  /** Holds currency, tick size and where the point value came from. */
  readonly spec: ContractSpec
  /** Contracts closed, at most the smaller of the two fills. */
  readonly qty: number
  /** Rounded to cents like the broker does (`spec.rounding`). */
  readonly grossPnl: Amount
  /** Both sides' fees; a cost is positive. */
  readonly commission: Amount
  /** Both sides' fees in currencies other than the contract's; in no sum. Missing if none, as nearly always. */
  readonly otherFees?: CurrencyAmounts
  /** Gross less commission. */
  readonly netPnl: Amount
  readonly feeSource: FeeSource
  /** The files or reports whose fee overrides another source's for its fills; missing if none. */
  readonly feeFrom?: readonly string[]
  readonly warnings: readonly TradeWarning[]
  /** Missing contracts if `incomplete`, 0 if their number is unknown; otherwise null. */
  readonly missing: number | null
}

/** A pair is long where its opening fill bought. */
export const directionOf = (pair: FillPair): Direction => (pair.opening.side === 'buy' ? 'long' : 'short')

/** `account/opening fill/closing fill`: the same fills always give the same id, and no two pairs share one. */
export const pairIdOf = ({ opening, closing }: FillPair): string => `${opening.account}/${opening.id}/${closing.id}`
