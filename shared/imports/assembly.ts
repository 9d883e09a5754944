import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { KnownPosition, MissingFill } from '#shared/pnl/known-position.ts'
import type { DifferingValue } from './contracts.ts'
import type { ToldApart } from './distinct.ts'
import type { BalanceReading, CashReading, PairReading, Reading, RowPlace, TradingDays } from './reading.ts'

/** A reading whose account is settled; prices are in ticks of the assembly's spec of the contract. */
export type Placed<R extends Reading> = Omit<R, 'account'> & { readonly account: AccountKey }

/** A fill, and what files told of it besides. */
export type ImportedFill = Fill & {
  readonly orderId: string | null
  /** The session that the broker books it on, `YYYY-MM-DD`; null where no file told it. */
  readonly tradeDate: string | null
  /** From when on it may have been filled, UTC ms: where only its order is known, when that was placed; else its time. */
  readonly since: number
}

/** The balance of an account at the end of a session; files that tell different ones prove nothing. */
export type Balance = Placed<BalanceReading> & { readonly contradicted: boolean }

/** Trading days of an account of which something is missing or sure only in part, both included; null where there is no bound. */
export type DoubtfulDays = TradingDays & { readonly account: AccountKey; readonly reason: 'row-refused' | 'contradicting-rows' | 'counted-twice' | 'fees-uncertain' | 'fees-uneven' }

/** What a trader must know of an import; each stands once, with how often it was met. */
export type ImportWarning =
  | { readonly code: 'account-unnamed'; readonly account: string; readonly rows: number }
  | { readonly code: 'unknown-contract' | 'value-unclear' | 'partial-root' | 'commission-unknown'; readonly contracts: readonly string[] }
  | { readonly code: 'value-differs'; readonly values: readonly DifferingValue[] }
  /** The first of the rows that tell of these fills. */
  | { readonly code: 'commission-from-table'; readonly fills: number; readonly at: readonly RowPlace[] }
  /** The first of the rows that are meant. */
  | { readonly code: 'fees-unplaced' | 'fees-differ' | 'order-contradicts'; readonly rows: number; readonly at: readonly RowPlace[] }
  /** The first of what is told differently. */
  | { readonly code: 'contradicting-rows'; readonly rows: number; readonly told: readonly ToldApart[] }
  /** `shift` where all times of files lay so many minutes before those of the same fills elsewhere, and were moved; `fits` is the zone, or the offset from UTC, in which they do not. Else `at` are the first of the rows. */
  | { readonly code: 'zone-mismatch'; readonly rows: number; readonly at: readonly RowPlace[]; readonly shift: { readonly files: readonly string[]; readonly minutes: number; readonly fits: string } | null }
  /** Files that name no account: their fills are those of this one, by what its rows say. */
  | { readonly code: 'account-by-rows'; readonly account: string; readonly files: readonly string[] }
  /** Two accounts have the same fills: one account under two names. */
  | { readonly code: 'accounts-alike'; readonly accounts: readonly string[]; readonly rows: number }
  /** Accounts with one number of the broker's: one under two names, or a file names the wrong one. */
  | { readonly code: 'accounts-one-number'; readonly accounts: readonly string[]; readonly number: string }
  /** Files that were said to be of one account, and cannot be. */
  | { readonly code: 'accounts-mixed'; readonly account: string; readonly files: readonly string[] }
  /** Files that were said to be of another account; their fills are known in this one by their ids, and count there. */
  | { readonly code: 'account-overruled'; readonly account: string; readonly files: readonly string[] }
  /** Files of which nobody knows the account, and which cannot be of one. */
  | { readonly code: 'accounts-apart'; readonly files: readonly string[] }

/** All that files say, put together so that one engine derives the trades. */
export type Assembly = {
  /** Each once, in the order of matching. */
  readonly fills: readonly ImportedFill[]
  /** Of every contract that any fill or pair names. */
  readonly specs: ReadonlyMap<string, ContractSpec>
  /** The broker's own, each once. */
  readonly pairs: readonly Placed<PairReading>[]
  readonly cash: readonly Placed<CashReading>[]
  readonly balances: readonly Balance[]
  /** Net positions that files state, in the order of account, contract and time. */
  readonly positions: readonly KnownPosition[]
  /** Days whose figures rest on rows that were refused, or that contradict each other. */
  readonly doubtful: readonly DoubtfulDays[]
  /** Fills of which only a refused row tells. */
  readonly missing: readonly MissingFill[]
  /** The names of all accounts by their keys. */
  readonly accounts: ReadonlyMap<AccountKey, string>
  readonly warnings: readonly ImportWarning[]
}

/** The order of matching, settled to the end, so that not even ids used twice leave it open. */
export const compareImported = (one: Fill, other: Fill): number =>
  compareFills(one, other) || compareText(one.account, other.account) || compareText(one.contract, other.contract) || compareText(one.side, other.side)

/** Orders texts by their characters. */
export const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** One text of several that together name something; no part can run into the next. */
export const keyOf = (...parts: readonly (string | number)[]): string => parts.join('\n')
