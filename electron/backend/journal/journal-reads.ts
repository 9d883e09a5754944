import type { SyncGap } from '#shared/api/brokerage.ts'
import type { TradeSort } from '#shared/api/journal.ts'
import type { ReconciledDayProof } from '#shared/api/reconciliation.ts'
import type { BrokerageAccount, Finance, Trade, Trip } from '#shared/api/records.ts'
import type { FilterChoices, Unit } from '#shared/api/statistics.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import type { HeldReads } from '../sync/held-calls.ts'
import type { HistoryReads } from '../sync/history-calls.ts'
import type { IdentityReads } from '../identity/identity-calls.ts'
import type { ImportReads } from '../imports/import-calls.ts'
import type { MirrorReads } from '../mirror/mirror-calls.ts'
import type { OwnDataReads } from '../own-data/own-data-calls.ts'
import type { ReportReads } from '../reports/reports-calls.ts'
import type { RightsReads } from '../plans/rights-calls.ts'
import type { RulesReads } from '../rules/rules-calls.ts'
import type { ContractRow, Environment, JournalTotals, KeptAccount, Login, OauthState, Profile, Session, SupportFacts, SyncAccount } from '../db/rows.ts'

/** Whose journal. */
export type OfUser = { readonly userId: string }

/** Which of its trades. */
export type OfFilter = OfUser & { readonly filter: TradeFilter }

/** What statistics are made of, and by which clock; a zone of null is the profile's. */
export type StatisticsQuery = OfFilter & { readonly unit: Unit; readonly zone: string | null; readonly timedBy: 'entry' | 'exit' }

/** Where a list goes on that is read in parts: behind the row that was closed then (UTC ms) and has this id. */
export type CsvPlace = { readonly exitTime: number; readonly id: string }

/** One window of a sorted, filtered list; ties are told apart by id, so that pages neither repeat nor skip. */
export type PageQuery = OfFilter & { readonly offset: number; readonly limit: number; readonly sort: TradeSort; readonly direction: 'asc' | 'desc' }

/** What can be asked of the journal. Removed rows and accounts never appear. Times in rows of the API are ISO 8601, elsewhere UTC ms. */
export type JournalReads = IdentityReads & MirrorReads & ImportReads & OwnDataReads & HistoryReads & HeldReads & RightsReads & RulesReads & ReportReads & {
  readonly profile: (input: { readonly id: string }) => Profile | null
  readonly profileByEmail: (input: { readonly email: string }) => Profile | null
  /** Of those that somebody can sign in to: neither the demo's nor one that belongs to nobody yet. */
  readonly profileCount: () => number
  /** The ids of all profiles but the demo's. */
  readonly realProfiles: () => string[]
  /** Null where it is unknown or ended before `at`. */
  readonly session: (input: { readonly idHash: string; readonly at: number }) => Session | null
  /** Whether a session that has not expired belongs to this key. */
  readonly knowsKey: (input: { readonly keyHash: string; readonly at: number }) => boolean
  /** The consent that this state began, which stays as it is; null for an unknown one. */
  readonly oauthState: (input: { readonly state: string }) => OauthState | null
  /** The consent that a user began last; null for none. */
  readonly lastOauthState: (input: OfUser) => OauthState | null

  /** The whole answer of the call `getTrades`, as UTF-8 JSON. */
  readonly tradesJson: (input: OfUser) => Uint8Array
  readonly trade: (input: OfUser & { readonly id: string }) => Trade | null
  readonly tradePage: (input: PageQuery) => { total: number; rows: Trade[] }
  readonly tripPage: (input: PageQuery) => { total: number; rows: Trip[] }
  /** The pairs of one trip, oldest exit first. */
  readonly tripPairs: (input: OfUser & { readonly tripId: string }) => { rows: Trade[] }
  /** The whole answer of the call `statistics`, as UTF-8 JSON. */
  readonly statisticsJson: (input: StatisticsQuery) => Uint8Array
  readonly filterChoices: (input: OfUser) => FilterChoices
  /** A part of a CSV file in UTF-8 with a byte-order mark: its head where `after` is null, pairs in the order of their exits, and where the rest goes on, null where there is none. A zone of null is the profile's. */
  readonly tradesCsv: (input: OfFilter & { readonly zone: string | null; readonly after: CsvPlace | null }) => { readonly lines: Uint8Array; readonly next: CsvPlace | null }
  readonly totals: (input: OfUser) => JournalTotals
  /** Over all profiles. */
  readonly supportFacts: () => SupportFacts
  /** Net of the trips of the trading day of `at` (UTC ms) by currency, as `statisticsJson` has it of that day, and the profile's zone. */
  readonly netOfDay: (input: OfUser & { readonly at: number }) => { readonly timeZone: string; readonly net: { readonly currency: Currency; readonly amount: Amount }[] }
  /** The whole answer of the call `reconciliation`, as UTF-8 JSON: trades as they stand against what the broker told. An empty list is all accounts, null no bound. */
  readonly reconciliationJson: (input: OfUser & { readonly from: string | null; readonly to: string | null; readonly accounts: readonly string[] }) => Uint8Array
  /** Null for a day of which neither side tells. */
  readonly reconciledDay: (input: OfUser & { readonly account: string; readonly day: string }) => ReconciledDayProof | null

  readonly finances: (input: OfUser) => Finance[]
  readonly connectedAccounts: (input: OfUser) => KeptAccount[]
  /** Connected accounts with their fills since `fillsSince` (UTC ms), oldest first. */
  readonly brokerageAccounts: (input: OfUser & { readonly fillsSince: number }) => BrokerageAccount[]

  /** Every login of a user, or of all users. */
  readonly logins: (input: { readonly userId?: string }) => Login[]
  /** Accounts of a login, removed ones too, since sync must know what to skip. */
  readonly accountsOfLogin: (input: OfUser & { readonly loginId: string }) => SyncAccount[]
  /** Contracts whose figures the broker told before, of the ids given. */
  readonly knownContracts: (input: OfUser & { readonly environment: Environment; readonly brokerContractIds: readonly string[] }) => ContractRow[]
  /** Newest first. */
  readonly receipts: (input: OfUser & { readonly limit: number }) => SyncReceipt[]
  /** End of the last good run, UTC ms; `isGood` says what that is. */
  readonly lastGoodSyncAt: (input: OfUser) => number | null
  /** When the last run and the last good one of all logins began, UTC ms: the first sync of a new login is neither. */
  readonly lastRuns: (input: OfUser & { /** Runs that began later were told by a clock that has been put back since. */ readonly until: number }) => { readonly attempt: number | null; readonly good: number | null }

  /** Sessions whose end no run of this computer has read, of accounts that it watches, latest first; those that the user closed, and those that the reporting service told of since, are left out. `at` is UTC ms. */
  readonly syncGaps: (input: OfUser & { readonly at: number }) => SyncGap[]
}
