import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { SyncProgress, SyncReceipt, SyncTrouble } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import { platformOfBroker } from '#shared/fills/platform.ts'
import { planRun, type Environment, type SyncPart, type SyncTrigger } from '#shared/sync/plan.ts'
import { ended, notStarted, overallProgress, type PartProgress } from '#shared/sync/progress.ts'
import { addCounts, noCounts, receiptOf } from '#shared/sync/receipt.ts'
import { assertNever } from '#shared/base/assert-never.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { AccountRead, Login as KeptLogin } from '../db/rows.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { BrokerageLogin } from '../brokers/port.ts'
import { runPart, emptyTally, type PartSetup, type SyncBarrier, type Tally } from './part.ts'

/** One requested run. */
export type RunRequest = {
  readonly runId: string
  readonly userId: string
  readonly trigger: SyncTrigger
  /** The login that was just connected: the run syncs only it. */
  readonly loginId?: string
  /** When it was connected, UTC ms: accounts removed since stay removed. */
  readonly connectedAt?: number
}

/** Dependencies of a run. */
export type RunDeps = {
  readonly journal: JournalCalls
  /** A login at its brokerage, or why it can't be used. */
  readonly login: (of: Pick<KeptLogin, 'id' | 'userId' | 'broker'>) => Promise<BrokerageLogin | BrokerFailure>
  /** Waits that the broker requested, by login and side; they outlive a run. */
  readonly waits: Map<string, { readonly until: number; readonly trouble: SyncTrouble }>
  /** UTC milliseconds. */
  readonly now: () => number
  readonly progress: (progress: SyncProgress) => void
  readonly barrier: SyncBarrier
  readonly log: Log
}

/**
 * One run: for every login and side it fetches tokens, accounts, balances, fills, and contracts, then writes fills, derived
 * trades, and outbox rows, each batch atomically. Trouble of one part does not stop the others. The receipt is always
 * saved in the journal; an aborted run stops fetching, lets a running transaction finish, and saves its receipt too.
 */
