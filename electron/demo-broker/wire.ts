import type { WebSocket } from 'ws'
import { z } from 'zod'
import { jsonOf } from './answers.ts'
import { GOODBYE_FRAME, HEARTBEAT_FRAME, messagesFrame, OPEN_FRAME, readFrame, type ServerMessage, type SocketRequest } from './frames.ts'

const HEARTBEAT_MS = 2500
const CLIENT_SILENCE_MS = 15_000

type WireDeps = {
  /** Scale of the heartbeat interval and the idle timeout. */
  readonly timeScale: () => number
  readonly onRequest: (request: SocketRequest) => void
  readonly onClose: () => void
  /** Messages that each frame ends with. */
  readonly last?: () => readonly ServerMessage[]
}

/** The server's end of a connection: batches messages, sends heartbeats, and closes it if the client sends nonsense or nothing. */
export const openWire = (socket: WebSocket, { timeScale, onRequest, onClose, last = () => [] }: WireDeps) => {
  let silent = false
  let waiting: ServerMessage[] = []
  let flushing: NodeJS.Immediate | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let impatience: NodeJS.Timeout | undefined

  const put = (frame: string): void => {
    if (silent || socket.readyState !== socket.OPEN) return
    socket.send(frame)
    clearTimeout(heartbeat)
    heartbeat = setTimeout(() => put(HEARTBEAT_FRAME), HEARTBEAT_MS * timeScale())
  }
  const flush = (): void => {
    const messages = [...waiting, ...last()]
    clearImmediate(flushing)
    flushing = undefined
    waiting = []
    if (messages.length > 0) put(messagesFrame(messages))
  }
  // Messages of one event loop turn go out as one frame.
  const flushSoon = (): void => void (flushing ??= setImmediate(flush))
  const goodbye = (): void => {
    put(GOODBYE_FRAME)
    socket.close(3000, 'Go away!')
  }
  const noteActivity = (): void => {
    clearTimeout(impatience)
    impatience = setTimeout(goodbye, CLIENT_SILENCE_MS * timeScale())
  }
  const cut = (): void => socket.terminate()

  socket.on('message', (data, binary) => {
    noteActivity()
    // Only Node buffers arrive: the server does not set another binary type.
    const frame = binary || !Buffer.isBuffer(data) ? null : readFrame(data.toString('utf8'))
    if (frame === null) return goodbye()
    if (frame.kind === 'request') onRequest(frame)
  })
  socket.on('ping', (data) => {
    if (!silent) socket.pong(data)
  })
  socket.on('error', cut)
  socket.on('close', () => {
    clearTimeout(heartbeat)
    clearTimeout(impatience)
    clearImmediate(flushing)
    onClose()
  })

  return {
    /** Lets the client authorize. */
    open: (): void => {
      put(OPEN_FRAME)
      noteActivity()
    },
    send: (message: ServerMessage): void => {
      waiting.push(message)
      flushSoon()
    },
    /** Sends what `last` returns. */
    flushSoon,
    /** Sends what waits, then closes it. */
    close: (): void => {
      flush()
      socket.close(1000)
    },
    /** Cuts it without a close frame. */
    cut,
    /** Keeps it open but sends nothing more. */
    silence: (): void => void (silent = true),
  }
}

const tokenSchema = z.string().min(1)

/** A token is sent raw, or as a JSON string. */
export const tokenOf = (body: string): string => {
  const quoted = tokenSchema.safeParse(jsonOf(body))
  return quoted.success ? quoted.data : body.trim()
}
