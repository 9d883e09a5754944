import type { Refused } from '#shared/api/refused.ts'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { SyncTrigger } from '#shared/sync/plan.ts'
import { noCounts } from '#shared/sync/receipt.ts'
import { tokenCalls, type TokenKeeper } from './token-keeper.ts'
import { isoTime } from '../db/iso-time.ts'
import type { Events } from '../events.ts'
import type { Journal, JournalCalls } from '../journal/journal.ts'
import type { Rights } from '../plans/rights.ts'
import type { Client } from '../threads/rpc.ts'
import { startThread } from '../threads/start-thread.ts'
import type { RunRequest } from './sync.ts'
import type { MainCalls, SyncCalls, SyncData } from './worker.ts'

const receiptsShown = 50

/** Sync runs for the screens. */
export type SyncRuns = ReturnType<typeof createSyncRuns>

type Deps = {
  readonly runs: Runs
  /** When the user's next scheduled run is due, UTC ms; null without one. */
  readonly nextAt: (userId: string) => Promise<number | null>
  readonly read: JournalCalls['read']
  readonly rights: Pick<Rights, 'require'>
}

export const createSyncRuns = ({ runs, nextAt, read, rights }: Deps) => ({
  /** Starts a run if the user's plan includes it, or joins the running one. Its progress and its end are pushed. */
  start: async (userId: string): Promise<Result<StartedRun, Refused>> => {
    const may = await rights.require(userId, 'autosync')
    if (!may.ok) return may
    const started = runs.start({ userId, trigger: 'manual' })
    // A failure is in the log, and pages are notified at the run's end.
    started.ended.catch(() => undefined)
    return ok(started)
  },
  /** The progress of the running run, from 0 to 1; null if there is none. */
  running: (userId: string): number | null => runs.running(userId)?.overall ?? null,
  /** The state of sync; times are ISO 8601. */
  state: async (userId: string): Promise<{ running: SyncProgress | null; last: SyncReceipt | null; lastGoodAt: string | null; nextAt: string | null }> => {
    const [[last = null], lastGoodAt, dueAt] = await Promise.all([read.receipts({ userId, limit: 1 }), read.lastGoodSyncAt({ userId }), nextAt(userId)])
    return { running: runs.running(userId), last, lastGoodAt: isoTime(lastGoodAt), nextAt: isoTime(dueAt) }
  },
  /** Newest first. */
  receipts: (userId: string): Promise<SyncReceipt[]> => read.receipts({ userId, limit: receiptsShown }),
})

/** A requested run, or the one that it joined. */
export type StartedRun = {
  readonly runId: string
  /** True if such a run was already running or queued. */
  readonly joined: boolean
  /** Rejects only if the journal could not be used. */
  readonly ended: Promise<SyncReceipt>
}

/** A request for a run. */
export type SyncRequest = {
  readonly userId: string
  readonly trigger: SyncTrigger
  /** The login that was just connected: only it is synced. */
  readonly loginId?: string
  /** When that login was connected, UTC ms. */
  readonly connectedAt?: number
  /** Whether that is the user's only login, so that its run is as good as one of all. */
  readonly sole?: boolean
}

export type RunsDeps = {
  /** Settles once nothing is being restored into the user's journal: a run meanwhile would fetch what is about to come back. */
  readonly restored: (userId: string) => Promise<void>
  /** Makes a run: the sync thread's, or one of the demo's walk. */
  readonly run: SyncThread['run']
  readonly newId: () => string
  /** UTC ms. */
  readonly now: () => number
  readonly events: Pick<Events, 'push'>
  /** Called after each run, once pages were notified. */
  readonly afterRun: (userId: string, receipt: SyncReceipt) => void
  readonly log: Log
}

type QueuedRun = { request: SyncRequest; begun: boolean; readonly runId: string; progress: SyncProgress; ended: Promise<SyncReceipt> }

/** All sync runs of the program, one after another. */
export type Runs = ReturnType<typeof createRuns>

