import { WebSocket } from 'ws'
import { heartbeat, readFrame, writeFrame, type Message } from './frames.ts'

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
      socket.send(writeFrame('authorize', authorizeId, { body: token }))
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
