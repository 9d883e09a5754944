import { WebSocket } from 'ws'
import { z } from 'zod'

/** One message within a frame. */
export type Message =
  /** The answer to the request with this id; `data` is plain text if `status` is not 200. Several may have the same id. */
  | { readonly kind: 'answer'; readonly id: number; readonly status: number; readonly data: unknown }
  | { readonly kind: 'event'; readonly name: string; readonly data: unknown }

/** A frame of the socket. */
export type Frame =
  | { readonly kind: 'open' }
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }
  | { readonly kind: 'unreadable' }

const closing = z.tuple([z.number(), z.string()]).rest(z.unknown())

/** The client's heartbeat. */
const heartbeat = '[]'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

// Some servers wrap each element in a JSON string again.
const messageOf = (element: unknown): Message | null => {
  const value = typeof element === 'string' ? parsed(element) : element
  if (typeof value !== 'object' || value === null) return null
  // Parsed by hand for speed: a leader's fill comes among a dozen of these, and every copy waits.
  const { e: name, i: id, s: status, d: data } = value as Readonly<Record<'e' | 'i' | 's' | 'd', unknown>>
  if (typeof name === 'string') return { kind: 'event', name, data }
  return Number.isInteger(id) && Number.isInteger(status) ? { kind: 'answer', id: id as number, status: status as number, data } : null
}

/** Parses a frame; messages of unknown shape are skipped. */
export const readFrame = (text: string): Frame => {
  if (text === 'o') return { kind: 'open' }
  if (text === 'h') return { kind: 'heartbeat' }
  const value = parsed(text.slice(1))
  if (text.startsWith('a') && Array.isArray(value)) return { kind: 'messages', messages: value.map(messageOf).filter((message) => message !== null) }
  if (text.startsWith('c')) {
    const { data } = closing.safeParse(value)
    return { kind: 'close', code: data?.[0] ?? 0, reason: data?.[1] ?? '' }
  }
  return { kind: 'unreadable' }
}

/** A request frame: endpoint without a leading slash, request id, an empty URL query, and body. */
export const writeFrame = (endpoint: string, id: number, body: string): string => `${endpoint}\n${String(id)}\n\n${body}`

/** Milliseconds: heartbeat interval, silence before a ping, and from there until the wire counts as dead. */
export type WireTimes = { readonly heartbeatMs: number; readonly silenceMs: number; readonly pongMs: number }

/** Dependencies of a wire; `calls` counts its own request, the authorization. */
type Deps = {
  readonly url: string
  readonly token: string
  readonly times: WireTimes
  readonly calls: (count: number) => void
  /** Called for each frame, before its messages. */
  readonly onActivity: () => void
  /** The messages of one frame, including the answer to `authorizeId`. */
  readonly take: (messages: readonly Message[]) => void
  /** The wire is dead and must be closed by its owner; a number is the status of a refusal. */
  readonly lost: (why: 'network' | 'silence' | number) => void
}

/** The request id of authorization; all other ids are free. */
export const authorizeId = 0
const closeTimeoutMs = 500
// The first frame has the whole state of a user's accounts.
const largestFrame = 32 * 1024 * 1024

/** Opens a connection to one of the broker's sockets, authorizes it, keeps it alive, and notices when it is dead. */
export const openWire = ({ url, token, times, calls, onActivity, take, lost }: Deps) => {
  const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: times.silenceMs, followRedirects: false, maxPayload: largestFrame })
  let receivedAt = performance.now()
  let isPinged = false
  let isOver = false

  const beats = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(heartbeat)
    // Silence while paused is no sign of death.
    if (socket.isPaused) receivedAt = performance.now()
    const silentMs = performance.now() - receivedAt
    if (silentMs > times.silenceMs + times.pongMs) lost('silence')
    else if (silentMs > times.silenceMs && !isPinged && socket.readyState === WebSocket.OPEN) {
      isPinged = true
      socket.ping()
    }
  }, times.heartbeatMs)

  const alive = (): void => {
    receivedAt = performance.now()
    isPinged = false
  }

  socket.on('message', (data: Buffer) => {
    alive()
    if (isOver) return
    onActivity()
    const frame = readFrame(data.toString('utf8'))
    if (frame.kind === 'messages') take(frame.messages)
    else if (frame.kind === 'close') lost('network')
    else if (frame.kind === 'open') {
      calls(1)
      socket.send(writeFrame('authorize', authorizeId, token))
    }
  })
  socket.on('pong', alive)
  socket.on('unexpected-response', (request, response) => {
    lost(response.statusCode ?? 0)
    request.destroy()
  })
  // Drop the error text: it may contain the address and says no more than that the connection is gone.
  socket.on('error', () => { lost('network') })
  socket.on('close', () => { lost('network') })

  return {
    socket,
    /** `performance.now()` of the last frame. */
    receivedAt: (): number => receivedAt,
    /** Stops receiving and sending; `asked` allows a graceful close. */
    end: (asked: boolean): void => {
      isOver = true
      clearInterval(beats)
      socket.close()
      // A dead wire does not answer a close frame either.
      if (asked) setTimeout(() => { socket.terminate() }, closeTimeoutMs).unref()
      else socket.terminate()
    },
  }
}
