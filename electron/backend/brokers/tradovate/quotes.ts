import { WebSocket } from 'ws'
import { writeFrame, authorizeId, openWire, type Message, type WireTimes } from './open-wire.ts'
import { socketTimes } from './socket.ts'

/** A contract's last traded price, as on the wire, and its time by the broker's clock (UTC ms; null if not given). */
export type Quote = { readonly contractId: number; readonly price: number; readonly time: number | null }

/** Why a socket of prices is over. `denied`: the token may not read prices at all. `wrong-host`: the login's organization lives elsewhere. */
export type QuotesEnd = 'denied' | 'wrong-host' | 'network' | 'silence' | 'asked'

/** A quotes socket's events, in order; nothing follows `closed`. */
export type QuotesNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'quotes'; readonly quotes: readonly Quote[] }
  /** The login may not read this contract's prices; not requested again on this socket. */
  | { readonly kind: 'inaccessible'; readonly contract: string }
  | { readonly kind: 'closed'; readonly why: QuotesEnd }

/** Dependencies of a quotes socket; `calls` counts its requests. */
export type QuotesDeps = {
  readonly url: string
  readonly token: string
  readonly times?: WireTimes
  readonly onNews: (news: QuotesNews) => void
  readonly calls: (count: number) => void
}

/** Delay before retrying a contract with an unclear answer. */
const againMs = 30_000

const fieldOf = (value: unknown, field: string): unknown => (typeof value === 'object' && value !== null && field in value ? (value as Record<string, unknown>)[field] : undefined)

// Delayed quotes would look like current prices.
const isPrompt = (mode: unknown): boolean => typeof mode !== 'string' || !/none|delay/i.test(mode)

/** Parses an event's quotes by hand, since there are thousands a second; a quote without a trade is skipped. */
const quotesIn = (data: unknown): Quote[] => {
  const rows = fieldOf(data, 'quotes')
  if (!Array.isArray(rows)) return []
  const quotes: Quote[] = []
  for (const row of rows) {
    const contractId = fieldOf(row, 'contractId')
    const price = fieldOf(fieldOf(fieldOf(row, 'entries'), 'Trade'), 'price')
    if (typeof contractId !== 'number' || typeof price !== 'number' || !Number.isFinite(price)) continue
    const timestamp = fieldOf(row, 'timestamp')
    const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN
    quotes.push({ contractId, price, time: Number.isNaN(time) ? null : time })
  }
  return quotes
}

/** Whether connection or authorization was refused: it is undocumented which one the broker refuses. */
const endOfStatus = (status: number): QuotesEnd => (status === 401 || status === 403 ? 'denied' : status === 307 || status === 404 || status === 421 ? 'wrong-host' : 'network')

/** An open or opening quotes socket. */
export type QuoteSocket = ReturnType<typeof openQuotes>

/** Opens and authorizes a quotes socket and emits last trades of subscribed contracts until it closes. */
export const openQuotes = ({ url, token, times = socketTimes, onNews, calls }: QuotesDeps) => {
  let wanted: ReadonlySet<string> = new Set()
  /** Subscription state by contract; `no` is final. */
  const asked = new Map<string, 'yes' | 'no' | { readonly again: number }>()
  const waiting = new Map<number, string>()
  let lastId = authorizeId
  let isReady = false
  let isOver = false

  const end = (why: QuotesEnd): void => {
    if (isOver) return
    isOver = true
    wire.end(why === 'asked')
    onNews({ kind: 'closed', why })
  }

  const ask = (endpoint: string, contract: string): number => {
    lastId += 1
    calls(1)
    socket.send(writeFrame(endpoint, lastId, JSON.stringify({ symbol: contract })))
    return lastId
  }

  const updateSubscriptions = (): void => {
    if (!isReady || isOver || socket.readyState !== WebSocket.OPEN) return
    for (const [contract, state] of asked) {
      if (state !== 'yes' || wanted.has(contract)) continue
      asked.delete(contract)
      ask('md/unsubscribequote', contract)
    }
    for (const contract of wanted) {
      const state = asked.get(contract)
      if (state === 'yes' || state === 'no' || (state !== undefined && state.again > performance.now())) continue
      asked.set(contract, 'yes')
      waiting.set(ask('md/subscribequote', contract), contract)
    }
  }

  const answered = (id: number, status: number, data: unknown): void => {
    if (id === authorizeId) {
      if (status !== 200) {
        end(endOfStatus(status))
        return
      }
      isReady = true
      onNews({ kind: 'ready' })
      updateSubscriptions()
      return
    }
    const contract = waiting.get(id)
    waiting.delete(id)
    if (contract === undefined || !asked.has(contract)) return
    // Without permission the broker answers 200 with a text, or 401 without one.
    const refused = status === 401 || status === 403 || (status === 200 && (typeof fieldOf(data, 'errorText') === 'string' || !isPrompt(fieldOf(data, 'mode'))))
    if (refused) {
      asked.set(contract, 'no')
      onNews({ kind: 'inaccessible', contract })
    } else if (status !== 200 || fieldOf(data, 'p-ticket') !== undefined) asked.set(contract, { again: performance.now() + againMs })
  }

  const take = (messages: readonly Message[]): void => {
    for (const message of messages) {
      if (isOver) return
      if (message.kind === 'answer') answered(message.id, message.status, message.data)
      else if (message.name === 'md') {
        const quotes = quotesIn(message.data)
        if (quotes.length > 0) onNews({ kind: 'quotes', quotes })
      } else if (message.name === 'shutdown') end('network')
    }
  }

  const wire = openWire({
    url,
    token,
    times,
    calls,
    onActivity: () => undefined,
    take,
    lost: (why) => { end(typeof why === 'string' ? why : endOfStatus(why)) },
  })
  const { socket } = wire

  return {
    /** Sets the subscribed contracts by name, and unsubscribes all others. */
    want: (contracts: ReadonlySet<string>): void => {
      wanted = contracts
      updateSubscriptions()
    },
    /** Stops reading until `resume`. */
    pause: (): void => {
      if (socket.readyState === WebSocket.OPEN) socket.pause()
    },
    resume: (): void => {
      if (socket.isPaused) socket.resume()
    },
    /** Emits `closed` with `asked`, unless already closed. */
    close: (): void => { end('asked') },
  }
}
