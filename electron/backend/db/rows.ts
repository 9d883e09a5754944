import type { Environment } from '#shared/sync/plan.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import type { accounts, logins } from './schema/brokerage.ts'
import type { oauthStates, profiles, sessions } from './schema/people.ts'

/** A profile. Hashes contain their salt and parameters. Times are UTC ms. */
export type Profile = Readonly<typeof profiles.$inferSelect>

/** A new profile that exists only on this computer. */
export type NewProfile = Omit<Profile, 'lastSignInAt' | 'firebaseUid' | 'firebaseUser'>

/** A browser's session; `userId` is null until a sign-in, and after the identity provider ended it. Times are UTC ms. */
export type Session = Readonly<typeof sessions.$inferSelect>

/** A pending consent. */
export type OauthState = Readonly<typeof oauthStates.$inferSelect>

/** A broker user who has consented. Tokens are stored separately, under `id`. Times are UTC ms. */
export type Login = Readonly<typeof logins.$inferSelect>

/** A connected account as sync planning needs it. */
export type SyncAccount = Readonly<Pick<typeof accounts.$inferSelect, 'key' | 'loginId' | 'environment' | 'brokerAccountId' | 'name' | 'removedAt' | 'lastSyncAt'>>

/** A connected account as stored in the journal; its sync state is computed from the last three fields. */
export type StoredAccount = Omit<ConnectedAccount, 'sync'> & {
  /** End of the last run that read it completely, ISO 8601. */
  readonly lastGoodAt: string | null
  /** Null for an account that came from the cloud and was never connected on this computer. */
  readonly watchedSince: string | null
  /** Null if its login is gone, or was never on this computer. */
  readonly loginStatus: 'ok' | 'expired' | null
}

/** A broker's account, as a sync saves it. */
export type AccountRow = {
  readonly key: AccountKey
  readonly environment: Environment
  readonly brokerAccountId: string
  readonly name: string
}

/** How completely one run read an account's fills. */
export type AccountRead = {
  readonly account: AccountKey
  /** When they were requested, UTC ms; null if the broker's session changed meanwhile. */
  readonly at: number | null
  /** Whether every known fill of the session arrived, none was rejected, and the broker's books count no other. */
  readonly whole: boolean
  /** Whether the session was over and its fees were read. */
  readonly settled: boolean
}

/** An account's cash. `time` is UTC ms, `amount` in 1/10,000 of `currency`. */
export type BalanceRow = {
  readonly account: AccountKey
  readonly amount: Amount
  readonly currency: Currency
  readonly time: number
  /** The realized P&L of the session of `tradeDate`, before fees; null if the broker does not state it. */
  readonly realizedPnl?: Amount | null
  readonly tradeDate?: string
}

/** A broker's contract with its figures, as stored. */
export type ContractRow = { readonly environment: Environment; readonly brokerContractId: string; readonly spec: ContractSpec }

/** A fill to be saved in the journal. Its price is in ticks of the given spec, else of the contract table's. */
export type NewFill = Fill & {
  readonly orderId: string | number | null
  /** The broker's contract id. */
  readonly contractId: string | number | null
  /** The broker's session of the fill, `YYYY-MM-DD`. */
  readonly tradeDate: string | null
}

/** Counts of rows added, changed or removed. */
export type Changes = { readonly added: number; readonly changed: number; readonly removed: number }

/** The result of `saveFills`; all counts are of rows. */
export type SaveCounts = {
  readonly fills: {
    readonly added: number
    readonly changed: number
    readonly unchanged: number
    /** Of accounts that the user removed. */
    readonly skipped: number
  }
  /** Batches derived again. */
  readonly batches: number
  readonly pairs: Changes
  readonly trades: Changes
  readonly outbox: number
}

/** What recomputing fills changed. */
export type Settled = {
  readonly fills: Changes
  readonly pairs: Changes
  readonly trades: Changes
  /** Fills whose price is on no tick of the broker's tick size: they are left out. */
  readonly offTick: number
}

/** Sums of one currency, in 1/10,000 of it. */
export type MoneyTotals = { readonly currency: Currency; readonly grossPnl: Amount; readonly commission: Amount; readonly netPnl: Amount }

/** The contents of a profile's journal; pairs and money count derived and entered trades. */
export type JournalTotals = {
  readonly accounts: number
  readonly fills: number
  readonly pairs: number
  readonly trades: number
  readonly money: readonly MoneyTotals[]
  readonly byTradingDay: readonly (MoneyTotals & { readonly account: string; readonly tradingDay: string })[]
}

/** Facts for finding a fault over all profiles, without revealing whose journal it is. */
export type SupportFacts = {
  readonly schemaVersion: number
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** The number of sync runs by outcome. */
  readonly runs: readonly { readonly outcome: string; readonly runs: number }[]
  /** Names, ids and addresses of people, accounts and logins: used to redact what leaves the computer, never shown. */
  readonly personal: readonly string[]
}

/** The user of a call. */
export type OfUser = { readonly userId: string }

/** The time of the call, UTC ms: the store reads no clock. */
export type At = { readonly at: number }
