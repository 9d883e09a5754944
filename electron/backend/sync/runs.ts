import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import type { SyncTrigger } from '#shared/sync/plan.ts'
import { noCounts } from '#shared/sync/receipt.ts'
import type { RunRequest } from './sync.ts'

/** A requested run, or the one that it joined. */
export type StartedRun = {
  readonly runId: string
  /** True if such a run was already running or queued. */
  readonly joined: boolean
  /** Rejects only if the journal could not be used. */
  readonly ended: Promise<SyncReceipt>
}

/** A request for a run. */
export type SyncRequest = { readonly userId: string; readonly trigger: SyncTrigger; /** The login that was just connected: only it is synced. */ readonly loginId?: string; /** When that login was connected, UTC ms. */ readonly connectedAt?: number; /** Whether that is the user's only login, so that its run is as good as one of all. */ readonly sole?: boolean }

/** Dependencies of runs. */
export type RunsParts = {
  readonly run: (request: RunRequest, progress: (progress: SyncProgress) => void) => Promise<SyncReceipt>
  readonly newId: () => string
  /** UTC ms. */
  readonly now: () => number
  readonly onProgress: (userId: string, progress: SyncProgress) => void
  readonly onEnded: (userId: string, receipt: SyncReceipt) => void
  readonly log: Log
}

type Wanted = { request: SyncRequest; begun: boolean; readonly runId: string; progress: SyncProgress; ended: Promise<SyncReceipt> }

/** All sync runs of the program, one after another. */
export type Runs = ReturnType<typeof createRuns>

/** Queues runs. A user's second request joins the running or queued run, except for a login that was just connected, which needs a run that knows it: a queued run of that login learns it, one that began before does not. */
export const createRuns = ({ run, newId, now, onProgress, onEnded, log }: RunsParts) => {
  const wanted = new Set<Wanted>()
  let last: Promise<unknown> = Promise.resolve()

  const perform = async (entry: Wanted): Promise<SyncReceipt> => {
    entry.begun = true
    const { runId, request } = entry
    const startedAt = now()
    let receipt: SyncReceipt
    try {
      receipt = await run({ runId, ...request }, (progress) => {
        entry.progress = progress
        onProgress(request.userId, progress)
      })
    } catch (error) {
      wanted.delete(entry)
      log.error({ error, runId }, 'A sync failed')
      // The run left no receipt, but a page that shows its progress must learn of its end.
      onEnded(request.userId, failedReceipt(entry, startedAt, now()))
      throw error
    }
    wanted.delete(entry)
    log.info({ runId, outcome: receipt.outcome, fills: receipt.fills, troubles: receipt.troubles.map(({ code }) => code) }, 'A sync ended')
    onEnded(request.userId, receipt)
    return receipt
  }

  const begin = (request: SyncRequest): Wanted => {
    const runId = newId()
    const progress = { runId, phase: 'tokens', done: 0, total: 1, overall: 0 } as const
    const ended = last.then(() => perform(entry))
    const entry: Wanted = { request, begun: false, runId, progress, ended }
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
      const next = (): Wanted | undefined => [...wanted].find(({ request }) => request.userId === userId)
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

const failedReceipt = ({ runId, request: { trigger } }: Wanted, startedAt: number, endedAt: number): SyncReceipt => ({
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
