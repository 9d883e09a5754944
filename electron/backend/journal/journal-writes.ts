import type { Finance, NewFinance, NewTrade, Trade, TradeUpdates, AccountFill } from '#shared/api/records.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import type { Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { NotEntered } from '#shared/pnl/entered-trade.ts'
import type { Evidence } from '../fills/keep-evidence.ts'
import type { OfUser } from './journal-reads.ts'
import type { HistoryWrites } from '../sync/history-calls.ts'
import type { IdentityWrites } from '../identity/identity-calls.ts'
import type { ImportWrites } from '../imports/import-calls.ts'
import type { JournalFileWrites } from '../journal-file/journal-file-calls.ts'
import type { MirrorWrites } from '../mirror/mirror-calls.ts'
import type { OwnDataWrites } from '../own-data/own-data-calls.ts'
import type { ReportWrites } from '../reports/reports-calls.ts'
import type { RightsWrites } from '../plans/rights-calls.ts'
import type { RulesWrites } from '../rules/rules-calls.ts'
import type { AccountRead, AccountRow, BalanceRow, ContractRow, Login, NewProfile, OauthState, Profile, Session, Taken, TakenFill } from '../db/rows.ts'

/** The moment of the call, UTC ms: the store reads no clock. */
type At = { readonly at: number }

