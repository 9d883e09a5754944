import type { HistoryTrouble, LoginHistory } from '#shared/api/history.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import type { Log } from '#shared/base/log.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { previousTradingDay } from '#shared/market/session.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { lastWholeDay, missingWindows, type DayWindow } from '#shared/sync/history-windows.ts'
import type { Login, SyncAccount } from '../db/rows.ts'
import type { ReportFailure, ReportName } from '../brokers/tradovate/reports.ts'
import { fetchWindow, refusesTradeReports, importWindows, type FetchedWindow, type Stretch, type WindowDeps } from './history-window.ts'
import type { Rights } from '../plans/rights.ts'
import type { LoginOfUser } from './token-keeper.ts'

/** The service refuses more than 63 days at once. */
const longestWindow = 60
const yearInDays = 365
/** Windows of an account that become one import. Each import recomputes the journal; if the program dies, the windows of an unfinished one are fetched again. */
const windowsAtOnce = 4
// A failure inside the program would repeat: it is not retried after every sync.
const pauseAfterFaultMs = 3_600_000

/** Dependencies of the history. */
export type HistoryDeps = Omit<WindowDeps, 'now'> & {
  /** The market's time for a profile, UTC ms: in the demo it does not move. */
  readonly now: (userId: string) => number
  readonly rights: Pick<Rights, 'require' | 'holds'>
  /** Resolves when no sync of the user is under way. */
  readonly idle: (userId: string) => Promise<void>
  /** Called at every step. */
  readonly changed: (userId: string, login: LoginHistory) => void
  /** Called when the journal got something new. */
  readonly added: (userId: string) => void
  readonly log: Log
}

type Failure = Exclude<ReportFailure, { kind: 'not-given' }>
type Job = LoginOfUser & {
  /** False for sessions that were missed, which the user did not ask for. */
  readonly asked: boolean
  readonly ending: AbortController
  progress: Progress | null
}
type End = { readonly kind: 'done' | 'refused' | 'stopped'; readonly notGiven: readonly AccountKey[] } | { readonly kind: 'trouble'; readonly trouble: HistoryTrouble; readonly waitMs: number }
type Progress = NonNullable<LoginHistory['progress']>
/** Windows of one account, newest first. */
type Batch = { readonly account: AccountKey; readonly windows: readonly DayWindow[] }
/** Computes what is missing, in windows of at most `longest` days, newest first. */
type Plan = (longest: number) => Promise<readonly Stretch[]>

const troubleOf = ({ kind }: Failure): HistoryTrouble => {
  switch (kind) {
    case 'too-long-range':
      return 'unreadable-answer'
    case 'no-tokens':
      return 'login-needed'
    case 'aborted':
      return 'stopped'
    // A database has no reporting service.
    case 'database':
      return 'internal'
    default:
      return kind
  }
}

/** The past of connected accounts, from the broker's reporting service. */
export type History = ReturnType<typeof createHistory>

