import type { RefusedRow } from '#shared/api/sync.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { HoldingTrouble } from '#shared/sync/holdings.ts'
import type { BrokerSide, SyncTrigger } from '#shared/sync/plan.ts'
import type { PartProgress } from '#shared/sync/progress.ts'
import { noCounts, type SyncCounts } from '#shared/sync/receipt.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Taken } from '../db/rows.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { PartAsk } from '../brokers/port.ts'
import type { RefusedRow as LeftOut } from '../brokers/rows.ts'

/** Moments of a run, in their order, at which a test may end the program. */
export type SyncBarrier = 'tokens-ready' | 'accounts-saved' | 'balances-saved' | 'fills-fetched' | 'orders-saved' | 'contracts-saved' | 'fills-taken' | 'receipt-saved'

/** Called at each moment; outside of tests it does nothing. */
export type PassBarrier = (name: SyncBarrier) => void

/** One login on one side of the broker, in one run. */
export type PartSetup = {
  readonly userId: string
  readonly loginId: string
  readonly side: BrokerSide
  readonly journal: JournalCalls
  /** Connecting a login brings back accounts that were removed before. */
  readonly trigger: SyncTrigger
  /** When the login was connected, UTC ms, in a run that this started. */
  readonly connectedAt: number | undefined
  /** UTC milliseconds. */
  readonly now: () => number
  readonly progress: (progress: PartProgress) => void
  readonly barrier: PassBarrier
  readonly signal: AbortSignal
}

/** What a part has done so far: it grows while the part runs, so that trouble on the way loses none of it. */
export type Tally = {
  accounts: readonly AccountKey[]
  /** The broker's names of accounts. */
  readonly names: Map<AccountKey, string>
  /** Those of them that the broker listed in this run. */
  listed: ReadonlySet<AccountKey>
  /** When the list of fills was asked for, UTC ms; null before, and where the broker's next session began meanwhile. */
  askedAt: number | null
  /** Accounts of which a fill is missing that is known to exist. */
  readonly lacking: Set<AccountKey>
  /** Whether the session was over and its fees were read. */
  settled: boolean
  /** Where the broker's own books and the journal part. */
  readonly holdings: HoldingTrouble[]
  counts: SyncCounts
  readonly refused: RefusedRow[]
  /** What could not be read; all but the last stopped only their own step. */
  readonly failures: BrokerFailure[]
  finished: boolean
}

/** Before anything was done. */
export const emptyTally = (): Tally => ({ accounts: [], names: new Map(), listed: new Set(), askedAt: null, lacking: new Set(), settled: false, holdings: [], counts: noCounts, refused: [], failures: [], finished: false })

/** Notes rows that could not be taken. */
export const leaveOut = (tally: Tally, rows: readonly LeftOut[]): void => {
  for (const { entity, id, reason, field } of rows) {
    tally.refused.push({ entity, id: id ?? '', account: null, reason: field === null ? reason : `${reason}:${field}` })
  }
}

/** What a brokerage is asked for a part: it reads the journal by a few questions, and notes in the tally what it could not read. */
export const askOf = ({ userId, loginId, side, journal: { read }, trigger, now, progress, barrier, signal }: PartSetup, tally: Tally): PartAsk => ({
  ...{ side, trigger, now, progress, signal },
  known: {
    accounts: async () => (await read.accountsOfLogin({ userId, loginId })).filter(({ environment }) => environment === side),
    accountsOfOtherSide: async () => (await read.accountsOfLogin({ userId, loginId })).filter(({ environment }) => environment !== side),
    namesElsewhere: (broker) => read.namesElsewhere({ userId, broker }),
    fills: (accounts, ids) => read.knownFills({ userId, accounts, ids }),
    contracts: (ids) => read.knownContracts({ userId, environment: side, brokerContractIds: ids }),
  },
  fillsFetched: () => barrier('fills-fetched'),
  leaveOut: (rows) => leaveOut(tally, rows),
  failed: (failure) => void tally.failures.push(failure),
})

/** What a write derived, without its fills. */
export const derivedCounts = ({ batches, pairs, trips, outbox }: Taken): SyncCounts => ({ ...noCounts, batches, pairs, trips, outbox })

/** What a write of fills did. */
export const takenCounts = (result: Taken): SyncCounts => {
  const { added, changed, unchanged } = result.fills
  return { ...derivedCounts(result), fills: { received: 0, added, changed, unchanged, refused: 0 } }
}