/** What can be done to the journal. Each call is atomic; `takeFills` is so group by group. */
export type JournalWrites = IdentityWrites & MirrorWrites & ImportWrites & OwnDataWrites & JournalFileWrites & HistoryWrites & RightsWrites & RulesWrites & ReportWrites & {
  /** Without an e-mail it belongs to nobody yet: the first who signs up takes it over, under its id and with its zone. */
  readonly createProfile: (input: NewProfile) => Result<Profile, 'email-taken'>
  /** Creates a profile where there is none of its id, and gives the one that stands. */
  readonly ensureProfile: (input: NewProfile) => Profile
  /** Changes what is given; throws `not-found` for an unknown profile. */
  readonly updateProfile: (input: { readonly id: string } & Partial<Pick<Profile, 'displayName' | 'passwordHash' | 'recoveryHash' | 'lastSignInAt'>>) => void
  /** Creates a session or replaces what is known of it. */
  readonly saveSession: (input: Session) => void
  /** False where the session ended meanwhile: it stays ended. */
  readonly prolongSession: (input: Pick<Session, 'idHash' | 'expiresAt'>) => boolean
  /** Gives a session the key with this hash. */
  readonly giveKey: (input: { readonly idHash: string; readonly keyHash: string }) => void
  readonly endSession: (input: { readonly idHash: string }) => void
  /** Ends every session of a user but one. */
  readonly endSessionsOf: (input: OfUser) => void
  readonly forgetExpired: (input: At & { readonly oauthStatesBefore: number }) => void

  readonly saveOauthState: (input: OauthState) => void
  /** Takes a state out: a second call with the same state finds null. */
  readonly takeOauthState: (input: { readonly state: string }) => OauthState | null

  readonly saveLogin: (input: OfUser & At & { readonly id: string; readonly brokerUserId: string; readonly name: string; readonly hosts: string | null }) => Login
  readonly setLoginStatus: (input: OfUser & At & { readonly loginId: string; readonly status: 'ok' | 'expired'; readonly lastError: string | null }) => void
  /** Forgets a login that has no account left. */
  /** Removes a login without accounts; false, and nothing done, where it has some. */
  readonly removeLogin: (input: OfUser & { readonly loginId: string }) => boolean

  /** Adds accounts with their finance of type Account, or renames known ones. With `reconnect` an account that the user removed comes back, with its trades, label and notes; without, it stays away. */
  readonly saveAccounts: (input: OfUser & At & { readonly loginId: string; readonly accounts: readonly AccountRow[]; readonly reconnect: boolean }) => { added: AccountKey[]; returned: AccountKey[]; skipped: AccountKey[] }
  /** Keeps balances that are newer than the known ones; counts those that changed. */
  readonly saveBalances: (input: OfUser & At & { readonly balances: readonly BalanceRow[] }) => number
  /** Takes an account, its finance and its trades out of every view until it is connected again. Null where it is unknown. */
  readonly removeAccount: (input: OfUser & At & { readonly account: AccountKey }) => { loginId: string; loginHasAccounts: boolean } | null

  /** Keeps contracts for later runs; where figures changed, derives again what they touch. */
  readonly saveContracts: (input: OfUser & At & { readonly contracts: readonly ContractRow[] }) => Taken
  /**
   * Merges fills by id, derives again exactly the batches (account, contract, local date) that gained or changed one,
   * and queues what changed: atomically, in groups of whole batches of at most about 5,000 fills. The zone is the profile's.
   */
  readonly takeFills: (input: OfUser & At & { readonly fills: readonly TakenFill[]; readonly specs: readonly ContractSpec[] }) => Promise<Taken>
  /** Keeps what the broker or imports know of an account's positions, and matches again what that puts in doubt or out of it. */
  readonly keepEvidence: (input: Evidence) => void
  /** One fill of the spec's call; `refused` where its price or account can't be read. */
  readonly addFill: (input: OfUser & At & { readonly fill: AccountFill }) => Promise<Result<Taken, 'not-found' | 'off-tick'>>

  readonly addTrade: (input: OfUser & At & { readonly trade: NewTrade }) => Result<Trade, 'id-taken' | NotEntered>
  /** On a synced trade only the user's fields can change, otherwise `read-only-field`. */
  readonly updateTrade: (input: OfUser & At & { readonly id: string; readonly updates: TradeUpdates }) => Result<Trade, 'not-found' | 'read-only-field' | NotEntered>
  /** The trade stays removed when it is derived again. */
  readonly removeTrade: (input: OfUser & At & { readonly id: string }) => boolean
  /** Takes a removal back: the trade counts again, with what was said of it. False where there is no such trade. */
  readonly restoreTrade: (input: OfUser & At & { readonly id: string }) => boolean
  /** A connected account is removed as by `removeAccount`; of another account each trade is. */
  readonly removeTradesOfAccount: (input: OfUser & At & { readonly accountId: string }) => void

  /** Adds or updates; a connected account keeps its label where the update says only `Account`. Where its firm changed, `deriveStale` has to follow. */
  readonly addFinance: (input: OfUser & At & { readonly finance: NewFinance & { readonly id: string } }) => Finance
  /** That of a connected account removes the account. */
  readonly removeFinance: (input: OfUser & At & { readonly id: string }) => boolean

  /** Notes orders that the trade copier placed and that filled: trades that they opened are marked as copied, those that are told later too. */
  readonly markCopied: (input: OfUser & { readonly orders: readonly { readonly account: string; readonly orderId: string }[] }) => void

  /** Keeps a run's receipt, and how it read the fills of accounts. */
  readonly saveReceipt: (input: OfUser & { readonly receipt: SyncReceipt; readonly read: readonly AccountRead[] }) => void
  /** Forgets that syncs missed fills of an account in these trading days, both included: they were brought. What is known of positions stays. */
  readonly forgetMissing: (input: OfUser & At & { readonly account: AccountKey; readonly from: string; readonly to: string }) => void
  /** Notes that fills of a session that is over are not known: it is a gap until history brings them or the user closes it. */
  readonly noteLacking: (input: OfUser & { readonly account: AccountKey; readonly tradingDay: string }) => void
  /** Notes that the fees of a session were asked for after its end. */
  readonly noteSettled: (input: OfUser & { readonly account: AccountKey; readonly tradingDay: string }) => void
  /** Closes a session's gap for good: the user says that nothing is missing. */
  readonly closeGap: (input: OfUser & At & { readonly account: AccountKey; readonly tradingDay: string }) => void
}