/** Fetches history from the reporting service into the journal by imports; one window at a time over all logins. */
export const createHistory = (deps: HistoryDeps) => {
  const { journal, rights, now, log } = deps
  const { read, write } = journal
  const jobs = new Map<string, Job>()
  const troubles = new Map<string, { readonly trouble: HistoryTrouble; readonly until: number }>()
  const notGiven = new Map<string, readonly AccountKey[]>()
  /** Logins that have no report of a missed session: they are not asked again before the next start. */
  const refusedGaps = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  const closing = new AbortController()

  const accountsOf = async ({ userId, loginId }: LoginOfUser): Promise<SyncAccount[]> => (await read.accountsOfLogin({ userId, loginId })).filter(({ removedAt }) => removedAt === null)

  const stateOf = async (userId: string, { id: loginId, name }: { readonly id: string; readonly name: string }, known: Awaited<ReturnType<typeof read.history>>): Promise<LoginHistory | null> => {
    const accounts = await accountsOf({ userId, loginId })
    if (accounts.length === 0) return null
    const request = known.requests.find((each) => each.loginId === loginId)
    const job = jobs.get(loginId)?.asked === true ? jobs.get(loginId) : undefined
    const windows = known.windows.filter(({ account, isKept }) => isKept && accounts.some(({ key }) => key === account))
    const sum = (count: 'fills' | 'pairs' | 'trades'): number => windows.reduce((total, window) => total + window[count], 0)
    const named = (keys: readonly AccountKey[]): string[] => accounts.filter(({ key }) => keys.includes(key)).map((account) => account.name)
    const requestState = request?.state === 'wanted' ? 'waiting' : (request?.state ?? (refusedGaps.has(loginId) ? 'refused' : 'offered'))
    const since = request?.since ?? null
    const to = lastWholeDay(now(userId))
    const isWhole = requestState === 'done' && since !== null && accounts.every(({ key }) => missingWindows({ from: since, to }, windows.filter(({ account }) => account === key), longestWindow).length === 0)
    return {
      loginId, loginName: name, accounts: accounts.map((account) => account.name),
      state: job === undefined ? requestState : 'running',
      since,
      wholeThrough: isWhole ? to : null,
      progress: job?.progress ?? null,
      trouble: job === undefined && requestState === 'waiting' ? (troubles.get(loginId)?.trouble ?? null) : null,
      notGiven: named(notGiven.get(loginId) ?? []),
      imported: { fills: sum('fills'), pairs: sum('pairs'), trades: sum('trades') },
    }
  }

  const pushState = async ({ userId, loginId }: LoginOfUser): Promise<void> => {
    const login = (await read.logins({ userId })).find(({ id }) => id === loginId)
    const state = login === undefined ? null : await stateOf(userId, login, await read.history({ userId }))
    if (state !== null) deps.changed(userId, state)
  }

  /** Fetches windows of one account until one fails, and imports those fetched before. */
  const fetchBatch = async (job: Job, { account: key, windows }: Batch, refused: Set<ReportName>, step: (progress: Omit<Progress, 'done' | 'total'>) => Promise<void>): Promise<Failure | null> => {
    const { userId, loginId, ending } = job
    const fetched: FetchedWindow[] = []
    let failure: Failure | null = null
    // Read each time: the account may have been renamed or removed meanwhile.
    const accountNow = async (): Promise<SyncAccount | undefined> => (await accountsOf(job)).find((each) => each.key === key)
    for (const window of windows) {
      const account = await accountNow()
      if (account === undefined || refusesTradeReports(refused)) break
      await step({ account: account.name, ...window })
      const incoming = ending.signal.aborted ? err({ kind: 'aborted' } as const) : await fetchWindow(deps, { userId, loginId, account, window, refused, signal: ending.signal })
      if (!incoming.ok) failure = incoming.error
      if (!incoming.ok || incoming.value === 'not-given') break
      fetched.push(incoming.value)
    }
    const account = await accountNow()
    if (closing.signal.aborted || account === undefined || fetched.length === 0) return failure
    const kept = await importWindows({ ...deps, now: () => now(userId) }, { userId, account, fetched, signal: closing.signal })
    if (!kept.ok) return kept.error
    deps.added(userId)
    return failure
  }

  /** Fetches batch after batch until one fails. */
  const fetchAll = async (job: Job, todo: readonly Stretch[], refused: Map<AccountKey, Set<ReportName>>): Promise<Failure | null> => {
    let done = 0
    for (const batch of batchesOf(todo)) {
      const ofAccount = getOrInsert(refused, batch.account, () => new Set())
      const before = done
      const failure = await fetchBatch(job, batch, ofAccount, async (progress) => {
        job.progress = { ...progress, done, total: todo.length }
        done += 1
        await pushState(job)
      })
      if (failure !== null) return failure
      done = before + batch.windows.length
    }
    return null
  }

  const runJob = async (job: Job, plan: Plan): Promise<End> => {
    const refused = new Map<AccountKey, Set<ReportName>>()
    for (let longest = longestWindow; ; longest = Math.ceil(longest / 2)) {
      const todo = (await plan(longest)).filter(({ account }) => !refusesTradeReports(refused.get(account)))
      const failure = await fetchAll(job, todo, refused)
      if (failure?.kind === 'too-long-range' && longest > 1) continue
      if (failure !== null && job.ending.signal.aborted) return { kind: 'stopped', notGiven: [] }
      if (failure !== null) return { kind: 'trouble', trouble: troubleOf(failure), waitMs: 'waitMs' in failure ? failure.waitMs : 0 }
      const nothing = [...refused].filter(([, names]) => refusesTradeReports(names)).map(([account]) => account)
      return { kind: nothing.length > 0 && nothing.length === refused.size ? 'refused' : 'done', notGiven: nothing }
    }
  }

  /** Runs a job after those queued before it, and calls `end` with its result. A login has one job at a time. */
  const enqueue = (of: LoginOfUser & { readonly asked: boolean }, plan: Plan, end: (end: End) => Promise<void>): Promise<void> => {
    if (closing.signal.aborted || jobs.has(of.loginId)) return Promise.resolve()
    const job: Job = { ...of, ending: new AbortController(), progress: null }
    jobs.set(of.loginId, job)
    const turn = last.then(async () => {
      try {
        await deps.idle(of.userId)
        const outcome = job.ending.signal.aborted ? ({ kind: 'stopped', notGiven: [] } as const) : await runJob(job, plan)
        jobs.delete(of.loginId)
        if (closing.signal.aborted) return
        await end(outcome)
      } catch (error) {
        jobs.delete(of.loginId)
        // An import that is aborted midway throws.
        if (closing.signal.aborted) return
        log.error({ error }, 'history from the broker failed')
        await end({ kind: 'trouble', trouble: 'internal', waitMs: pauseAfterFaultMs })
      }
      await pushState(of)
    })
    last = turn.catch((error: unknown) => void (closing.signal.aborted || log.error({ error }, 'storing the end of a history fetch failed')))
    return last
  }

  const fetchRequested = (of: LoginOfUser, since: string): Promise<void> => {
    const { userId, loginId } = of
    const plan: Plan = async (longest) => {
      const { windows } = await read.history({ userId })
      const to = lastWholeDay(now(userId))
      const todo = (await accountsOf(of)).flatMap(({ key }) =>
        missingWindows({ from: since, to }, windows.filter(({ account }) => account === key), longest).map((window): Stretch => ({ ...window, account: key })),
      )
      return todo.sort((one, other) => other.to.localeCompare(one.to))
    }
    return enqueue({ ...of, asked: true }, plan, async (end) => {
      const request = (await read.history({ userId })).requests.find((each) => each.loginId === loginId)
      // The user stopped it and started it again meanwhile, or from another day.
      if (request?.state === 'wanted' && request.since !== null && (end.kind === 'stopped' || request.since !== since)) return void fetchRequested(of, request.since)
      if (end.kind === 'trouble') troubles.set(loginId, { trouble: end.trouble, until: Date.now() + end.waitMs })
      if (end.kind === 'trouble' || end.kind === 'stopped') return
      notGiven.set(loginId, end.notGiven)
      await write.saveHistoryRequest({ userId, loginId, state: end.kind, since, at: now(userId) })
    })
  }

  /** Fetches sessions that no sync read, each with the day before: the service may count the evening to either. */
  const fetchGaps = async (userId: string): Promise<void> => {
    if ((await read.profile({ id: userId }))?.demo !== false || !(await rights.holds(userId, 'autosync'))) return
    const gaps = await read.syncGaps({ userId, at: now(userId) })
    if (gaps.length === 0) return
    const [{ requests, windows }, logins] = await Promise.all([read.history({ userId }), read.logins({ userId })])
    for (const { id: loginId, status } of logins.filter(isOfService)) {
      if (status !== 'ok' || refusedGaps.has(loginId) || requests.some((request) => request.loginId === loginId && request.state === 'refused')) continue
      const keys = new Set((await accountsOf({ userId, loginId })).map(({ key }) => key))
      const isAsked = (account: AccountKey, day: string): boolean => windows.some((window) => window.account === account && window.from <= day && day <= window.to)
      const missed = gaps.flatMap(({ accountId, tradingDay }) => {
        const account = accountId as AccountKey
        return keys.has(account) && !isAsked(account, tradingDay) ? [{ account, from: previousTradingDay(tradingDay), to: tradingDay }] : []
      })
      if (missed.length === 0) continue
      const plan: Plan = (longest) => Promise.resolve(longest === longestWindow ? joined(missed) : missed.map((gap) => ({ ...gap, from: gap.to })))
      void enqueue({ userId, loginId, asked: false }, plan, async (end) => {
        if (end.kind === 'refused') refusedGaps.add(loginId)
        // A request of the user had to wait for this job.
        await resumeOf(userId)
      })
    }
  }

  const resumeOf = async (userId: string): Promise<void> => {
    if (!(await rights.holds(userId, 'autosync'))) return
    for (const { loginId, state, since } of (await read.history({ userId })).requests) {
      const waits = (troubles.get(loginId)?.until ?? 0) > Date.now()
      if (state === 'wanted' && since !== null && !waits && (await accountsOf({ userId, loginId })).length > 0) void fetchRequested({ userId, loginId }, since)
    }
  }

  const logFailures = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!closing.signal.aborted) log.error({ error }, 'finding pending history failed')
    }
  }

  /** Whether the reporting service is this login's. */
  const isOfService = ({ broker }: Pick<Login, 'broker'>): boolean => broker === 'tradovate'

  const isKnown = async (of: LoginOfUser): Promise<boolean> =>
    (await read.logins({ userId: of.userId })).some((login) => login.id === of.loginId && isOfService(login)) && (await accountsOf(of)).length > 0

  const suggestedSince = (userId: string): string => isoDate(dayOfDate(lastWholeDay(now(userId))) - yearInDays)

  return {
    state: async (userId: string): Promise<{ logins: LoginHistory[]; suggestedSince: string }> => {
      const [known, logins] = await Promise.all([read.history({ userId }), read.logins({ userId })])
      const states = await Promise.all(logins.filter(isOfService).map((login) => stateOf(userId, login, known)))
      return { logins: states.filter((state) => state !== null), suggestedSince: suggestedSince(userId) }
    },
    /** Fetches all that is missing since a trading day, even if it was declined, refused, or undone before. The user's plan must include it, as for everything that resumes automatically. */
    start: async (userId: string, { loginId, since }: { readonly loginId: string; readonly since: string }): Promise<Result<null, Refused>> => {
      const of = { userId, loginId }
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      if (!(await isKnown(of))) return refuse('not-found')
      await write.deleteUndoneHistory(of)
      await write.saveHistoryRequest({ ...of, state: 'wanted', since, at: now(userId) })
      troubles.delete(loginId)
      refusedGaps.delete(loginId)
      void fetchRequested(of, since)
      await pushState(of)
      return ok(null)
    },
    /** Records that the past year of a login is wanted: it is fetched after the login's next sync. An earlier choice of the user stays. */
    want: async ({ userId, loginId }: LoginOfUser): Promise<void> => {
      const request = (await read.history({ userId })).requests.find((each) => each.loginId === loginId)
      if (request === undefined || request.state === 'declined') await write.saveHistoryRequest({ userId, loginId, state: 'wanted', since: suggestedSince(userId), at: now(userId) })
    },
    /** Stops after the running report; what was imported stays, and the rest can be fetched later. */
    stop: async (userId: string, loginId: string): Promise<Result<null, Refused>> => {
      const of = { userId, loginId }
      const request = (await read.history({ userId })).requests.find((each) => each.loginId === loginId)
      if (!(await isKnown(of)) || request === undefined) return refuse('not-found')
      jobs.get(loginId)?.ending.abort()
      if (request.state === 'wanted') await write.saveHistoryRequest({ userId, ...request, state: 'stopped', at: now(userId) })
      await pushState(of)
      return ok(null)
    },
    decline: async (userId: string, loginId: string): Promise<Result<null, Refused>> => {
      const of = { userId, loginId }
      if (!(await isKnown(of))) return refuse('not-found')
      await write.saveHistoryRequest({ ...of, state: 'declined', since: null, at: now(userId) })
      await pushState(of)
      return ok(null)
    },
    /** Resumes waiting requests, and fetches missed sessions: after a sync, because the broker has just answered. Never rejects. */
    afterSync: (userId: string): Promise<void> =>
      logFailures(async () => {
        await resumeOf(userId)
        await fetchGaps(userId)
      }),
    /** Resumes what a previous run of the program started. */
    resume: (): Promise<void> =>
      logFailures(async () => {
        for (const userId of new Set((await read.logins({})).map((login) => login.userId))) await resumeOf(userId)
      }),
    /** Resolves when no job is queued or running. */
    settled: (): Promise<void> => last,
    /** Aborts all jobs, and resolves when they have ended: then the journal may close. */
    close: (): Promise<void> => {
      closing.abort()
      for (const { ending } of jobs.values()) ending.abort()
      return last
    },
  }
}

