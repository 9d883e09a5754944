import type { Log } from '#shared/base/log.ts'
import type { Result } from '#shared/base/result.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { WorkedOrder } from '#shared/fills/worked-order.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { KnownPosition } from '#shared/pnl/known-position.ts'
import type { StatedFill } from '#shared/reconcile/stated-fills.ts'
import type { DayWindow } from '#shared/sync/history-windows.ts'
import type { BrokerPair, BrokerPosition } from '#shared/sync/holdings.ts'
import type { Environment, SyncTrigger } from '#shared/sync/plan.ts'
import type { PartProgress } from '#shared/sync/progress.ts'
import type { AccountRow, BalanceRow, Login, NewFill } from '../db/rows.ts'
import type { BarAsk, BarsRead } from './bars.ts'
import type { BrokerFailure } from './failure.ts'
import type { AccountNow } from './live.ts'
import type { RefusedRow } from './rows.ts'

/** What a brokerage answers, or why it did not. */
export type BrokerAnswer<T> = Promise<Result<T, BrokerFailure>>

/** An account as the brokerage lists it. */
export type ListedAccount = AccountRow & { /** It no longer trades: kept if known, never added. */ readonly closed: boolean }

/** A fill that the journal has, as far as reading a brokerage asks for it; its price is in ticks of `tickSize`. */
export type KnownFill = Pick<Fill, 'account' | 'id' | 'contract' | 'source' | 'time' | 'side' | 'qty' | 'price' | 'fee' | 'active' | 'ambiguous'> & { readonly tickSize: string; readonly orderId: string | null }

/** A contract by the brokerage's own id. */
export type KnownContract = { readonly brokerContractId: string; readonly spec: ContractSpec }

/** The fees of an account's fills in a session, by id, from a database on this computer; null if it has none for a fill. */
export type SessionFees = { readonly account: AccountKey; readonly tradingDay: string; readonly fees: Readonly<Record<string, Amount | null>> }

/** What the journal knows of one login on one side. */
export type LoginKnowledge = {
  readonly accounts: () => Promise<readonly { readonly key: AccountKey; readonly brokerAccountId: string }[]>
  /** Those of the same login on the broker's other side. */
  readonly accountsOfOtherSide: () => Promise<readonly { readonly brokerAccountId: string }[]>
  /** Names of connected accounts that logins at other brokers have. */
  readonly namesElsewhere: (broker: Login['broker']) => Promise<readonly string[]>
  /** Those of the ids that are known, in any of these accounts. */
  readonly fills: (accounts: readonly AccountKey[], ids: readonly string[]) => Promise<readonly KnownFill[]>
  /** Those that are known by one of the ids followed by `~` and more. */
  readonly twins: (accounts: readonly AccountKey[], ids: readonly string[]) => Promise<readonly KnownFill[]>
  readonly contracts: (ids: readonly string[]) => Promise<readonly KnownContract[]>
  /** Fees of an account's sessions as an earlier run read them in a database on this computer. */
  readonly readFees: (account: AccountKey, days: readonly string[]) => Promise<readonly SessionFees[]>
}

/** One login on one side of its brokerage, in one run: the brokerage’s inputs, and callbacks for what it could not read. */
export type PartAsk = {
  readonly environment: Environment
  readonly trigger: SyncTrigger
  /** UTC milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal
  readonly known: LoginKnowledge
  readonly progress: (progress: PartProgress) => void
  /** Called when the session's fills have arrived, before their contracts are requested. */
  readonly fillsFetched: () => void
  /** Records rows that could not be read. */
  readonly leaveOut: (rows: readonly RefusedRow[]) => void
  /** Records what failed and stopped only its own step. */
  readonly failed: (failure: BrokerFailure) => void
}

/** Fills of a stretch of time, with the contracts that they are in. */
export type FetchedFills = {
  readonly fills: readonly NewFill[]
  /** One per contract with fills: the broker's figures if they are known, otherwise the table's. */
  readonly specs: readonly ContractSpec[]
  /** Contracts whose figures came from the brokerage in this run: the journal keeps them. */
  readonly asked: readonly KnownContract[]
  /** Rows of fills in the answer, unreadable ones too. */
  readonly received: number
  readonly refused: readonly RefusedRow[]
  /** An account's positions after fills in a span (UTC ms, both ends included), as many as show where a fill is missing; missing if the brokerage states no past positions. */
  readonly positions?: readonly { readonly account: AccountKey; readonly from: number; readonly to: number; readonly positions: readonly KnownPosition[] }[]
  /** Fees of sessions that changed in a database on this computer since it was last read. */
  readonly readFees?: readonly SessionFees[]
  /** What the brokerage states of each active fill, and the fills that it busted; missing if it states no P&L of fills. */
  readonly stated?: {
    readonly fills: readonly StatedFill[]
    readonly voided: readonly Pick<StatedFill, 'account' | 'id'>[]
    /** Stretches of time, UTC ms, of which the answer lists everything: what was stated before and is not in it counts no more. */
    readonly spans: readonly { readonly account: AccountKey; readonly from: number; readonly to: number | null }[]
  }
}

