import type { Log } from '#shared/base/log.ts'
import type { Fact, FillFact } from '#shared/copier/facts.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { BrokerFailure } from '../../brokers/tradovate/failure.ts'
import { socketUrl, type Environment } from '../../brokers/tradovate/hosts.ts'
import type { LimitRow } from '../../brokers/tradovate/limit-rows.ts'
import type { CashNow, LiveAccount, LiveContract } from '../../brokers/tradovate/live.ts'
import type { Login, Pass } from '../../brokers/tradovate/login.ts'
import { createReads } from '../../brokers/tradovate/reads.ts'
import { openSocket, type SocketEnd, type SocketNews, type SocketTimes, type SyncForm } from '../../brokers/tradovate/socket.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { readAccounts } from './line-accounts.ts'
import { createLineContracts } from './line-contracts.ts'
import { isBehind, type ReadPath } from './line-lists.ts'
import { createLineOrders, type LineOrders, type Seat } from './line-orders.ts'
import { createLineReading } from './line-reading.ts'
import { pauseBefore, steadyMs, whyOf } from './reconnect.ts'

/** Why a line stands as it does. `opening` and `reading` are on the way up; `login-needed` waits for the user's consent. */
export type LineWhy =
  | 'opening' | 'reading' | 'network' | 'silence' | 'refused' | 'pushed-out' | 'quota' | 'maintenance' | 'asked' | 'login-needed' | 'permission-missing' | 'wrong-host'

/** Whether a line may be relied on: `up` only once snapshot and lists were read after the socket was authorised. */
export type LineState = 'up' | 'connecting' | 'down'

/** What a line tells, in the order in which it happened. */
export type LineEvent =
  /** `heardAt` is `performance.now()` when it arrived; facts of a snapshot and of lists may be old, those of the socket are news. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[]; readonly heardAt: number; readonly source: 'socket' | 'snapshot' | 'lists' }
  /** All lists were read: these are all positions of the running session, with those that the socket told meanwhile; what is not among them is flat. */
  | { readonly kind: 'listed'; readonly positions: readonly { readonly accountId: number; readonly contractId: number }[] }
  | { readonly kind: 'accounts'; readonly accounts: readonly LiveAccount[] }
  | { readonly kind: 'contracts'; readonly contracts: readonly LiveContract[] }
  | { readonly kind: 'limits'; readonly rows: readonly LimitRow[] }
  | { readonly kind: 'state'; readonly state: LineState; readonly why: LineWhy | null }

/**
 * One login on one side of the broker: its socket, its lists, its orders. `place` sends in the same tick where the socket
 * stands, and calls `onWire` with `performance.now()` once the request was handed to the network; no call of it rejects.
 */
export type Line = LineOrders & {
  readonly loginId: string
  readonly environment: Environment
  readonly state: () => LineState
  /** Reads all lists in a reading that began after this call, and tells them as facts before it resolves: false where they could not be read. */
  readonly readAnew: () => Promise<boolean>
  /** Every fill of an order that the broker knows now, told as facts too; null where it could not be read. */
  readonly fillsOf: (orderId: number) => Promise<readonly FillFact[] | null>
  readonly cashOf: (accountId: number) => Promise<CashNow | null>
  /** Reads the broker's own limits of all accounts and tells them as `limits`; a login that may not read them tells none. */
  readonly readLimits: () => Promise<void>
  /** The contract of this name, told as `contracts` too; null where there is none or it could not be read. */
  readonly contractNamed: (name: string) => Promise<LiveContract | null>
  /** Closes the socket and opens it at once: after sleep, or by wish. */
  readonly reopen: (why: 'asked' | 'silence') => void
  /** Says nothing more; resolves when the socket is closed. Orders that still wait for their answers are told as lost. */
  readonly stop: () => Promise<void>
}

/** Milliseconds between a line's own looks: at its token, and at all lists though nothing called for it. */
export type LineTimes = { readonly tokenMs: number; readonly refreshMs: number; readonly socket?: SocketTimes }

const lineTimes: LineTimes = { tokenMs: 30_000, refreshMs: 300_000 }

/** What a line needs. `calls` counts what is asked of the broker, as it is asked. */
export type LineParts = {
  readonly loginId: string
  readonly environment: Environment
  /** The login with its tokens; both sides of it share one. */
  readonly login: Login
  readonly timing: Timing
  readonly times?: LineTimes
  readonly say: (event: LineEvent) => void
  readonly calls: (count: number) => void
  readonly log: Log
}

/** Readings until a line goes up although a position counts contracts that no fill explains: the book of that contract waits by itself. */
const mostReadings = 5
const betweenReadingsMs = 250
const betweenProbesMs = 10_000
/** A socket is replaced this long before the token dies that it was opened with: nobody says whether it outlives it. */
const replacedMs = 60_000

