import { compareText } from '#shared/base/compare-text.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { KnownPosition, MissingFill } from '#shared/pnl/known-position.ts'
import type { BalanceReading, CashReading, PairReading, Reading, RowLocation, TradingDays } from './reading.ts'

/** A reading with its account; prices are in ticks of the assembly's contract spec. */
export type Placed<R extends Reading> = Omit<R, 'account'> & { readonly account: AccountKey }

/** A fill with what files add to it. */
export type ImportedFill = Fill & {
  readonly orderId: string | null
  /** The broker's session, `YYYY-MM-DD`; null if no file has it. */
  readonly tradeDate: string | null
  /** The earliest time it may have filled, UTC ms: when its order was placed if only the order is known; otherwise its time. */
  readonly since: number
  /** Set if only another computer's files have it. That computer has compared it with the rest of them, so here it is compared with this computer's own fills alone. */
  readonly mirrored?: true
}

/** A fill's change of the position. */
export const signedQty = ({ side, qty }: ImportedFill): number => (side === 'buy' ? qty : -qty)

/** A fill by its id, with the time (UTC ms) that a better source has for it, in another second than its own file. */
export type RetimedFill = { readonly account: AccountKey; readonly id: string; readonly time: number }

/** An account's balance at the end of a session; a contradicted one proves nothing. */
export type Balance = Placed<BalanceReading> & { readonly contradicted: boolean }

/** Trading days (inclusive) on which an account's data is missing or uncertain; null is unbounded. */
export type DoubtfulDays = TradingDays & { readonly account: AccountKey; readonly reason: 'row-refused' | 'contradicting-rows' | 'counted-twice' | 'fees-uncertain' | 'fees-uneven' }

/** Facts in which rows of one record may differ. */
export const factNames = ['fill-id', 'contract', 'side', 'quantity', 'price', 'time', 'placed-time', 'fill-time', 'pnl', 'buy-price', 'sell-price', 'bought-time', 'sold-time', 'date', 'total', 'realized'] as const
export type FactName = (typeof factNames)[number]

/** A record that rows contradict: its broker id or session, the facts that differ, and the rows. */
export type RowConflict = { readonly what: 'fill' | 'order' | 'pair' | 'cash' | 'balance'; readonly id: string; readonly differs: readonly FactName[]; readonly at: readonly RowLocation[] }

/** The point value by a file's own pairs, how many agree, and Fillbook's own; decimals in the contract's currency. */
export type DifferingValue = { readonly contract: string; readonly file: string; readonly table: string; readonly pairs: number }

/** What a trader must know about an import; each once, with its count. */
export type ImportWarning =
  | { readonly code: 'account-unnamed'; readonly account: string; readonly rows: number }
  | { readonly code: 'unknown-contract' | 'value-unclear' | 'value-from-trades' | 'partial-root' | 'commission-unknown'; readonly contracts: readonly string[] }
  | { readonly code: 'value-differs'; readonly values: readonly DifferingValue[] }
  /** The first rows of these fills, `of` so many: a fill pair's row has two fills. */
  | { readonly code: 'commission-from-table'; readonly fills: number; readonly at: readonly RowLocation[]; readonly of: number }
  /** The first rows concerned, `of` so many: fees of one fill differ in several. */
  | { readonly code: 'fees-unplaced' | 'fees-differ' | 'order-contradicts'; readonly rows: number; readonly at: readonly RowLocation[]; readonly of: number }
  /** The first conflicts. */
  | { readonly code: 'contradicting-rows'; readonly rows: number; readonly conflicts: readonly RowConflict[] }
  /** `shift`: all times of files were this many minutes before the same fills elsewhere and were moved; `fits` is the zone or UTC offset in which they agree. Otherwise `at` are the first rows. */
  | { readonly code: 'zone-mismatch'; readonly rows: number; readonly at: readonly RowLocation[]; readonly shift: { readonly files: readonly string[]; readonly minutes: number; readonly fits: string } | null }
  /** Files that name no account; their fills match this account's rows. */
  | { readonly code: 'account-by-rows'; readonly account: string; readonly files: readonly string[] }
  | { readonly code: 'beside-broker'; readonly account: string; readonly rows: number }
  /** Files that cover the same time of this account, each with rows that another lacks; `rows` is the most that one of them has alone. */
  | { readonly code: 'files-apart'; readonly account: string; readonly rows: number; readonly files: readonly string[] }
  /** Rows that two of the files have of this account, one with day and month the other way round. */
  | { readonly code: 'dates-turned'; readonly account: string; readonly rows: number; readonly files: readonly string[] }
  /** Names that differ in case, spaces, or punctuation alone: most likely one account. */
  | { readonly code: 'accounts-spelled'; readonly accounts: readonly string[] }
  /** Two accounts have the same fills: one account under two names. */
  | { readonly code: 'accounts-alike'; readonly accounts: readonly string[]; readonly rows: number }
  /** Accounts with the same broker number: one account under two names, or a file names the wrong one. */
  | { readonly code: 'accounts-one-number'; readonly accounts: readonly string[]; readonly number: string }
  /** Files that the user assigned to one account and that cannot be of one. */
  | { readonly code: 'accounts-mixed'; readonly account: string; readonly files: readonly string[] }
  /** Files that the user assigned to another account; their fills are known in this one by id and count there. */
  | { readonly code: 'account-overruled'; readonly account: string; readonly files: readonly string[] }
  /** Trading days, the first of them, between others of an account whose platform exports one day per file; `of` so many. */
  | { readonly code: 'days-without-file'; readonly account: string; readonly days: readonly string[]; readonly of: number }
  /** Files of unknown accounts that cannot be one account. */
  | { readonly code: 'accounts-apart'; readonly files: readonly string[] }

/** The combined content of all files, from which one engine derives the trades. */
export type Assembly = {
  /** Each once, in matching order. */
  readonly fills: readonly ImportedFill[]
  /** Of every contract in any fill or pair. */
  readonly specs: ReadonlyMap<string, ContractSpec>
  /** The broker's own, each once. */
  readonly pairs: readonly Placed<PairReading>[]
  readonly cash: readonly Placed<CashReading>[]
  readonly balances: readonly Balance[]
  /** Net positions that files state, in the order of account, contract and time. */
  readonly positions: readonly KnownPosition[]
  /** Days whose figures depend on rejected or contradicting rows. */
  readonly doubtful: readonly DoubtfulDays[]
  /** Fills known only from a rejected row. */
  readonly missing: readonly MissingFill[]
  /** Fills of platforms that another source has a second before or after. */
  readonly retimed: readonly RetimedFill[]
  /** The names of all accounts by their keys. */
  readonly accounts: ReadonlyMap<AccountKey, string>
  readonly warnings: readonly ImportWarning[]
}

/** The matching order; total, even for duplicate ids. */
export const compareImported = (one: Fill, other: Fill): number =>
  compareFills(one, other) || compareText(one.account, other.account) || compareText(one.contract, other.contract) || compareText(one.side, other.side)

/** A composite key; its parts cannot run into each other. */
export const keyOf = (...parts: readonly (string | number)[]): string => parts.join('\n')
