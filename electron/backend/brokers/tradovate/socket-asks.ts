import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Exchange } from '../exchange.ts'
import { writeFrame } from './frames.ts'

/**
 * Where more than this lies here unsent the link is stalled, bytes: the orders of one fill for fifty followers are a quarter
 * of it, and a link that moves takes those at once.
 */
const stalledBytes = 65_536

/**
 * One request that the broker is to do, written in the tick of the call; never rejects. `onWire` hears
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

type PendingRequest = { readonly over: (exchange: Exchange) => void; readonly answer: Promise<Exchange>; readonly until: number; isWritten: boolean }

const lost = (cause: 'network' | 'timeout', reached: boolean): Exchange => ({ kind: 'lost', cause, reached })

const exchangeOf = (status: number, data: unknown): Exchange =>
  typeof data === 'string' || data === undefined
    ? { kind: 'text', status, retryAfterMs: null, text: (data ?? '').slice(0, 500) }
    : { kind: 'json', status, retryAfterMs: null, value: data }

type Deps = {
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
export const createAsks = ({ socket, isReady, nextId, stuck, patienceMs }: Deps): Asks => {
  const waiting = new Map<number, PendingRequest>()
  let connection: Socket | null = null
  let isCorked = false
  let timer: NodeJS.Timeout | null = null
  socket.on('upgrade', (response) => { connection = response.socket })

  /** All wait equally long, so the oldest runs out first: one timer serves them all. */
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
      // More than a link takes at once was asked in this tick: what is corked goes first.
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
      socket.send(writeFrame(endpoint, id, { body }), (error) => {
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