export const runSync = async (run: RunDeps, request: RunRequest, signal: AbortSignal): Promise<SyncReceipt> => {
  const { journal, now } = run
  const { runId, userId, trigger } = request
  const startedAt = now()
  const kept = (await journal.read.logins({ userId })).filter(({ id }) => request.loginId === undefined || id === request.loginId)
  const plan = planRun(await Promise.all(kept.map((login) => withAccounts(journal, login))), trigger)
  const board = progressBoard(run, runId, plan.parts)
  const logins = new Map<string, Promise<BrokerageLogin | BrokerFailure>>()

  const platformOfLogin = (loginId: string): string => platformOfBroker(kept.find(({ id }) => id === loginId)?.broker ?? '')

  const readyLogin = (loginId: string): Promise<BrokerageLogin | BrokerFailure> => getOrInsert(logins, loginId, () => prepareLogin(run, kept.find(({ id }) => id === loginId)))

  const runOne = async (part: SyncPart, index: number): Promise<{ tally: Tally; troubles: SyncTrouble[] }> => {
    const tally = emptyTally()
    const troubles: SyncTrouble[] = []
    const trouble = (facts: Pick<SyncTrouble, 'code' | 'detail' | 'retryAfterMs'>): void => {
      const environment = facts.code === 'login-needed' || facts.code.startsWith('database-') ? null : part.environment
      troubles.push({ loginId: part.loginId, loginName: part.loginName, platform: platformOfLogin(part.loginId), environment, ...facts })
    }
    const waiting = trigger === 'manual' || trigger === 'connect' ? null : stillWaiting(run, part)
    if (waiting !== null) {
      board.move(index, ended)
      return { tally, troubles: [waiting] }
    }
    try {
      const login = await readyLogin(part.loginId)
      if ('kind' in login) tally.failures.push(login)
      else {
        const { loginId, environment } = part
        const setup: PartSetup = { userId, loginId, environment, journal, trigger, connectedAt: request.connectedAt, now, signal, barrier: run.barrier, progress: (step) => board.move(index, step) }
        await runPart(setup, login, tally)
      }
      await recordExpiry(run, { userId, loginId: part.loginId }, tally.failures)
      for (const failure of tally.failures) trouble(troubleOf(failure))
    } catch (error) {
      run.log.error({ error, runId, environment: part.environment }, 'part of a sync failed')
      trouble({ code: 'internal', detail: null, retryAfterMs: null })
    }
    for (const one of troubles) recordWait(run, part, one)
    board.move(index, ended)
    return { tally, troubles }
  }

  const outcomes = await Promise.all(plan.parts.map(runOne))
  const tallies = outcomes.map(({ tally }) => tally)
  const accountsOfLogins = [...plan.parts.map(({ loginId }, index) => ({ loginId, accounts: tallies[index]?.accounts.length ?? 0 })), ...plan.expired.map(({ id }) => ({ loginId: id, accounts: 0 }))]
  const accountsByPlatform = Map.groupBy(accountsOfLogins, ({ loginId }) => platformOfLogin(loginId))
  const receipt = receiptOf({
    runId,
    trigger,
    startedAt: isoMoment(startedAt),
    endedAt: isoMoment(now()),
    logins: new Set([...plan.parts.map(({ loginId }) => loginId), ...plan.expired.map(({ id }) => id)]).size,
    accounts: tallies.reduce((sum, { accounts }) => sum + accounts.length, 0),
    platforms: [...accountsByPlatform].map(([platform, counts]) => ({ platform, accounts: counts.reduce((sum, { accounts }) => sum + accounts, 0) })),
    counts: tallies.reduce((sum, { counts }) => addCounts(sum, counts), noCounts),
    refused: tallies.flatMap(({ refused }) => refused),
    holdings: tallies.flatMap(({ holdings, names }) => holdings.map(({ account, ...trouble }) => ({ accountId: account, accountName: names.get(account) ?? account, ...trouble }))),
    troubles: [...plan.expired.map(expiredTrouble(kept)), ...withoutTwins(outcomes.flatMap(({ troubles }) => troubles))],
    finishedParts: tallies.filter(({ finished }) => finished).length,
  })
  await journal.write.saveReceipt({ userId, receipt, read: tallies.flatMap(readsOf) })
  run.barrier('receipt-saved')
  board.end()
  return receipt
}

const readsOf = ({ finished, accounts, askedAt, lacking, settled }: Tally): AccountRead[] =>
  finished ? accounts.map((account) => ({ account, at: askedAt, whole: !lacking.has(account), settled: settled && !lacking.has(account) })) : []

const isoMoment = (time: number): string => new Date(time).toISOString()

const withAccounts = async (journal: JournalCalls, { id, userId, name, status }: KeptLogin) => {
  const accounts = await journal.read.accountsOfLogin({ userId, loginId: id })
  return { id, name, expired: status === 'expired', accounts: accounts.map(({ environment, removedAt }) => ({ environment, removed: removedAt !== null })) }
}

/** Opens a login and renews its access if that is due, so that it does not expire during the run. */
const prepareLogin = async (run: RunDeps, of: KeptLogin | undefined): Promise<BrokerageLogin | BrokerFailure> => {
  if (of === undefined) return { kind: 'no-tokens' }
  const login = await run.login(of)
  if ('kind' in login) return login
  const failure = await login.prepare()
  if (failure !== null) return failure
  run.barrier('tokens-ready')
  return login
}

/** Only a refusal says anything about the login; a broker that is out of reach never ends a connection. */
const recordExpiry = async ({ journal, now }: RunDeps, { userId, loginId }: { userId: string; loginId: string }, failures: readonly BrokerFailure[]): Promise<void> => {
  const refusal = failures.find((failure) => failure.kind === 'login-needed')
  if (refusal !== undefined) await journal.write.saveLoginStatus({ userId, loginId, status: 'expired', lastError: refusal.lastError, at: now() })
}

