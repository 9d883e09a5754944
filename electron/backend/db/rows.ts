import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import type { accounts, logins } from './schema/brokerage.ts'
import type { oauthStates, profiles, sessions } from './schema/people.ts'

/** Real-money accounts, or simulated ones. */
export type Environment = 'live' | 'demo'

/** A profile. Hashes hold their own salt and parameters. Times are UTC ms. */
export type Profile = Readonly<typeof profiles.$inferSelect>

/** A profile as it is made on this computer alone. */
export type NewProfile = Omit<Profile, 'lastSignInAt' | 'firebaseUid' | 'firebaseUser'>

/** A browser's session; `userId` is null until somebody signs in, and where the identity provider ended the sign-in. Times are UTC ms. */
export type Session = Readonly<typeof sessions.$inferSelect>

/** A consent that is under way. */
export type OauthState = Readonly<typeof oauthStates.$inferSelect>

/** One user of the broker whose consent was given. Tokens are elsewhere, under `id`. Times are UTC ms. */
export type Login = Readonly<typeof logins.$inferSelect>

/** A connected account as sync plans with it. */
export type SyncAccount = Readonly<Pick<typeof accounts.$inferSelect, 'key' | 'loginId' | 'environment' | 'brokerAccountId' | 'name' | 'removedAt' | 'lastSyncAt'>>

/** A connected account as the journal knows it; how its syncing stands is worked out from the last three. */
export type KeptAccount = Omit<ConnectedAccount, 'sync'> & {
  /** End of the last run that read it to the end, ISO 8601. */
  readonly lastGoodAt: string | null
  /** Null for an account that came from the cloud and was never connected on this computer. */
  readonly watchedSince: string | null
  /** Null where its login is gone, or was never on this computer. */
  readonly loginStatus: 'ok' | 'expired' | null
}

/** An account of the broker, as a sync hands it over. */
export type AccountRow = {
  readonly key: AccountKey
  readonly environment: Environment
  readonly brokerAccountId: string
  readonly name: string
}

/** How the fills of an account were read in one run. */
export type AccountRead = {
  readonly account: AccountKey
  /** When they were asked for, UTC ms; null where the broker's session changed meanwhile. */
  readonly at: number | null
  /** Whether every fill that is known of the session came, none was refused, and the broker's books count no other. */
  readonly whole: boolean
  /** Whether the session was over and its fees were read. */
  readonly settled: boolean
}

/** The cash of an account. `time` is UTC ms, `amount` in 1/10,000 of `currency`. */
export type BalanceRow = { readonly account: AccountKey; readonly amount: Amount; readonly currency: Currency; readonly time: number; /** What was realized in the session of `tradeDate`, fees aside; null where the broker does not say. */ readonly realizedPnl?: Amount | null; readonly tradeDate?: string }

/** A contract of the broker with its figures, as the store keeps it. */
export type ContractRow = { readonly environment: Environment; readonly brokerContractId: string; readonly spec: ContractSpec }

/** A fill on its way into the journal. Its price is in ticks of the spec handed over with it, else of the contract table's. */
export type TakenFill = Fill & {
  readonly orderId: string | number | null
  /** The broker's contract id. */
  readonly contractId: string | number | null
  /** The session that the broker counts it to, `YYYY-MM-DD`. */
  readonly tradeDate: string | null
}

/** Rows that came, changed or went. */
export type Changes = { readonly added: number; readonly changed: number; readonly removed: number }

/** What `takeFills` did; every count is of rows. */
export type Taken = {
  readonly fills: { readonly added: number; readonly changed: number; readonly unchanged: number; /** Of accounts that the user removed. */ readonly skipped: number }
  /** Batches derived again. */
  readonly batches: number
  readonly pairs: Changes
  readonly trips: Changes
  readonly outbox: number
}

/** Sums of one currency, in 1/10,000 of it. */
export type MoneyTotals = { readonly currency: Currency; readonly grossPnl: Amount; readonly commission: Amount; readonly netPnl: Amount }

/** What a profile's journal holds; pairs and money count derived and entered trades. */
export type JournalTotals = {
  readonly accounts: number
  readonly fills: number
  readonly pairs: number
  readonly trips: number
  readonly money: readonly MoneyTotals[]
  readonly byTradingDay: readonly (MoneyTotals & { readonly account: string; readonly tradingDay: string })[]
}

/** What helps to find a fault without telling whose journal it is, over all profiles. */
export type SupportFacts = {
  readonly schemaVersion: number
  /** How many rows each table has. */
  readonly rows: Readonly<Record<string, number>>
  /** How many runs of a sync ended how. */
  readonly runs: readonly { readonly outcome: string; readonly runs: number }[]
  /** Names, ids and addresses of people, accounts and logins: for taking them out of what is handed on, never for showing. */
  readonly personal: readonly string[]
}

/** Whose journal. */
export type OfUser = { readonly userId: string }

/** The moment of the call, UTC ms: the store reads no clock. */
export type At = { readonly at: number }