/** Batches of one account each; those with the newest window first, so that the recent months of all accounts come before older ones. */
const batchesOf = (todo: readonly Stretch[]): Batch[] => {
  const batches = [...Map.groupBy(todo, ({ account }) => account)].flatMap(([account, stretches]) =>
    Array.from({ length: Math.ceil(stretches.length / windowsAtOnce) }, (_, index): Batch => ({
      account,
      windows: stretches.slice(index * windowsAtOnce, (index + 1) * windowsAtOnce).map(({ from, to }) => ({ from, to })),
    })),
  )
  return batches.sort((one, other) => (other.windows[0]?.to ?? '').localeCompare(one.windows[0]?.to ?? ''))
}

/** Joins neighboring sessions of an account into one window if it is short enough. */
const joined = (missed: readonly Stretch[]): Stretch[] => {
  const windows: Stretch[] = []
  for (const gap of missed.toSorted((one, other) => one.account.localeCompare(other.account) || one.to.localeCompare(other.to))) {
    const before = windows.at(-1)
    const isNext = before?.account === gap.account && before.to >= gap.from && dayOfDate(gap.to) - dayOfDate(before.from) < longestWindow
    if (isNext) windows[windows.length - 1] = { ...before, to: gap.to }
    else windows.push(gap)
  }
  return windows.reverse()
}
