import { z } from 'zod'
import { writeFrame, type Message } from './frames.ts'
import { rowsOfProps, rowsOfSnapshot, type LiveRows } from './live-messages.ts'
import { createAsks, type Ask } from './socket-asks.ts'
import { authorizeId, openWire, type WireTimes } from './open-wire.ts'

/**
 * Why a socket closed. `refused`: the token expired or lacks permission; `suspect`: looks like newer sessions of
 * the user closed it, or a failing broker; `unsynced`: the broker does not take this form of asking.
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

/** What a socket needs; `calls` counts what it asks. */
type Deps = {
  readonly url: string
  readonly token: string
  readonly form: SyncForm
  readonly times?: SocketTimes
  readonly say: (news: SocketNews) => void
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
export const openSocket = ({ url, token, form, times = socketTimes, say, calls }: Deps): LiveSocket => {
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
    say({ kind: 'closed', why })
    asks.end()
  }

  const sync = (more: Record<string, string> = {}): void => {
    syncId = nextId()
    calls(1)
    const wanted = form === 'entities' ? { splitResponses: true, entityTypes } : { users: form.users }
    wire.socket.send(writeFrame('user/syncrequest', syncId, { body: JSON.stringify({ ...wanted, ...more }) }))
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
    if (rows !== null) say({ kind: 'rows', rows, receivedAt: wire.receivedAt(), source: 'snapshot' })
    if (!isSynced) say({ kind: 'synced' })
    isSynced = true
  }

  const emitDeferred = (): void => {
    clearImmediate(deferTimer)
    const props = deferred
    deferred = []
    if (props.length > 0) say({ kind: 'rows', rows: rowsOfProps(props), receivedAt: deferredHeardAt, source: 'socket' })
  }

  /** Emits the rows needed to copy a fill; those that only confirm it are deferred until after this tick's requests, or until the next frame. */
  const emitRows = (props: readonly unknown[]): void => {
    // Within one frame, rows before an answer happened before those after it.
    emitDeferred()
    if (!props.some((data) => entityOf(data) === 'fill')) {
      say({ kind: 'rows', rows: rowsOfProps(props), receivedAt: wire.receivedAt(), source: 'socket' })
      return
    }
    deferred = props.filter((data) => confirming.has(entityOf(data)))
    deferredHeardAt = wire.receivedAt()
    deferTimer = setImmediate(() => { deferTimer = setImmediate(emitDeferred) })
    say({ kind: 'rows', rows: rowsOfProps(props.filter((data) => !confirming.has(entityOf(data)))), receivedAt: wire.receivedAt(), source: 'socket' })
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
