import { z } from 'zod'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Exchange } from '../exchange.ts'
import { writeFrame, authorizeId, openWire, type Message, type WireTimes } from './open-wire.ts'
import { rowsOfProps, rowsOfSnapshot, type LiveRows } from './live-messages.ts'

/** With more unsent bytes than this the link is stalled: the orders of one fill for fifty followers are a quarter of it, and a working link takes those at once. */
const stalledBytes = 65_536

/**
 * Sends one request, written in the tick of the call; never rejects. `onWire` gets `performance.now()` when the system took
 * it. `reached` is false only if nothing of it was written.
 */
export type Ask = (endpoint: string, body: string, onWire?: (at: number) => void) => Promise<Exchange>

/** The pending requests of one socket. */
type Asks = {
  readonly ask: Ask
  /** Takes the answer to the request of this id, if it is pending. */
  readonly answered: (id: number, status: number, data: unknown) => void
  /** Resolves once no request is pending. */
  readonly settled: () => Promise<void>
  /** Ends all pending requests as lost: the broker may have executed them or not. */
  readonly end: () => void
}

type PendingRequest = { readonly over: (exchange: Exchange) => void; readonly answer: Promise<Exchange>; readonly until: number; isWritten: boolean }

const lost = (cause: 'network' | 'timeout', reached: boolean): Exchange => ({ kind: 'lost', cause, reached })

const exchangeOf = (status: number, data: unknown): Exchange =>
  typeof data === 'string' || data === undefined
    ? { kind: 'text', status, retryAfterMs: null, text: (data ?? '').slice(0, 500) }
    : { kind: 'json', status, retryAfterMs: null, value: data }

type AskDeps = {
  readonly socket: WebSocket
  /** Whether requests may go out at all. */
  readonly isReady: () => boolean
  readonly nextId: () => number
  /** Called when a request stayed unsent so long that it must not go out any more. */
  readonly stuck: () => void
  /** How long to wait for an answer. */
  readonly patienceMs: number
}

/** Sends requests on a socket and matches answers by id. */
const createAsks = ({ socket, isReady, nextId, stuck, patienceMs }: AskDeps): Asks => {
  const waiting = new Map<number, PendingRequest>()
  let connection: Socket | null = null
  let isCorked = false
  let timer: NodeJS.Timeout | null = null
  socket.on('upgrade', (response) => { connection = response.socket })

  /** All have the same timeout, so the oldest expires first: one timer serves them all. */
  const expire = (): void => {
    timer = null
    const now = performance.now()
    for (const { over, until, isWritten } of waiting.values()) {
      if (until > now) {
        timer = setTimeout(expire, until - now)
        return
      }
      over(lost('timeout', true))
      if (!isWritten) stuck()
    }
  }

  const uncork = (): void => {
    if (isCorked) connection?.uncork()
    isCorked = false
  }

  /** All requests of one tick go to the system in one write: fifty orders are one system call. */
  const cork = (): void => {
    if (isCorked) return
    isCorked = true
    connection?.cork()
    process.nextTick(uncork)
  }

  return {
    ask: (endpoint, body, onWire) => {
      // This tick's requests exceed what the link takes at once: the corked ones go first.
      if (isCorked && socket.bufferedAmount > stalledBytes) uncork()
      if (!isReady() || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > stalledBytes) return Promise.resolve(lost('network', false))
      const id = nextId()
      const { promise: answer, resolve } = Promise.withResolvers<Exchange>()
      const over = (exchange: Exchange): void => {
        waiting.delete(id)
        resolve(exchange)
      }
      const request: PendingRequest = { over, answer, until: performance.now() + patienceMs, isWritten: false }
      waiting.set(id, request)
      timer ??= setTimeout(expire, patienceMs)
      cork()
      socket.send(writeFrame(endpoint, id, body), (error) => {
        if (error) return
        request.isWritten = true
        onWire?.(performance.now())
      })
      return answer
    },
    answered: (id, status, data) => waiting.get(id)?.over(exchangeOf(status, data)),
    settled: async () => {
      while (waiting.size > 0) await Promise.all([...waiting.values()].map(({ answer }) => answer))
    },
    end: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      for (const { over } of [...waiting.values()]) over(lost('network', true))
    },
  }
}

