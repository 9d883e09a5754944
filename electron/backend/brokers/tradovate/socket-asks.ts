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

type Waiting = { readonly over: (exchange: Exchange) => void; readonly answer: Promise<Exchange> }

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

  return {
    ask: (endpoint, body, onWire) => {
      if (!isReady() || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > stalledBytes) return Promise.resolve(lost('network', false))
      const id = nextId()
      const { promise: answer, resolve } = Promise.withResolvers<Exchange>()
      let isWritten = false
      const over = (exchange: Exchange): void => {
        clearTimeout(timeout)
        waiting.delete(id)
        resolve(exchange)
      }
      const timeout = setTimeout(() => {
        over(lost('timeout', true))
        if (!isWritten) stuck()
      }, patienceMs)
      waiting.set(id, { over, answer })
      socket.send(writeFrame(endpoint, id, { body }), (error) => {
        if (error) return
        isWritten = true
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
