import type { Log } from '#shared/base/log.ts'
import type { FillFact } from '#shared/copier/facts.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { BrokerFailure } from '../../brokers/failure.ts'
import type { Environment } from '#shared/sync/plan.ts'
import { socketUrl } from '../../brokers/tradovate/hosts.ts'
import type { CashNow, LiveAccount, LiveContract, ChangeOutcome, OrderChange, OrderToPlace, OtherLeg, PairOutcome, PlaceOutcome } from '../../brokers/tradovate/live.ts'
import type { Login, Pass } from '../../brokers/tradovate/login.ts'
import { createReads } from '../../brokers/tradovate/reads.ts'
import { openSocket, type SocketEnd, type SocketNews, type SocketTimes, type SyncForm, type LiveSocket } from '../../brokers/tradovate/socket.ts'
import { wallOf, type Timing } from '../../brokers/timing.ts'
import { rowsOfList } from '../../brokers/tradovate/live-messages.ts'
import { readRows, userRow } from '../../brokers/tradovate/wire.ts'
import { createOrderWire, type OrderReply, type OrderRoute } from '../../brokers/tradovate/orders.ts'
import { createLineContracts, createLineReading, isBehind, type LineEvent, type LineState, type ReadPath } from './line-reading.ts'
import { pauseBefore, steadyMs, whyOf, type LineWhy } from './reconnect.ts'

/** A second refused token means a missing permission: no new token for this many milliseconds. */
const deniedMs = 60_000
/** How long a refused call waits for a new token and its socket, milliseconds. */
const renewingMs = 1_000

/** A line's current socket and the pass it was opened with. */
type Connection = { readonly pass: Pass; readonly socket: LiveSocket }

type Deps = {
  readonly connection: () => Connection | null
  readonly now: () => number
  readonly calls: (count: number) => void
  /** Called when an answer looks like a closed session. */
  readonly suspect: () => void
  /** Replaces a pass that was refused or redirected, and reopens the line with it; false if there is none. */
  readonly renew: (refused: Connection) => Promise<boolean>
}

type NoAnswer = Extract<PlaceOutcome, { kind: 'not-now' | 'lost' }>

/** A line's order calls. None of them ever rejects. */
type LineOrders = ReturnType<typeof createLineOrders>

/** Sends on the line's socket in the same tick; if its token or host is refused, nothing was done, and the token is renewed once. */
const createLineOrders = ({ connection: connectionNow, now, calls, suspect, renew }: Deps) => {
  const wire = createOrderWire()
  let refused: Connection | null = null
  let renewedAt = -Infinity

  /** Whether a refused socket is being replaced; not if it was renewed just now. */
  const replaces = (connection: Connection): boolean => {
    if (refused === connection) return true
    if (now() - renewedAt < deniedMs) return false
    refused = connection
    void renew(connection).then((renewed) => {
      if (renewed) renewedAt = now()
      else refused = null
    })
    return true
  }

  const send = async <T>(ask: (route: OrderRoute) => Promise<OrderReply<T>>): Promise<T | NoAnswer> => {
    calls(1)
    const connection = connectionNow()
    if (connection === null) return { kind: 'lost', reached: false }
    const { outcome, about } = await ask({ ask: connection.socket.ask, token: connection.pass.access })
    if (about === 'session') suspect()
    return (about === 'token' || about === 'host') && replaces(connection) ? { kind: 'not-now', why: 'renewing', waitMs: renewingMs } : outcome
  }

  return {
    place: (order: OrderToPlace, onWire?: (at: number) => void): Promise<PlaceOutcome> => send((route) => wire.place(route, order, onWire)),
    placePair: (order: OrderToPlace, other: OtherLeg, onWire?: (at: number) => void): Promise<PairOutcome> => send((route) => wire.placePair(route, order, other, onWire)),
    modify: (change: OrderChange): Promise<ChangeOutcome> => send((route) => wire.modify(route, change)),
    cancel: (order: { readonly orderId: number; readonly clOrdId: string; readonly byHand?: boolean }): Promise<ChangeOutcome> => send((route) => wire.cancel(route, order)),
    liquidate: (position: { readonly accountId: number; readonly contractId: number }): Promise<PlaceOutcome> => send((route) => wire.liquidate(route, position)),
  }
}

/**
 * One login on one side of the broker: its socket, lists, and orders. `place` sends in the same tick if the socket is open, and calls `onWire` with
 * `performance.now()` once the request is handed to the network. No call rejects.
 */
export type BrokerLine = LineOrders & {
  readonly loginId: string
  readonly environment: Environment
  readonly state: () => LineState
  /** Rereads all lists, starting after this call, and emits their facts before it resolves; false if unreadable. */
  readonly readAnew: () => Promise<boolean>
  /** All fills of an order that the broker has, also emitted as facts; null if unreadable. */
  readonly fillsOf: (orderId: number) => Promise<readonly FillFact[] | null>
  readonly cashOf: (accountId: number) => Promise<CashNow | null>
  /** Reads the broker's own limits of all accounts and emits them as `limits`; none if the login may not read them. */
  readonly readLimits: () => Promise<void>
  /** The contract of this name, also emitted as `contracts`; null if unknown or unreadable. */
  readonly contractNamed: (name: string) => Promise<LiveContract | null>
  /** Reopens the socket at once: after sleep or on request. */
  readonly reopen: () => void
  /** Emits nothing more; resolves once the socket is closed. Orders without an answer end as lost. */
  readonly stop: () => Promise<void>
}