/** Queues runs and notifies pages of their progress and end. A user's second request joins the running or queued run, except for a login that was just connected, which needs a run that knows it: a queued run of that login learns it, one that began before does not. */
export const createRuns = ({ restored, run, newId, now, events, afterRun, log }: RunsDeps) => {
  const wanted = new Set<QueuedRun>()
  let last: Promise<unknown> = Promise.resolve()

  const finish = (userId: string, receipt: SyncReceipt): void => {
    events.push(userId, { type: 'sync-ended', receipt })
    events.push(userId, { type: 'journal-changed' })
    events.push(userId, { type: 'finances-changed' })
    afterRun(userId, receipt)
  }

  const perform = async (entry: QueuedRun): Promise<SyncReceipt> => {
    entry.begun = true
    const { runId, request } = entry
    const startedAt = now()
    let receipt: SyncReceipt
    try {
      await restored(request.userId)
      receipt = await run({ runId, ...request }, (progress) => {
        entry.progress = progress
        events.push(request.userId, { type: 'sync-progress', progress })
      })
    } catch (error) {
      wanted.delete(entry)
      log.error({ error, runId }, 'sync failed')
      // The run left no receipt, but a page that shows its progress must learn of its end.
      finish(request.userId, failedReceipt(entry, startedAt, now()))
      throw error
    }
    wanted.delete(entry)
    log.info({ runId, outcome: receipt.outcome, fills: receipt.fills, troubles: receipt.troubles.map(({ code }) => code) }, 'sync ended')
    finish(request.userId, receipt)
    return receipt
  }

  const begin = (request: SyncRequest): QueuedRun => {
    const runId = newId()
    const progress = { runId, phase: 'tokens', done: 0, total: 1, overall: 0 } as const
    const ended = last.then(() => perform(entry))
    const entry: QueuedRun = { request, begun: false, runId, progress, ended }
    last = ended.catch(() => undefined)
    wanted.add(entry)
    return entry
  }

  return {
    start: (request: SyncRequest): StartedRun => {
      const ofUser = [...wanted].filter((entry) => entry.request.userId === request.userId)
      const same = ofUser.find((entry) => (entry.request.loginId === request.loginId && (!entry.begun || !isOlder(entry.request, request))) || (request.loginId === undefined && entry.request.sole === true))
      if (same !== undefined && isOlder(same.request, request)) same.request = request
      const { runId, ended } = same ?? begin(request)
      return { runId, joined: same !== undefined, ended }
    },
    /** The progress of the user's run; null if none is running or queued. */
    running: (userId: string): SyncProgress | null => [...wanted].find((entry) => entry.request.userId === userId)?.progress ?? null,
    /** Resolves when no run of the user is running or queued. */
    idle: async (userId: string): Promise<void> => {
      const next = (): QueuedRun | undefined => [...wanted].find(({ request }) => request.userId === userId)
      for (let entry = next(); entry !== undefined; entry = next()) await entry.ended.catch(() => undefined)
    },
    /** Whether the first run of a login that was just connected is running or queued. */
    connects: (userId: string, loginId: string): boolean => [...wanted].some(({ request }) => request.userId === userId && request.loginId === loginId && request.trigger === 'connect'),
    /** Whether a run that covers the login is running or queued. */
    covers: (userId: string, loginId: string): boolean => [...wanted].some(({ request }) => request.userId === userId && (request.loginId === undefined || request.loginId === loginId)),
  }
}

/** Whether one request knows only an older connection of a login than another. */
const isOlder = ({ connectedAt: one }: SyncRequest, { connectedAt: other }: SyncRequest): boolean => one !== undefined && other !== undefined && one < other

const failedReceipt = ({ runId, request: { trigger } }: QueuedRun, startedAt: number, endedAt: number): SyncReceipt => ({
  runId,
  trigger,
  startedAt: new Date(startedAt).toISOString(),
  endedAt: new Date(endedAt).toISOString(),
  outcome: 'failed',
  logins: 0,
  accounts: 0,
  ...noCounts,
  refused: [],
  refusedTotal: 0,
  holdings: [],
  troubles: [],
})

/** The thread that fetches and parses broker data, and passes it to the journal's writer. */
export type SyncThread = Omit<Client<SyncCalls>, 'run'> & {
  /** Makes one run; `progress` is called at most about ten times a second. Runs must not overlap: see `createRuns`. */
  readonly run: (request: RunRequest, progress: (progress: SyncProgress) => void) => Promise<SyncReceipt>
  /** Gives up fetching, lets the running transaction end, keeps the receipt and ends the thread. */
  readonly stop: () => Promise<void>
}

type ThreadDeps = {
  readonly journal: Journal
  readonly keeper: TokenKeeper
  readonly log: Log
  /** The folder for copies of databases. */
  readonly databases: string
  /** Called with the state and the trades of live accounts. */
  readonly live?: Pick<MainCalls, 'positions' | 'traded'>
  /** Called if the thread dies. */
  readonly broken?: () => void
  readonly killAt?: string | undefined
}

/** Starts the sync thread. */
export const startSyncThread = ({ journal, keeper, log, databases, live = { positions: () => undefined, traded: () => undefined }, broken = () => undefined, killAt }: ThreadDeps): SyncThread => {
  const ports = journal.port()
  const watching = new Map<string, (progress: SyncProgress) => void>()
  const main: MainCalls = { ...tokenCalls(keeper), ...live, progress: (progress) => watching.get(progress.runId)?.(progress) }
  const { calls, watch } = startThread<SyncCalls>(new URL('./worker.ts', import.meta.url), { name: 'sync', data: { journal: ports, databases, killAt } satisfies SyncData, transfer: [ports.reader, ports.writer], main })
  watch(log, broken)
  const { keepAlive, forget, watch: watchLive, positionsOf, bars, stopBars, report, stop } = calls
  return {
    keepAlive, forget, watch: watchLive, positionsOf, bars, stopBars, report, stop,
    run: async (request, progress) => {
      watching.set(request.runId, progress)
      try {
        return await calls.run(request)
      } finally {
        watching.delete(request.runId)
      }
    },
  }
}
