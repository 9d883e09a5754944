import type { AccountKey } from '#shared/fills/fill.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { DoubtfulDays } from '#shared/imports/assembly.ts'
import type { ChainBreak } from './cash-chain.ts'
import type { DayDoubt } from './closed-pair.ts'
import type { PairCheck } from './pair-checks.ts'

/** Gross, fees and net of a day; the net is what remains of the gross. */
export type DayFigures = { readonly gross: Amount; readonly fees: Amount; readonly net: Amount }

/**
 * Why a day cannot be checked: a trade of it is in doubt; a contract of a fill costs more or less than of the others; a row of a file was refused, or rows contradict each other; rows of the Cash History are missing; the broker's net is in no
 * file, only for a part of the session, or not yet, since the session was not settled when it was read; its files contradict each other; no file has fills of that day; the broker's figures are in another currency, or
 * in one for several; a fee is in a currency of which only the broker's number is known; a row of cash is of a type that nobody knows; or the balance moved by more than all terms.
 */
export type UncheckedReason =
  | DayDoubt | DoubtfulDays['reason']
  | 'unknown-currency' | 'broken-chain' | 'unknown-movement' | 'unexplained-balance'
  | 'no-broker-figures' | 'cash-cut-off' | 'not-settled' | 'contradicting-balances' | 'no-fills' | 'several-currencies' | 'other-currency'

/** The fees of one contract on either side, put on the session of their fills; the broker's are null where no file has them, the contract where it is not known. */
export type ContractFees = { readonly contract: string | null; readonly fillbook: Amount; readonly broker: Amount | null }

/** All rows of one type in a day's cash. `transfer` is money that goes in or out or is no trade's, `other` a type that Fillbook does not know. */
export type DayMovement = { readonly of: 'pair' | 'fee' | 'transfer' | 'other'; /** The broker's own name; null where a reading does not have it. */ readonly name: string | null; readonly amount: Amount; readonly rows: number }

/**
 * A part of what Fillbook's net is apart from the broker's: Fillbook's figure less the broker's. `openings` are fees that
 * the broker charged in the session of an opening, and that Fillbook counts in another, that of its closing: they are no part of the difference.
 */
export type DayTerm = { readonly of: 'gross' | 'fees' | 'other' | 'openings'; readonly name: string | null; readonly amount: Amount }

/** One account, trading day and currency, Fillbook's figures beside the broker's. */
export type DayCheck = {
  readonly account: AccountKey
  readonly tradingDay: string
  /** Null where neither fills nor cash name it. */
  readonly currency: Currency | null
  readonly fillbook: DayFigures
  /** The broker's own, each null where no file has it. `net` is gross less fees and whatever else the broker booked but transfers, on the session on which it did. */
  readonly broker: { readonly gross: Amount | null; readonly fees: Amount | null; readonly net: Amount | null; readonly netFrom: 'balance' | 'cash' | null }
  /** What the account held before the first and behind the last row of the day's cash; null where the Cash History does not have it. */
  readonly balance: { readonly start: Amount; readonly end: Amount } | null
  /** Every row of the day's cash, by its name: start and these make the end. */
  readonly movements: readonly DayMovement[]
  /** Fillbook's net less the broker's but for the fees of openings that either counts in another session, null where one of the nets is not known. */
  readonly difference: Amount | null
  readonly state: 'equal' | 'differs' | 'unchecked'
  /** Where it is unchecked; a difference that is known all the same stands beside it. */
  readonly reason: UncheckedReason | null
  /** Where the balance does not follow from row to row. */
  readonly broken: ChainBreak | null
  /** By how much the account's total moved beyond all that is known, since the total before; null where that is nothing or not known. */
  readonly unexplained: Amount | null
  /** What makes the nets differ: the difference, and the fees of openings. */
  readonly terms: readonly DayTerm[]
  readonly pairs: readonly PairCheck[]
  readonly fees: readonly ContractFees[]
}

/** A fee that Fillbook counts on the session of its fill; a cost is positive. */
export type BookedFee = { readonly account: AccountKey; readonly tradingDay: string; readonly currency: Currency; readonly contract: string; readonly fee: Amount }