/** Intervals of a line's token check and of its unprompted list read, milliseconds. */
export type LineTimes = { readonly tokenMs: number; readonly refreshMs: number; readonly socket?: SocketTimes }

const lineTimes: LineTimes = { tokenMs: 30_000, refreshMs: 300_000 }

/** Dependencies of a line. `calls` counts broker calls as they are made. */
export type LineDeps = {
  readonly loginId: string
  readonly environment: Environment
  /** The login with its tokens, shared by both sides. */
  readonly login: Login
  readonly timing: Timing
  readonly times?: LineTimes
  readonly emit: (event: LineEvent) => void
  readonly calls: (count: number) => void
  readonly log: Log
}

/** Reads before a line goes up although no fill explains a position: only that contract's book keeps waiting. */
const mostReadings = 5
const betweenReadingsMs = 250
const betweenProbesMs = 10_000
/** A socket is replaced this long before its token expires: it is undocumented whether it survives that. */
const replacedMs = 60_000

/** Opens a line that stays open until `stop`. */
export const openLine = ({ loginId, environment, login, timing, times = lineTimes, emit, calls, log }: LineDeps): BrokerLine => {
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
  let connection: Connection | null = null
  let endSession: ((why: LineWhy) => void) | null = null
  let pause = new AbortController()
  let form: SyncForm = 'entities'
  let attempt = 0
  let upSince = Infinity
  let probedAt = -Infinity
  let day = tradingDay(wallOf(timing))

  const emitEvent = (event: LineEvent): void => {
    if (!signal.aborted) emit(event)
  }
  const setState = (next: LineState, why: LineWhy | null): void => {
    state = next
    emitEvent({ kind: 'state', state, why })
  }

  const reading = createLineReading({ read, contracts: createLineContracts(counted, environment), timing, signal, emit: emitEvent, log })

  /** A refused login ends the socket too, which would otherwise look alive. */
  const recordFailure = (failure: BrokerFailure): void => {
    const why = whyOf(failure)
    if (why === 'pushed-out' || why === 'login-needed') endSession?.(why)
  }

  /** A closed session and a failing broker answer alike; a plain request tells them apart. */
  const isPushedOut = async (): Promise<boolean> => {
    const answer = await read('/account/list').catch(() => null)
    if (answer?.ok === false) recordFailure(answer.error)
    return answer?.ok === false && answer.error.kind === 'session-pushed-out'
  }

  /** Called when an answer looks like a closed session: checks it, at most every ten seconds. */
  const probeSession = (): void => {
    if (timing.now() - probedAt < betweenProbesMs) return
    probedAt = timing.now()
    void isPushedOut()
  }

  /** Closes a socket once its pending requests are answered; the line then opens a new one. */
  const closeWhenSettled = async (old: Connection): Promise<void> => {
    await old.socket.settled()
    if (connection === old) endSession?.('asked')
  }

  /** Gets a pass in place of a refused one, and reopens the line with it; false if there is none. */
  const renewPass = async (refused: Connection): Promise<boolean> => {
    const other = await login.passInsteadOf(refused.pass, environment, signal)
    if (!other.ok) {
      recordFailure(other.error)
      return false
    }
    await closeWhenSettled(refused)
    return true
  }

  const orders = createLineOrders({ connection: () => connection, now: timing.now, calls, suspect: probeSession, renew: (refused) => renewPass(refused).catch(() => false) })

  /** Why a socket closed, after asking the broker where its reason is ambiguous. */
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

  /** Reads until positions and fills agree; returns the failure, or null. */
  const readAll = async (): Promise<LineWhy | null> => {
    for (let round = 0; round < mostReadings; round += 1) {
      if (round > 0) await timing.sleep(betweenReadingsMs * 2 ** round, signal)
      const listed = await reading.readAnew()
      if (!listed.ok) return whyOf(listed.error)
      if (!isBehind(listed.value.facts)) return null
    }
    return null
  }

  /** Emits the accounts if the snapshot has none; the next socket then syncs by user id. */
  const emitAccounts = async (): Promise<LineWhy | null> => {
    const found = await readAccounts(read)
    if (!found.ok) return whyOf(found.error)
    if (found.value.accounts.length === 0) return null
    emitEvent({ kind: 'accounts', accounts: found.value.accounts })
    if (form !== 'entities' || found.value.userId === null) return null
    form = { users: [found.value.userId] }
    return 'asked'
  }

  /** Rereads all lists; false if they could not be read completely. */
  const refresh = async (): Promise<boolean> => {
    const listed = await reading.readAnew()
    if (!listed.ok) recordFailure(listed.error)
    return listed.ok && listed.value.withCommands
  }

  /** At 17:00 in Chicago positions carry over to new session rows, and the lists restart. */
  const followSession = (): void => {
    const today = tradingDay(wallOf(timing))
    if (today !== day) void refresh()
    day = today
  }

  const keepAlive = (of: Connection): void => {
    followSession()
    const renewed = async (): Promise<void> => {
      if ((await login.renewIfDue()) !== null) calls(1)
      const now = login.passNow(environment)
      if (now === null || now.access === of.pass.access || wallOf(timing) <= of.pass.expiresAt - replacedMs) return
      await closeWhenSettled(of)
    }
    renewed().catch(() => undefined)
  }

  /** Runs one socket from open to close; returns why it closed. */
  const runSocket = async (pass: Pass): Promise<LineWhy> => {
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
    const onNews = (news: SocketNews): void => {
      if (isOver) return
      if (news.kind === 'rows') {
        accountsSeen ||= news.rows.accounts.length > 0
        reading.take(news.rows, news.receivedAt, news.source)
      } else if (news.kind === 'synced') synced.resolve(null)
      else {
        // Report at once: finding the reason may take a while, and nothing is reliable meanwhile.
        isOver = true
        setState('down', news.why === 'suspect' || news.why === 'unsynced' ? 'network' : news.why)
        whyOfEnd(news.why, pass).catch(() => 'network' as const).then(over.resolve, over.reject)
      }
    }
    const socket = openSocket({ url: socketUrl(pass.base), token: pass.access, form, onNews, calls, ...(times.socket === undefined ? {} : { times: times.socket }) })
    const own: Connection = { pass, socket }
    connection = own
    endSession = end
    /** Reads everything before the line goes up; why that failed, or null. */
    const getReady = async (): Promise<LineWhy | null> => {
      setState('connecting', 'reading')
      return (await readAll()) ?? (accountsSeen ? null : await emitAccounts())
    }
    try {
      const closed = await Promise.race([over.promise, synced.promise])
      if (closed !== null) return closed
      const unread = await Promise.race([over.promise, getReady()])
      if (unread !== null) return unread
      upSince = timing.now()
      setState('up', null)
      timers.push(setInterval(() => { keepAlive(own) }, times.tokenMs), setInterval(() => void refresh(), times.refreshMs))
      return await over.promise
    } finally {
      isOver = true
      endSession = null
      connection = null
      for (const timer of timers) clearInterval(timer)
      socket.close()
    }
  }

  /** Opens the line once, until its socket closes; returns why it closed. */
  const openOnce = async (): Promise<LineWhy> => {
    setState('connecting', 'opening')
    const pass = await login.pass(environment, signal)
    return pass.ok && !signal.aborted ? runSocket(pass.value) : pass.ok ? 'asked' : whyOf(pass.error)
  }

  const pauseFor = async (ms: number): Promise<void> => {
    pause = new AbortController()
    await timing.sleep(ms, AbortSignal.any([signal, pause.signal])).catch(() => undefined)
  }

  const run = async (): Promise<void> => {
    let previous: LineWhy | null = null
    while (!signal.aborted) {
      upSince = Infinity
      const why = await openOnce().catch(() => 'network' as const)
      if (signal.aborted) return
      // Count each kind separately: a few cut lines must not make a pushed-out login wait for minutes.
      const sameKind = (why === 'pushed-out') === (previous === 'pushed-out')
      attempt = timing.now() - upSince >= steadyMs || !sameKind ? 1 : attempt + 1
      previous = why
      setState('down', why)
      if (why === 'network' && attempt >= 2) await login.checkHost(environment, signal).catch(() => undefined)
      await pauseFor(pauseBefore(why, attempt, timing.random()))
      // The newer session may have ended; otherwise our new one closes the user's oldest.
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
    reopen: () => {
      attempt = 0
      endSession?.('asked')
      pause.abort()
    },
    stop: async () => {
      stopping.abort()
      endSession?.('asked')
      await ran
    },
  }
}

/** A login's accounts on a side, and the login's user id if the broker has it. */
type FoundAccounts = { readonly accounts: readonly LiveAccount[]; readonly userId: number | null }

const accountsAt = async (read: ReadPath, query: Record<string, string>): Promise<Result<readonly LiveAccount[], BrokerFailure>> => {
  const answer = await read('/account/list', query)
  if (!answer.ok) return answer
  const rows = rowsOfList('account', answer.value)
  return rows === null ? err({ kind: 'unreadable-answer' }) : ok(rows.accounts)
}

/** Reads the accounts, and if the list is empty, again by user id: some logins need it. */
const readAccounts = async (read: ReadPath): Promise<Result<FoundAccounts, BrokerFailure>> => {
  const plain = await accountsAt(read, {})
  if (!plain.ok) return plain
  const users = await read('/user/list')
  const userId = users.ok ? (readRows('user', userRow, users.value)?.rows[0]?.id ?? null) : null
  if (plain.value.length > 0 || userId === null) return ok({ accounts: plain.value, userId })
  const own = await accountsAt(read, { userId: String(userId) })
  return own.ok ? ok({ accounts: own.value, userId }) : own
}