/** The brokerage's own books of the running session. */
export type BrokerBooks = {
  readonly positions: readonly BrokerPosition[]
  readonly pairs: readonly BrokerPair[]
  /** Whether every position could be read: then a contract without one is flat. */
  readonly isWhole: boolean
  /** Whether the fill pairs could be read; false if the brokerage has none. */
  readonly pairsRead: boolean
  /** Whether the lists still changed when they were read last: then they need not fit each other. */
  readonly moving: boolean
}

/** The running session of a login's accounts on one side. */
export type FetchedSession = FetchedFills & {
  /** When the fills were requested, UTC ms; null if the brokerage's next session began meanwhile. */
  readonly askedAt: number | null
  /** The ids of all fills of the answer. */
  readonly answered: ReadonlySet<string>
  /** Every contract that is known, also those with positions alone. */
  readonly contracts: readonly ContractSpec[]
  /** Accounts with an unreadable fill, and whether a fill of an unknown account was unreadable. */
  readonly refusedOf: ReadonlySet<AccountKey>
  readonly refusedOfAny: boolean
  /** Null if they could not be read. */
  readonly books: BrokerBooks | null
  /** The session of the fills and positions, `YYYY-MM-DD`; null if there are none. */
  readonly tradeDate: string | null
  /** Whether the session was over and its fees were read. */
  readonly feesSettled: boolean
  /** Stop and limit orders of the session with the prices that they worked at, as far as readable; missing if the brokerage has no such data. */
  readonly worked?: () => Promise<readonly WorkedOrder[]>
}

/** What a run reads of one login on one side of its brokerage, in this order; everything above asks no more of a brokerage than this. */
export type BrokeragePart = {
  readonly accounts: () => BrokerAnswer<readonly ListedAccount[]>
  readonly balances: (accounts: readonly AccountKey[]) => BrokerAnswer<readonly BalanceRow[]>
  readonly session: (accounts: readonly AccountKey[]) => BrokerAnswer<FetchedSession>
  /** Fills of past trading days; missing if the brokerage lists its running session only. */
  readonly past?: (account: AccountKey, days: DayWindow) => BrokerAnswer<FetchedFills>
  /** The first trading day of an account, `YYYY-MM-DD`, from which its past is read; if missing or null, a year is read. */
  readonly firstDay?: (account: AccountKey) => string | null
  /** Fills of a past session whose fees have changed, with the new fees; null if this run cannot tell. Missing if fills come with all their fees. */
  readonly bookedSince?: (fills: readonly (NewFill & { readonly tickSize: string })[], specs: ReadonlyMap<string, ContractSpec>) => BrokerAnswer<readonly NewFill[] | null>
}

/** What a login's live accounts need. */
export type LiveAsk = {
  /** The accounts of the login that the journal knows. */
  readonly accounts: () => Promise<readonly { readonly key: AccountKey; readonly environment: Environment; readonly brokerAccountId: string }[]>
  /** Called after each change. */
  readonly changed: () => void
  /** Called when a fill came, or one was taken back, that the journal does not have yet. */
  readonly traded: () => void
  readonly log: Pick<Log, 'warn'>
}

/** A login's accounts as they are now, until it is stopped. */
export type BrokerageLive = { readonly now: () => readonly AccountNow[]; readonly stop: () => Promise<void> }

/** A login of a brokerage, ready for runs. */
export type BrokerageLogin = {
  /** Renews the access if due; returns why the login can't be used, or null. */
  readonly prepare: () => Promise<BrokerFailure | null>
  readonly part: (ask: PartAsk) => BrokeragePart
  /** Opens its live accounts; missing if the copier's lines have them. */
  readonly live?: (ask: LiveAsk) => BrokerageLive
  /** Past bars of a contract; missing if the brokerage has none. `not-found`: it does not know the contract. */
  readonly bars?: (ask: BarAsk, signal: AbortSignal) => BrokerAnswer<BarsRead>
}
