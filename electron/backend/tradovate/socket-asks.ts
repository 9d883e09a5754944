import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Exchange } from './exchange.ts'
import { writeFrame } from './frames.ts'

/**
 * Where more than this lies here unsent the link is stalled, bytes: the orders of one fill for fifty followers are a quarter
 * of it, and a link that moves takes those at once.
 */
const stalledBytes = 65_536

/**
 * One request that the broker is to do, written in the tick of the call; never rejects. `onWire` is told
 * `performance.now()` when the system took it. `reached` is false only where nothing of it was written.
 */
export type Ask = (endpoint: string, body: string, onWire?: (at: number) => void) => Promise<Exchange>

/** The requests of one socket that wait for their answers. */
export type Asks = {
  readonly ask: Ask
  /** Takes the answer to a request of this number, where one waits. */
  readonly answered: (id: number, status: number, data: unknown) => void
  /** Resolves once no request waits. */
  readonly settled: () => Promise<void>
  /** All that wait are lost: the broker may have done them or not. */
  readonly end: () => void
}

type Waiting = { readonly over: (exchange: Exchange) => void; readonly answer: Promise<Exchange>; readonly dueAt: number; isWritten: boolean }

const lost = (cause: 'network' | 'timeout', reached: boolean): Exchange => ({ kind: 'lost', cause, reached })

const exchangeOf = (status: number, data: unknown): Exchange =>
  typeof data === 'string' || data === undefined
    ? { kind: 'text', status, retryAfterMs: null, text: (data ?? '').slice(0, 500) }
    : { kind: 'json', status, retryAfterMs: null, value: data }

type Parts = {
  readonly socket: WebSocket
  /** Whether requests may go out at all. */
  readonly isReady: () => boolean
  readonly nextId: () => number
  /** A request lies here unsent for so long that it must not go out any more. */
  readonly stuck: () => void
  /** So long an answer is waited for. */
  readonly patienceMs: number
}

/** What is asked on a socket, each request by its number. */
export const createAsks = ({ socket, isReady, nextId, stuck, patienceMs }: Parts): Asks => {
  const waiting = new Map<number, Waiting>()
  let due: NodeJS.Timeout | null = null
  let connection: Socket | null = null
  let isGathering = false
  socket.once('upgrade', (response) => { connection = response.socket })

  /** What is asked in one turn of the loop is handed to the system in one piece: fifty pieces cost more than all that is decided about them. */
  const gather = (): void => {
    const gathering = connection
    if (gathering === null || isGathering) return
    isGathering = true
    gathering.cork()
    process.nextTick(() => {
      isGathering = false
      gathering.uncork()
    })
  }

  /** Gives up what waits for too long; those that were asked first are due first. One timer for all: there may be fifty at once. */
  const lookLater = (): void => {
    const [first] = waiting.values()
    if (due !== null || first === undefined) return
    due = setTimeout(() => {
      due = null
      const now = performance.now()
      for (const { over, dueAt, isWritten } of [...waiting.values()]) {
        if (dueAt > now) break
        over(lost('timeout', true))
        if (!isWritten) stuck()
      }
      lookLater()
    }, Math.max(1, Math.ceil(first.dueAt - performance.now())))
  }

  return {
    ask: (endpoint, body, onWire) => {
      if (!isReady() || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > stalledBytes) return Promise.resolve(lost('network', false))
      const id = nextId()
      const { promise: answer, resolve } = Promise.withResolvers<Exchange>()
      const over = (exchange: Exchange): void => {
        waiting.delete(id)
        if (waiting.size === 0 && due !== null) {
          clearTimeout(due)
          due = null
        }
        resolve(exchange)
      }
      const asked = { over, answer, dueAt: performance.now() + patienceMs, isWritten: false }
      waiting.set(id, asked)
      lookLater()
      gather()
      socket.send(writeFrame(endpoint, id, { body }), (error) => {
        if (error) return
        asked.isWritten = true
        onWire?.(performance.now())
      })
      return answer
    },
    answered: (id, status, data) => waiting.get(id)?.over(exchangeOf(status, data)),
    settled: async () => {
      while (waiting.size > 0) await Promise.all([...waiting.values()].map(({ answer }) => answer))
    },
    end: () => {
      for (const { over } of [...waiting.values()]) over(lost('network', true))
    },
  }
}
