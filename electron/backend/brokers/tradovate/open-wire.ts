import { WebSocket } from 'ws'
import { heartbeat, readFrame, writeFrame, type Message } from './frames.ts'

/** Milliseconds: between heartbeats, without a frame until the broker is pinged, and from there until the wire counts as dead. */
export type WireTimes = { readonly heartbeatMs: number; readonly silenceMs: number; readonly pongMs: number }

/** What a wire needs; `calls` counts what it asks by itself, which is to authorise. */
type Deps = {
  readonly url: string
  readonly token: string
  readonly times: WireTimes
  readonly calls: (count: number) => void
  /** A frame came; said before anything in it is. */
  readonly heard: () => void
  /** The messages of one frame, the answer to `authorizeId` among them. */
  readonly take: (messages: readonly Message[]) => void
  /** It is of no use any more, and whoever opened it is to end it; a number is the status by which it was refused. */
  readonly lost: (why: 'network' | 'silence' | number) => void
}

/** A connection that is open or on its way. */
export type Wire = {
  readonly socket: WebSocket
  /** `performance.now()` of the last frame. */
  readonly heardAt: () => number
  /** Hears and says nothing from now on; `asked` leaves the broker time for a farewell. */
  readonly end: (asked: boolean) => void
}

/** The id under which a wire authorises itself; all other ids are free. */
export const authorizeId = 0
const farewellMs = 500
// The first frame has all that a user's accounts hold.
const largestFrame = 32 * 1024 * 1024

/** Opens a connection to one of the broker's sockets, authorises it, keeps it alive, and notices when it is dead. */
export const openWire = ({ url, token, times, calls, heard, take, lost }: Deps): Wire => {
  const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: times.silenceMs, followRedirects: false, maxPayload: largestFrame })
  let heardAt = performance.now()
  let isPinged = false
  let isOver = false

  const beats = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(heartbeat)
    // Nobody hears what it is not to read.
    if (socket.isPaused) heardAt = performance.now()
    const silentMs = performance.now() - heardAt
    if (silentMs > times.silenceMs + times.pongMs) lost('silence')
    else if (silentMs > times.silenceMs && !isPinged && socket.readyState === WebSocket.OPEN) {
      isPinged = true
      socket.ping()
    }
  }, times.heartbeatMs)

  const alive = (): void => {
    heardAt = performance.now()
    isPinged = false
  }

  socket.on('message', (data: Buffer) => {
    alive()
    if (isOver) return
    heard()
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
  // What is wrong with a connection tells no more than that it is gone; its words may hold the address.
  socket.on('error', () => { lost('network') })
  socket.on('close', () => { lost('network') })

  return {
    socket,
    heardAt: () => heardAt,
    end: (asked) => {
      isOver = true
      clearInterval(beats)
      socket.close()
      // A wire that is dead answers no farewell either.
      if (asked) setTimeout(() => { socket.terminate() }, farewellMs).unref()
      else socket.terminate()
    },
  }
}
