import type { SyncProgress } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import type { LoginOfUser, TokenCalls } from './token-keeper.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { AccountNow, PositionsNow } from '../brokers/live.ts'
import type { BrokerageLive, BrokerageLogin } from '../brokers/port.ts'
import { systemTiming } from '../brokers/timing.ts'
import type { ReportQuery } from '../brokers/tradovate/reports.ts'
import { killAtBarrier } from '../db/barrier.ts'
import type { Login } from '../db/rows.ts'
import { type JournalCalls, connectJournal, type JournalPorts } from '../journal/journal.ts'
import { threadBody } from '../threads/thread-body.ts'
import { type BarRequest, createBarReads } from './bars.ts'
import { createKeyLogins, createLogins, openForRun, reportOf } from './logins.ts'
import { type RunDeps, type RunRequest, runSync } from './sync.ts'

/** Minimum interval between reports per user, ms. */
const spacingMs = 200

type Deps = {
  readonly read: Pick<JournalCalls['read'], 'logins' | 'accountsOfLogin'>
  /** A login at its brokerage, or why it can't be used. */
  readonly login: (of: Pick<Login, 'id' | 'userId' | 'broker'>) => Promise<BrokerageLogin | BrokerFailure>
  readonly positions: (userId: string, now: PositionsNow) => void
  /** A login has a fill that the journal lacks. */
  readonly traded: (userId: string, loginId: string) => void
  readonly log: Pick<Log, 'warn'>
  /** UTC ms. */
  readonly now: () => number
}

type Open = { readonly userId: string; /** The accounts with which it was opened. */ readonly accounts: string; readonly live: BrokerageLive }

/** The live accounts of logins with a key, while their users watch; the copier's lines have those of the others. */
const createLiveLogins = ({ read, login, positions, traded, log, now }: Deps) => {
  const watched = new Set<string>()
  const open = new Map<string, Open>()
  const due = new Map<string, NodeJS.Timeout>()
  const lastSent = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()

  /** One change after another: two of them could open a login twice. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  const accountsOf = (userId: string): AccountNow[] => [...open.values()].flatMap((one) => (one.userId === userId ? one.live.now() : []))

  const touch = (userId: string): void => {
    if (due.has(userId)) return
    due.set(userId, setTimeout(() => {
      due.delete(userId)
      const accounts = accountsOf(userId)
      const text = JSON.stringify(accounts)
      if (lastSent.get(userId) === text) return
      lastSent.set(userId, text)
      positions(userId, { at: now(), accounts })
    }, spacingMs).unref())
  }

  const close = async (loginId: string): Promise<void> => {
    const one = open.get(loginId)
    open.delete(loginId)
    await one?.live.stop()
  }

  const keep = async (userId: string): Promise<void> => {
    const wanted = watched.has(userId) ? (await read.logins({ userId })).filter(({ broker, status }) => broker !== 'tradovate' && status === 'ok') : []
    for (const [loginId, one] of [...open]) if (one.userId === userId && !wanted.some(({ id }) => id === loginId)) await close(loginId)
    for (const { id: loginId, broker } of wanted) {
      const known = async () => (await read.accountsOfLogin({ userId, loginId })).flatMap(({ key, environment, brokerAccountId, removedAt }) => (removedAt === null ? [{ key, environment, brokerAccountId }] : []))
      const accounts = JSON.stringify(await known())
      if (open.get(loginId)?.accounts === accounts) continue
      await close(loginId)
      const opened = await login({ id: loginId, userId, broker })
      if ('kind' in opened || opened.live === undefined) continue
      open.set(loginId, { userId, accounts, live: opened.live({ accounts: known, changed: () => touch(userId), traded: () => traded(userId, loginId), log }) })
    }
    touch(userId)
  }

  return {
    /** While on, keeps the live accounts of the user's logins open and reports changes. */
    watch: (userId: string, on: boolean): Promise<void> =>
      inTurn(async () => {
        if (on) watched.add(userId)
        else watched.delete(userId)
        lastSent.delete(userId)
        await keep(userId)
      }),
    positionsOf: (userId: string): PositionsNow => ({ at: now(), accounts: accountsOf(userId) }),
    /** A user's accounts may have changed. */
    accountsMayHaveChanged: (userId: string): Promise<void> => inTurn(() => (watched.has(userId) ? keep(userId) : Promise.resolve())),
    /** Closes a login whose key was replaced or removed, and opens it again if its user watches. */
    forget: (loginId: string): Promise<void> =>
      inTurn(async () => {
        const userId = open.get(loginId)?.userId
        await close(loginId)
        if (userId !== undefined) await keep(userId)
      }),
    stop: async (): Promise<void> => {
      watched.clear()
      for (const timer of due.values()) clearTimeout(timer)
      await inTurn(async () => void (await Promise.all([...open.keys()].map(close))))
    },
  }
}

/** What the sync thread asks the main one. */
export type MainCalls = TokenCalls & {
  readonly progress: (progress: SyncProgress) => void
  readonly positions: (input: { readonly userId: string; readonly now: PositionsNow }) => void
  readonly traded: (input: LoginOfUser) => void
}

/** Start data of the sync thread. `killAt` is for tests: the barrier at which the program kills itself. */
export type SyncData = {
  readonly journal: JournalPorts
  /** The folder for copies of databases. */
  readonly databases: string
  readonly killAt: string | undefined
}

/** The sync thread's calls. */
export type SyncCalls = typeof calls

const { data, main, log, serve } = threadBody<SyncData, MainCalls>()
const journal = connectJournal(data.journal)
const stopping = new AbortController()

const logins = createLogins({ main, timing: systemTiming, stop: stopping.signal })
const keyLogins = createKeyLogins({ main, timing: systemTiming, stop: stopping.signal, databases: data.databases })
const deps: RunDeps = {
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
  login: deps.login,
  positions: (userId, now) => void main.positions({ userId, now }).catch(() => undefined),
  traded: (userId, loginId) => void main.traded({ userId, loginId }).catch(() => undefined),
  log,
  now: systemTiming.now,
})
const barReads = createBarReads(deps.login, stopping.signal)
const underWay = new Set<Promise<unknown>>()
const awaited = <T>(work: Promise<T>): Promise<T> => {
  underWay.add(work)
  const leave = (): void => void underWay.delete(work)
  work.then(leave, leave)
  return work
}

const calls = {
  run: async (request: RunRequest) => {
    const receipt = await awaited(runSync(deps, request, stopping.signal))
    await liveLogins.accountsMayHaveChanged(request.userId)
    return receipt
  },
  /** Renews the due tokens of a user's logins, and notes the logins that the broker refuses for good. */
  keepAlive: (userId: string) => awaited(logins.keepAlive(journal, userId)),
  /** Deletes the state of a login whose tokens or key were replaced or removed. */
  forget: async (loginId: string) => {
    logins.forget(loginId)
    keyLogins.forget(loginId)
    await liveLogins.forget(loginId)
  },
  /** While on, keeps the live accounts of a user's logins with a key open and reports changes as `positions`. */
  watch: ({ userId, on }: { readonly userId: string; readonly on: boolean }) => liveLogins.watch(userId, on),
  positionsOf: ({ userId }: { readonly userId: string }) => liveLogins.positionsOf(userId),
  /** Reads bars through a login, also during a run. */
  bars: (query: BarRequest) => awaited(barReads.read(query)),
  /** Cancels a user's pending reads of bars. */
  stopBars: ({ userId }: { readonly userId: string }) => barReads.stop(userId),
  /** Requests a report from the reporting service, also during a run; the text is a file as a user exports it. */
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
