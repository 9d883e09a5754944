import type { Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount } from '#shared/money/money.ts'

export type Direction = 'long' | 'short'

/** Who told what a fill cost: the broker's API, an exported file, the user's own rate, or Fillbook's table. */
export type FillFeeSource = 'broker' | 'file' | 'setting' | 'table'

/** Who told what a trade cost; mixed where its fills' fees come from different places. */
export type FeeSource = FillFeeSource | 'mixed'

/**
 * What a trader must know before trusting a trade's figures: its contract is in no table; its code is only a part of
 * the name; its commission is unknown (taken as 0); it rests on a position that disagrees with the broker's, or on a
 * missing fill (`incomplete`); a price of it is only an order's average (`approximate`); or fills share a moment and
 * another order would give other trades (`ambiguous-order`).
 */
export type TradeWarning = 'unknown-contract' | 'partial-root' | 'unknown-commission' | 'incomplete' | 'approximate' | 'ambiguous-order'

/** A quantity that one fill opened and another closed: the trade of the journal. Its id is `pairIdOf`. */
export type Pair = {
  /** The trip, flat to flat, that the pair belongs to. */
  readonly tripId: string
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
  /** Rounded to cents as the broker rounds it (`spec.rounding`). */
  readonly grossPnl: Amount
  /** Both sides' fees; a cost is positive. */
  readonly commission: Amount
  /** Both sides' fees in other currencies than the contract's: no sum has them in it. Missing where there are none, as in nearly all. */
  readonly otherFees?: CurrencyAmounts
  /** Gross less commission. */
  readonly netPnl: Amount
  readonly feeSource: FeeSource
  /** The files or reports that had the last word on a fee of its fills, where another source told these; missing where none did. */
  readonly feeFrom?: readonly string[]
  readonly warnings: readonly TradeWarning[]
  /** Contracts that are missing where it is `incomplete`, 0 where their number is not known; else null. */
  readonly missing: number | null
}

/** A pair is long where its opening fill bought. */
export const directionOf = (pair: Pair): Direction => (pair.opening.side === 'buy' ? 'long' : 'short')

/** `account/opening fill/closing fill`: the same fills always give the same id, and no two pairs share one. */
export const pairIdOf = ({ opening, closing }: Pair): string => `${opening.account}/${opening.id}/${closing.id}`