/** A line that opens at once and stays open until `stop`. */
export const openLine = ({ loginId, environment, login, timing, times = lineTimes, say, calls, log }: LineParts): Line => {
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve() }, { once: true }) })
  const counted: Login = {
    ...login,
    read: (call, until) => {
      calls(1)
      return login.read(call, until)
    },
  }
  const reads = createReads(counted, environment)
  const read: ReadPath = (path, query = {}) => counted.read({ environment, path, query }, signal)
  let state: LineState = 'down'
  let seat: Seat | null = null
  let endSession: ((why: LineWhy) => void) | null = null
  let pause = new AbortController()
  let form: SyncForm = 'entities'
  let attempt = 0
  let upSince = Infinity
  let probedAt = -Infinity
  let day = tradingDay(timing.now())

  const tell = (event: LineEvent): void => {
    if (!signal.aborted) say(event)
  }
  const setState = (next: LineState, why: LineWhy | null): void => {
    state = next
    tell({ kind: 'state', state, why })
  }

  const reading = createLineReading({ read, contracts: createLineContracts(counted, environment), timing, signal, tell, log })

  /** A refusal of the whole login ends the socket too: it would go on to look alive. */
  const noteFailure = (failure: BrokerFailure): void => {
    const why = whyOf(failure)
    if (why === 'pushed-out' || why === 'login-needed') endSession?.(why)
  }

  /** A closed session and a broker in trouble answer alike; a plain question tells them apart. */
  const isPushedOut = async (): Promise<boolean> => {
    const answer = await read('/account/list').catch(() => null)
    if (answer?.ok === false) noteFailure(answer.error)
    return answer?.ok === false && answer.error.kind === 'session-pushed-out'
  }

  const suspect = (): void => {
    if (timing.now() - probedAt < betweenProbesMs) return
    probedAt = timing.now()
    void isPushedOut()
  }

  /** Opens anew in place of a socket, once what waits there for answers has them. */
  const leave = async (left: Seat): Promise<void> => {
    await left.socket.settled()
    if (seat === left) endSession?.('asked')
  }

  const replace = async (refused: Seat): Promise<boolean> => {
    const other = await login.passInsteadOf(refused.pass, environment, signal)
    if (!other.ok) {
      noteFailure(other.error)
      return false
    }
    await leave(refused)
    return true
  }

  const orders = createLineOrders({ seat: () => seat, now: timing.now, calls, suspect, renew: (refused) => replace(refused).catch(() => false) })

  const whyOfEnd = async (end: SocketEnd, pass: Pass): Promise<LineWhy> => {
    switch (end) {
      case 'refused':
      case 'wrong-host': {
        const other = await login.passInsteadOf(pass, environment, signal)
        return other.ok ? end : whyOf(other.error)
      }
      case 'suspect':
        return (await isPushedOut()) ? 'pushed-out' : 'network'
      case 'unsynced': {
        const users = await reads.users(signal)
        const ids = users.ok ? users.value.rows.map(({ id }) => id) : []
        form = form === 'entities' && ids.length > 0 ? { users: ids } : 'entities'
        return 'refused'
      }
      case 'network':
      case 'silence':
      case 'quota':
      case 'maintenance':
      case 'asked':
        return end
    }
  }

  /** Reads until positions and fills agree; why not, or null. */
  const readAll = async (): Promise<LineWhy | null> => {
    for (let turn = 0; turn < mostReadings; turn += 1) {
      if (turn > 0) await timing.sleep(betweenReadingsMs * 2 ** turn, signal)
      const listed = await reading.readAnew()
      if (!listed.ok) return whyOf(listed.error)
      if (!isBehind(listed.value.facts)) return null
    }
    return null
  }

  /** Tells the accounts where the snapshot left them out; a socket that tells none is asked for by the login's user next time. */
  const withAccounts = async (): Promise<LineWhy | null> => {
    const found = await readAccounts(read)
    if (!found.ok) return whyOf(found.error)
    if (found.value.accounts.length === 0) return null
    tell({ kind: 'accounts', accounts: found.value.accounts })
    if (form !== 'entities' || found.value.userId === null) return null
    form = { users: [found.value.userId] }
    return 'asked'
  }

  const refresh = async (): Promise<boolean> => {
    const listed = await reading.readAnew()
    if (!listed.ok) noteFailure(listed.error)
    return listed.ok && listed.value.withCommands
  }

  /** At 17:00 in Chicago positions are carried into rows of a new session, and the lists begin anew. */
  const followSession = (): void => {
    const today = tradingDay(timing.now())
    if (today !== day) void refresh()
    day = today
  }

  const keepAlive = (of: Seat): void => {
    followSession()
    const renewed = async (): Promise<void> => {
      if ((await login.renewIfDue()) !== null) calls(1)
      const now = login.passNow(environment)
      if (now === null || now.access === of.pass.access || timing.now() <= of.pass.expiresAt - replacedMs) return
      await leave(of)
    }
    renewed().catch(() => undefined)
  }

  /** One socket from its opening to its end; gives why it ended. */
  const live = async (pass: Pass): Promise<LineWhy> => {
    const over = Promise.withResolvers<LineWhy>()
    const synced = Promise.withResolvers<null>()
    let isOver = false
    let accountsSeen = false
    const timers: NodeJS.Timeout[] = []
    const end = (why: LineWhy): void => {
      if (isOver) return
      isOver = true
      over.resolve(why)
    }
    const hear = (news: SocketNews): void => {
      if (isOver) return
      if (news.kind === 'rows') {
        accountsSeen ||= news.rows.accounts.length > 0
        reading.take(news.rows, news.heardAt, news.source)
      } else if (news.kind === 'synced') synced.resolve(null)
      else {
        // Told at once: to find out why may take a while, and nothing may be relied on meanwhile.
        isOver = true
        setState('down', news.why === 'suspect' || news.why === 'unsynced' ? 'network' : news.why)
        whyOfEnd(news.why, pass).catch(() => 'network' as const).then(over.resolve, over.reject)
      }
    }
    const socket = openSocket({ url: socketUrl(pass.base), token: pass.access, form, say: hear, calls, ...(times.socket === undefined ? {} : { times: times.socket }) })
    const own: Seat = { pass, socket }
    seat = own
    endSession = end
    const whyNot = async (): Promise<LineWhy | null> => {
      setState('connecting', 'reading')
      return (await readAll()) ?? (accountsSeen ? null : await withAccounts())
    }
    try {
      const closed = await Promise.race([over.promise, synced.promise])
      if (closed !== null) return closed
      const unread = await Promise.race([over.promise, whyNot()])
      if (unread !== null) return unread
      upSince = timing.now()
      setState('up', null)
      timers.push(setInterval(() => { keepAlive(own) }, times.tokenMs), setInterval(() => void refresh(), times.refreshMs))
      return await over.promise
    } finally {
      isOver = true
      endSession = null
      seat = null
      for (const timer of timers) clearInterval(timer)
      socket.close()
    }
  }

  const once = async (): Promise<LineWhy> => {
    setState('connecting', 'opening')
    const pass = await login.pass(environment, signal)
    return pass.ok && !signal.aborted ? live(pass.value) : pass.ok ? 'asked' : whyOf(pass.error)
  }

  const rest = async (ms: number): Promise<void> => {
    pause = new AbortController()
    await timing.sleep(ms, AbortSignal.any([signal, pause.signal])).catch(() => undefined)
  }

  const run = async (): Promise<void> => {
    let before: LineWhy | null = null
    while (!signal.aborted) {
      upSince = Infinity
      const why = await once().catch(() => 'network' as const)
      if (signal.aborted) return
      // Each kind counts by itself: a few cut lines must not make a login that was pushed out wait for many minutes.
      const sameKind = (why === 'pushed-out') === (before === 'pushed-out')
      attempt = timing.now() - upSince >= steadyMs || !sameKind ? 1 : attempt + 1
      before = why
      setState('down', why)
      if (why === 'network' && attempt >= 2) await login.checkHost(environment, signal).catch(() => undefined)
      await rest(pauseBefore(why, attempt, timing.random()))
      // The newer session may be gone by itself; else a new one of ours closes the oldest of the user.
      if (why === 'pushed-out' && !signal.aborted && (await isPushedOut())) await Promise.race([login.reopen().catch(() => undefined), stopped])
    }
  }

  const ran = run()

  return {
    ...orders,
    loginId,
    environment,
    state: () => state,
    readAnew: refresh,
    fillsOf: (orderId) => reading.fillsOf(orderId).catch(() => null),
    cashOf: async (accountId) => {
      const answer = await reads.snapshot(accountId, signal).catch(() => null)
      if (!answer?.ok) return null
      const { openPnL, realizedPnL, netLiq, totalCashValue } = answer.value
      return { openPnl: openPnL ?? null, realized: realizedPnL ?? null, netLiq: netLiq ?? null, totalCash: totalCashValue ?? null }
    },
    readLimits: () => reading.readLimits().catch(() => undefined),
    contractNamed: (name) => reading.contractNamed(name).catch(() => null),
    reopen: (why) => {
      attempt = 0
      endSession?.(why === 'silence' ? 'asked' : why)
      pause.abort()
    },
    stop: async () => {
      stopping.abort()
      endSession?.('asked')
      await ran
    },
  }
}
