import type { SyncProgress } from '#shared/api/sync.ts'
import { killAtBarrier } from '../db/barrier.ts'
import { journalOver, type JournalPorts } from '../journal/journal.ts'
import type { PositionsNow } from '../brokers/live.ts'
import { systemTiming } from '../brokers/timing.ts'
import type { ReportQuery } from '../brokers/tradovate/reports.ts'
import type { LoginOfUser, TokenCalls } from '../accounts/token-keeper.ts'
import { threadBody } from '../threads/thread-body.ts'
import { createKeyLogins, createLogins, openForRun, reportOf } from './logins.ts'
import { createLiveLogins } from './live.ts'
import { createBarReads, type BarRequest } from './bars.ts'
import { runSync, type RunParts, type RunRequest } from './sync.ts'

/** What the sync thread asks the main one. */
export type MainCalls = TokenCalls & {
  readonly progress: (progress: SyncProgress) => void
  readonly positions: (input: { readonly userId: string; readonly now: PositionsNow }) => void
  readonly traded: (input: LoginOfUser) => void
}

/** What the sync thread is given at its start. `killAt` is for tests: the barrier at which the program kills itself. */
export type SyncData = { readonly journal: JournalPorts; /** The folder for copies of databases. */ readonly databases: string; readonly killAt: string | undefined }

/** What the sync thread can be asked. */
export type SyncCalls = typeof calls

const { data, main, log, serve } = threadBody<SyncData, MainCalls>()
const journal = journalOver(data.journal)
const stopping = new AbortController()

const logins = createLogins({ main, timing: systemTiming, stop: stopping.signal })
const keyLogins = createKeyLogins({ main, timing: systemTiming, stop: stopping.signal, databases: data.databases })
const parts: RunParts = {
  journal,
  login: openForRun(logins, keyLogins),
  waits: new Map(),
  now: systemTiming.now,
  // A call during shutdown may find no main thread any more.
  progress: (progress) => void main.progress(progress).catch(() => undefined),
  barrier: killAtBarrier(data.killAt),
  log,
}
const liveLogins = createLiveLogins({
  read: journal.read,
  login: parts.login,
  positions: (userId, now) => void main.positions({ userId, now }).catch(() => undefined),
  traded: (userId, loginId) => void main.traded({ userId, loginId }).catch(() => undefined),
  log,
  now: systemTiming.now,
})
const barReads = createBarReads(parts.login, stopping.signal)
const underWay = new Set<Promise<unknown>>()
const awaited = <T>(work: Promise<T>): Promise<T> => {
  underWay.add(work)
  const leave = (): void => void underWay.delete(work)
  work.then(leave, leave)
  return work
}

const calls = {
  run: async (request: RunRequest) => {
    const receipt = await awaited(runSync(parts, request, stopping.signal))
    await liveLogins.accountsMayHaveChanged(request.userId)
    return receipt
  },
  /** Renews the tokens of a user's logins where that is due, and notes the logins that the broker refuses for good. */
  keepAlive: (userId: string) => awaited(logins.keepAlive(journal, userId)),
  /** Drops what is known of a login, whose tokens or key were replaced or removed. */
  forget: async (loginId: string) => {
    logins.forget(loginId)
    keyLogins.forget(loginId)
    await liveLogins.forget(loginId)
  },
  /** While on, keeps the live accounts of a user's logins with a key open and reports changes as `positions`. */
  watch: ({ userId, on }: { readonly userId: string; readonly on: boolean }) => liveLogins.watch(userId, on),
  positionsOf: ({ userId }: { readonly userId: string }) => liveLogins.positionsOf(userId),
  /** Reads bars through a login, beside whatever run is under way. */
  bars: (query: BarRequest) => awaited(barReads.read(query)),
  /** Gives up the bars that a user waits for. */
  stopBars: ({ userId }: { readonly userId: string }) => barReads.stop(userId),
  /** Asks the reporting service, beside whatever run is under way; the text is a file as a user exports it. */
  report: ({ userId, loginId, ...query }: LoginOfUser & ReportQuery) => awaited(reportOf(logins, { userId, loginId }, query, stopping.signal)),
}

serve({
  ...calls,
  // Gives up fetching, lets the running transaction end, and keeps the receipt.
  stop: async () => {
    stopping.abort()
    await liveLogins.stop()
    await Promise.allSettled(underWay)
    // A run that ended leaves its renewal behind.
    await logins.settled()
    keyLogins.close()
    data.journal.reader.close()
    data.journal.writer.close()
  },
})
