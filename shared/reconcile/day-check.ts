import type { AccountKey } from '#shared/fills/fill.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { DoubtfulDays } from '#shared/imports/assembly.ts'
import type { ChainBreak } from './cash-chain.ts'
import type { DayDoubt } from './closed-pair.ts'
import type { PairCheck } from './pair-checks.ts'

/** Gross, fees and net of a day; the net is what remains of the gross. */
export type DayFigures = { readonly gross: Amount; readonly fees: Amount; readonly net: Amount }

/**
 * Why a day cannot be checked: one of its trades is in doubt; a fill's cost per contract is uneven; a file's row was rejected, or rows contradict each
 * other; Cash History rows are missing; the broker's net is in no file, covers only part of the session, or is not settled yet; its files contradict
 * each other; no file has fills of the day; the broker's figures are in another currency, or in one for several; a fee's currency is known only by
 * the broker's number; a cash row's type is unknown; or the balance moved by more than all terms.
 */
export type UncheckedReason =
  | DayDoubt | DoubtfulDays['reason']
  | 'unknown-currency' | 'broken-chain' | 'unknown-movement' | 'unexplained-balance'
  | 'no-broker-figures' | 'cash-cut-off' | 'not-settled' | 'contradicting-balances' | 'no-fills' | 'several-currencies' | 'other-currency'

/** One contract's fees on both sides, by the session of their fills; the broker's are null if no file has them, the contract if unknown. */
export type ContractFees = { readonly contract: string | null; readonly fillbook: Amount; readonly broker: Amount | null }

/** All rows of one type in a day's cash. `transfer`: deposits, withdrawals, and other bookings outside of trading; `other`: an unknown type. */
export type DayMovement = {
  readonly of: 'pair' | 'fee' | 'transfer' | 'other'
  /** The broker's name; null if a reading has none. */
  readonly name: string | null
  readonly amount: Amount
  readonly rows: number
}

/**
 * One term of the difference between Fillbook's net and the broker's: Fillbook's figure less the broker's. `openings` are opening fees that the broker
 * charged in their own session and Fillbook counts in that of the close: not part of the difference.
 */
export type DayTerm = { readonly of: 'gross' | 'fees' | 'other' | 'openings'; readonly name: string | null; readonly amount: Amount }

/** One account, trading day, and currency: Fillbook's figures and the broker's. */
export type DayCheck = {
  readonly account: AccountKey
  readonly tradingDay: string
  /** Null if neither fills nor cash name it. */
  readonly currency: Currency | null
  readonly fillbook: DayFigures
  /** The broker's, each null if no file has it; `trades`: the P&L and fees that a platform states of each closed trade of the day, `fills`: those that the broker states of each fill. `net` is gross less fees and all other bookings except transfers, by booking session. */
  readonly broker: { readonly gross: Amount | null; readonly fees: Amount | null; readonly net: Amount | null; readonly netFrom: 'balance' | 'cash' | 'fills' | 'trades' | null }
  /** The balance before the first and after the last cash row of the day; null if not in the Cash History. */
  readonly balance: { readonly start: Amount; readonly end: Amount } | null
  /** All cash of the day by name: start plus these is end. */
  readonly movements: readonly DayMovement[]
  /** Fillbook's net less the broker's, except opening fees counted in another session; null if either net is unknown. */
  readonly difference: Amount | null
  readonly state: 'equal' | 'differs' | 'unchecked'
  /** Why it is unchecked; a known difference is kept all the same. */
  readonly reason: UncheckedReason | null
  /** Where the balance chain breaks. */
  readonly broken: ChainBreak | null
  /** The unexplained change since the previous balance; null if none or unknown. */
  readonly unexplained: Amount | null
  /** The terms of the difference, and the opening fees. */
  readonly terms: readonly DayTerm[]
  readonly pairs: readonly PairCheck[]
  readonly fees: readonly ContractFees[]
}

/** A fee, counted in the session of its fill; a cost is positive. */
export type BookedFee = { readonly account: AccountKey; readonly tradingDay: string; readonly currency: Currency; readonly contract: string; readonly fee: Amount }