/**
 * Why a socket closed. `refused`: the token expired or lacks permission; `suspect`: looks like newer sessions of
 * the user closed it, or a failing broker; `unsynced`: the broker rejects this form of the sync request.
 */
export type SocketEnd = 'network' | 'silence' | 'refused' | 'suspect' | 'quota' | 'maintenance' | 'wrong-host' | 'unsynced' | 'asked'

/** A socket's events, in order; nothing follows `closed`. */
export type SocketNews =
  /** `receivedAt` is `performance.now()` when the frame arrived. A split snapshot comes in several. */
  | { readonly kind: 'rows'; readonly rows: LiveRows; readonly receivedAt: number; readonly source: 'snapshot' | 'socket' }
  /** The first sync answer arrived: no event is missed from now on. */
  | { readonly kind: 'synced' }
  | { readonly kind: 'closed'; readonly why: SocketEnd }

/** The sync request: by entities, or, if that returns no accounts, by the login's users. */
export type SyncForm = 'entities' | { readonly users: readonly number[] }

/** Milliseconds; `answerMs`: request timeout, after which its outcome must be looked up. */
export type SocketTimes = WireTimes & { readonly answerMs: number }

/** Required by the broker's rules. */
export const socketTimes: SocketTimes = { heartbeatMs: 2_500, silenceMs: 10_000, pongMs: 5_000, answerMs: 10_000 }

/** Dependencies of a socket; `calls` counts broker calls as they are made. */
type Deps = {
  readonly url: string
  readonly token: string
  readonly form: SyncForm
  readonly times?: SocketTimes
  readonly onNews: (news: SocketNews) => void
  readonly calls: (count: number) => void
}

/** An open or opening socket. */
export type LiveSocket = {
  /** Sends a request. Nothing is written before the sync, and pending requests are lost on close. */
  readonly ask: Ask
  /** Resolves once every request is answered or lost. */
  readonly settled: () => Promise<void>
  /** Emits `closed` with `asked`, unless already closed. */
  readonly close: () => void
}

const entityTypes = ['user', 'account', 'order', 'orderVersion', 'fill', 'position', 'cashBalance', 'command', 'commandReport', 'contract', 'contractMaturity', 'product']
const mostTickets = 3
const longestPenaltyMs = 120_000

const ticket = z.object({ 'p-ticket': z.string().optional(), 'p-time': z.number().nonnegative().optional(), 'p-captcha': z.boolean().optional() })
const shutdown = z.object({ reasonCode: z.string() })

const confirming: ReadonlySet<unknown> = new Set(['orderVersion', 'commandReport', 'position', 'cashBalance'])
const entityOf = (data: unknown): unknown => (typeof data === 'object' && data !== null && 'entityType' in data ? data.entityType : null)

const endOfStatus = (status: number): SocketEnd => {
  if (status === 401 || status === 403) return 'refused'
  if (status === 408 || status === 429 || status === 500) return 'suspect'
  if (status === 421 || (status >= 300 && status < 400)) return 'wrong-host'
  return status === 423 ? 'quota' : 'network'
}