const expiredTrouble = (logins: readonly KeptLogin[]) => ({ id, name }: { readonly id: string; readonly name: string }): SyncTrouble => ({
  loginId: id,
  loginName: name,
  platform: platformOfBroker(logins.find((login) => login.id === id)?.broker ?? ''),
  environment: null,
  code: 'login-needed',
  detail: logins.find((login) => login.id === id)?.lastError ?? null,
  retryAfterMs: null,
})

/** If the login itself is in trouble, both of its sides report the same. */
const withoutTwins = (troubles: readonly SyncTrouble[]): SyncTrouble[] =>
  troubles.filter((one, index) => troubles.findIndex((other) => other.loginId === one.loginId && other.environment === one.environment && other.code === one.code) === index)

const waitKey = ({ loginId, environment }: { readonly loginId: string; readonly environment: Environment }): string => `${loginId} ${environment}`

const stillWaiting = ({ waits, now }: RunDeps, part: SyncPart): SyncTrouble | null => {
  const wait = waits.get(waitKey(part))
  if (wait === undefined) return null
  const left = wait.until - now()
  // A wait that got longer was computed by a clock that was set back since.
  return left <= 0 || left > (wait.trouble.retryAfterMs ?? 0) ? null : { ...wait.trouble, retryAfterMs: left }
}

const recordWait = ({ waits, now }: RunDeps, part: SyncPart, trouble: SyncTrouble): void => {
  if (trouble.retryAfterMs !== null) waits.set(waitKey(part), { until: now() + trouble.retryAfterMs, trouble })
}

/** Combines the progress of all parts, and reports it at most ten times a second, but each change of phase at once. */
const progressBoard = (run: RunDeps, runId: string, parts: readonly SyncPart[]) => {
  const steps: PartProgress[] = parts.map(() => notStarted)
  let reported = overallProgress(runId, steps, 0)
  let reportedAt = -Infinity
  const report = (next: SyncProgress): void => {
    reported = next
    reportedAt = run.now()
    run.progress(next)
  }
  report(reported)
  return {
    move: (index: number, step: PartProgress): void => {
      steps[index] = step
      const next = overallProgress(runId, steps, reported.overall)
      if (next.phase === 'done') return
      if (next.phase !== reported.phase || run.now() - reportedAt >= 100) report(next)
    },
    end: (): void => report({ runId, phase: 'done', done: 1, total: 1, overall: 1 }),
  }
}

type TroubleFacts = Pick<SyncTrouble, 'code' | 'detail' | 'retryAfterMs'>

/** A broker failure as a receipt has it. */
const troubleOf = (failure: BrokerFailure): TroubleFacts => {
  const trouble = (code: SyncTrouble['code'], detail: string | null = null, retryAfterMs: number | null = null): TroubleFacts => ({ code, detail, retryAfterMs })
  switch (failure.kind) {
    case 'login-needed':
      return trouble('login-needed', failure.lastError)
    case 'no-tokens':
      return trouble('login-needed', 'no-tokens-kept')
    case 'permission-missing':
    case 'wrong-host':
    case 'session-pushed-out':
    case 'unreadable-answer':
      return trouble(failure.kind)
    case 'rate-limited':
    case 'penalty':
    case 'captcha':
      return trouble(failure.kind, null, Math.max(0, Math.ceil(failure.waitMs)))
    case 'refused-by-broker':
      return trouble('refused-by-broker', failure.detail)
    case 'not-found':
      return trouble('refused-by-broker', 'not-found')
    case 'unreachable':
      return trouble('unreachable', failure.status === null ? failure.cause : `http-${String(failure.status)}`)
    case 'database':
      return trouble(`database-${failure.problem}`)
    case 'aborted':
      return trouble('stopped')
    default:
      return assertNever(failure)
  }
}
