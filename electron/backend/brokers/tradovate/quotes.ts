import { WebSocket } from 'ws'
import { writeFrame, type Message } from './frames.ts'
import { socketTimes } from './socket.ts'
import { authorizeId, openWire, type WireTimes } from './open-wire.ts'

/** The price at which a contract was traded last, as the wire has it, and when by the broker's clock (UTC ms; null where it does not say). */
export type Quote = { readonly contractId: number; readonly price: number; readonly time: number | null }

/** Why a socket of prices is over. `denied`: the token may not read prices at all. `wrong-host`: the login's organization lives elsewhere. */
export type QuotesEnd = 'denied' | 'wrong-host' | 'network' | 'silence' | 'asked'

/** What a socket of prices says, in the order in which it happens; nothing follows `closed`. */
export type QuotesNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'quotes'; readonly quotes: readonly Quote[] }
  /** The login may not read the prices of this contract; it is not asked for again on this socket. */
  | { readonly kind: 'inaccessible'; readonly contract: string }
  | { readonly kind: 'closed'; readonly why: QuotesEnd }

/** What a socket of prices needs; `calls` counts what it asks. */
export type QuotesParts = {
  readonly url: string
  readonly token: string
  readonly times?: WireTimes
  readonly say: (news: QuotesNews) => void
  readonly calls: (count: number) => void
}

/** A socket of prices that is open or on its way. */
export type QuoteSocket = {
  /** The contracts, by name, whose prices are to be told from now on; all others are told no more. */
  readonly want: (contracts: ReadonlySet<string>) => void
  /** Leaves what comes in unread until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
  /** Says `closed` with `asked`, unless it was over before. */
  readonly close: () => void
}

/** A contract whose answer was neither yes nor no is asked for again after this long. */
const againMs = 30_000

const fieldOf = (value: unknown, field: string): unknown => (typeof value === 'object' && value !== null && field in value ? (value as Record<string, unknown>)[field] : undefined)

// What is told with a delay would look like the price of this moment.
const isPrompt = (mode: unknown): boolean => typeof mode !== 'string' || !/none|delay/i.test(mode)

/** Reads the quotes of one event by hand, since there are thousands a second; a quote without a trade says nothing. */
const quotesIn = (data: unknown): Quote[] => {
  const rows = fieldOf(data, 'quotes')
  if (!Array.isArray(rows)) return []
  const quotes: Quote[] = []
  for (const row of rows) {
    const contractId = fieldOf(row, 'contractId')
    const price = fieldOf(fieldOf(fieldOf(row, 'entries'), 'Trade'), 'price')
    if (typeof contractId !== 'number' || typeof price !== 'number' || !Number.isFinite(price)) continue
    const told = fieldOf(row, 'timestamp')
    const time = typeof told === 'string' ? Date.parse(told) : NaN
    quotes.push({ contractId, price, time: Number.isNaN(time) ? null : time })
  }
  return quotes
}

/** Whether the connection or its authorizing was refused: nobody documents which of them is. */
const endOfStatus = (status: number): QuotesEnd => (status === 401 || status === 403 ? 'denied' : status === 307 || status === 404 || status === 421 ? 'wrong-host' : 'network')

/** Opens a socket of prices, authorises it, and tells the last trades of the contracts that are wanted until it is over. */
export const openQuotes = ({ url, token, times = socketTimes, say, calls }: QuotesParts): QuoteSocket => {
  let wanted: ReadonlySet<string> = new Set()
  /** What was asked of each contract; `no` stays. */
  const asked = new Map<string, 'yes' | 'no' | { readonly again: number }>()
  const waiting = new Map<number, string>()
  let lastId = authorizeId
  let isReady = false
  let isOver = false

  const end = (why: QuotesEnd): void => {
    if (isOver) return
    isOver = true
    wire.end(why === 'asked')
    say({ kind: 'closed', why })
  }

  const ask = (endpoint: string, contract: string): number => {
    lastId += 1
    calls(1)
    socket.send(writeFrame(endpoint, lastId, { body: JSON.stringify({ symbol: contract }) }))
    return lastId
  }

  const bringUp = (): void => {
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
      say({ kind: 'ready' })
      bringUp()
      return
    }
    const contract = waiting.get(id)
    waiting.delete(id)
    if (contract === undefined || !asked.has(contract)) return
    // Where the right is missing the broker says 200 with a text, or 401 without one.
    const refused = status === 401 || status === 403 || (status === 200 && (typeof fieldOf(data, 'errorText') === 'string' || !isPrompt(fieldOf(data, 'mode'))))
    if (refused) {
      asked.set(contract, 'no')
      say({ kind: 'inaccessible', contract })
    } else if (status !== 200 || fieldOf(data, 'p-ticket') !== undefined) asked.set(contract, { again: performance.now() + againMs })
  }

  const take = (messages: readonly Message[]): void => {
    for (const message of messages) {
      if (isOver) return
      if (message.kind === 'answer') answered(message.id, message.status, message.data)
      else if (message.name === 'md') {
        const quotes = quotesIn(message.data)
        if (quotes.length > 0) say({ kind: 'quotes', quotes })
      } else if (message.name === 'shutdown') end('network')
    }
  }

  const wire = openWire({
    url,
    token,
    times,
    calls,
    heard: () => undefined,
    take,
    lost: (why) => { end(typeof why === 'string' ? why : endOfStatus(why)) },
  })
  const { socket } = wire

  return {
    want: (contracts) => {
      wanted = contracts
      bringUp()
    },
    pause: () => {
      if (socket.readyState === WebSocket.OPEN) socket.pause()
    },
    resume: () => {
      if (socket.isPaused) socket.resume()
    },
    close: () => { end('asked') },
  }
}