/** Opens a socket, authorizes it, sends the sync request once, and emits its news until it closes. */
export const openSocket = ({ url, token, form, times = socketTimes, onNews, calls }: Deps): LiveSocket => {
  let isOver = false
  let isSynced = false
  let lastId = authorizeId
  let syncId = authorizeId
  let tickets = 0
  let penalty: NodeJS.Timeout | undefined
  let deferred: readonly unknown[] = []
  let deferredHeardAt = 0
  let deferTimer: NodeJS.Immediate | undefined

  const nextId = (): number => {
    lastId += 1
    return lastId
  }

  const end = (why: SocketEnd): void => {
    if (isOver) return
    emitDeferred()
    isOver = true
    clearTimeout(penalty)
    wire.end(why === 'asked')
    onNews({ kind: 'closed', why })
    asks.end()
  }

  const sync = (more: Record<string, string> = {}): void => {
    syncId = nextId()
    calls(1)
    const wanted = form === 'entities' ? { splitResponses: true, entityTypes } : { users: form.users }
    wire.socket.send(writeFrame('user/syncrequest', syncId, JSON.stringify({ ...wanted, ...more })))
  }

  const waitOut = (read: z.infer<typeof ticket>): void => {
    const waitMs = (read['p-time'] ?? 0) * 1000
    tickets += 1
    const given = read['p-ticket']
    if (read['p-captcha'] === true || given === undefined || tickets > mostTickets || waitMs > longestPenaltyMs) end('quota')
    else penalty = setTimeout(() => { sync({ 'p-ticket': given }) }, waitMs)
  }

  const answered = (id: number, status: number, data: unknown): void => {
    if (id === authorizeId) {
      if (status === 200) sync()
      else end(endOfStatus(status))
      return
    }
    if (id !== syncId) {
      asks.answered(id, status, data)
      return
    }
    if (status !== 200) {
      const why = endOfStatus(status)
      end(why === 'network' ? 'unsynced' : why)
      return
    }
    const penalised = ticket.safeParse(data).data
    if (penalised?.['p-ticket'] !== undefined || penalised?.['p-captcha'] === true) {
      waitOut(penalised)
      return
    }
    const rows = rowsOfSnapshot(data ?? {})
    if (rows !== null) onNews({ kind: 'rows', rows, receivedAt: wire.receivedAt(), source: 'snapshot' })
    if (!isSynced) onNews({ kind: 'synced' })
    isSynced = true
  }

  const emitDeferred = (): void => {
    clearImmediate(deferTimer)
    const props = deferred
    deferred = []
    if (props.length > 0) onNews({ kind: 'rows', rows: rowsOfProps(props), receivedAt: deferredHeardAt, source: 'socket' })
  }

  /** Emits the rows needed to copy a fill; those that only confirm it are deferred until after this tick's requests, or until the next frame. */
  const emitRows = (props: readonly unknown[]): void => {
    // Within one frame, rows before an answer happened before those after it.
    emitDeferred()
    if (!props.some((data) => entityOf(data) === 'fill')) {
      onNews({ kind: 'rows', rows: rowsOfProps(props), receivedAt: wire.receivedAt(), source: 'socket' })
      return
    }
    deferred = props.filter((data) => confirming.has(entityOf(data)))
    deferredHeardAt = wire.receivedAt()
    deferTimer = setImmediate(() => { deferTimer = setImmediate(emitDeferred) })
    onNews({ kind: 'rows', rows: rowsOfProps(props.filter((data) => !confirming.has(entityOf(data)))), receivedAt: wire.receivedAt(), source: 'socket' })
  }

  /** Emits once per frame, so that handlers see everything that the broker sent at once. */
  const take = (messages: readonly Message[]): void => {
    let props: unknown[] = []
    const flushProps = (): void => {
      if (props.length > 0 && !isOver) emitRows(props)
      props = []
    }
    for (const message of messages) {
      if (message.kind === 'event' && message.name === 'props') props.push(message.data)
      else {
        flushProps()
        if (isOver) return
        if (message.kind === 'answer') answered(message.id, message.status, message.data)
        else if (message.name === 'shutdown') end(shutdown.safeParse(message.data).data?.reasonCode === 'Maintenance' ? 'maintenance' : 'quota')
      }
    }
    flushProps()
  }

  const wire = openWire({
    url,
    token,
    times,
    calls,
    onActivity: emitDeferred,
    take,
    lost: (why) => { end(typeof why === 'string' ? why : why === 429 ? 'quota' : endOfStatus(why)) },
  })
  const asks = createAsks({ socket: wire.socket, isReady: () => isSynced && !isOver, nextId, stuck: () => { end('silence') }, patienceMs: times.answerMs })

  return { ask: asks.ask, settled: asks.settled, close: () => { end('asked') } }
}
