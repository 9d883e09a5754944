import type { WebSocket } from 'ws'
import { z } from 'zod'
import { jsonOf } from './answers.ts'
import { priceOf, type Contract } from './contracts.ts'
import type { ExchangeFloor } from './floor.ts'
import type { SocketRequest } from './frames.ts'
import { loginOfToken, type Grants } from './grants.ts'
import type { Hooks } from './hooks.ts'
import { randomFor } from './random.ts'
import { wireTime } from './rows.ts'
import { openWire, tokenOf } from './wire.ts'

/** A minute of a contract as its tape has it; prices in whole ticks, `at` is UTC ms. */
export type MinuteBar = { readonly at: number; open: number; high: number; low: number; close: number; volume: number }

type QuoteSocketsDeps = Omit<QuoteDeps, 'closed'> & { readonly floor: ExchangeFloor }

/** Manages the quote sockets. */
export type QuoteSockets = ReturnType<typeof openQuoteSockets>

export const openQuoteSockets = (deps: QuoteSocketsDeps) => {
  const { floor } = deps
  const live = new Set<QuoteSocket>()

  const subscribed = (): readonly Contract[] => {
    const ids = new Set([...live].flatMap((each) => [...each.contracts()]))
    // Reading all contracts first generates every session's trades.
    if (ids.size === 0) return []
    return floor.contracts().filter(({ id }) => ids.has(id))
  }
  const hush = floor.hearPrices((contract) => {
    for (const socket of live) socket.publish(contract)
  })
  const flow = openFlow({ floor, now: deps.now })

  return {
    /** The open sockets, oldest first. */
    live: (): readonly QuoteSocket[] => [...live],
    /** Moves prices this many times a second, of the subscribed contracts unless others are given; 0 stops it. */
    flow: (perSecond: number, contracts: () => readonly Contract[] = subscribed): void => flow.set(perSecond, contracts),
    /** How often prices have moved this way since the start. */
    moved: flow.moved,
    accept: (wire: WebSocket, host: string): void => {
      const socket = serveQuotes({ ...deps, closed: () => live.delete(socket) }, wire, host)
      live.add(socket)
    },
    /** Cuts the sockets whose session another login closed. */
    recheck: (): void => live.forEach((each) => each.recheck()),
    stop: (): void => {
      hush()
      flow.stop()
      live.forEach((each) => each.cut())
    },
  }
}

/** Dependencies of a quote socket. */
type QuoteDeps = {
  readonly grants: Grants
  readonly hooks: Pick<Hooks, 'refuseLogin' | 'quoteAccess' | 'manners' | 'saw'>
  readonly floor: Pick<ExchangeFloor, 'contracts' | 'mark'>
  /** The market's clock, UTC ms. */
  readonly now: () => number
  readonly loginName: (userId: number) => string
  /** The minutes of a span (UTC ms) that a contract traded in, oldest first. */
  readonly minutes: (contract: Contract, from: number, to: number) => Promise<readonly MinuteBar[]>
  readonly closed: () => void
}

const PATH = '/md/v1/websocket'
const DENIED = 'Access is denied'
const INACCESSIBLE = { errorText: 'Symbol is inaccessible', errorCode: 'UnknownSymbol', mode: 'None' }

/** Bars in one packet of a chart. */
const BARS_IN_PACKET = 100
const chartSchema = z.object({
  symbol: z.union([z.string(), z.int()]),
  chartDescription: z.object({ underlyingType: z.literal('MinuteBar'), elementSize: z.literal(1), elementSizeUnit: z.literal('UnderlyingUnits'), withHistogram: z.boolean().optional() }),
  timeRange: z.object({ closestTimestamp: z.string().optional(), asFarAsTimestamp: z.string().optional(), asMuchAsElements: z.int().optional() }),
})

const symbolSchema = z.object({ symbol: z.union([z.string(), z.int()]) })

/** One open quote socket. */
export type QuoteSocket = ReturnType<typeof serveQuotes>

/** Serves one connection from its first frame to its end. */
const serveQuotes = ({ grants, hooks, floor, now, loginName, minutes, closed }: QuoteDeps, socket: WebSocket, host: string) => {
  const subscribed = new Set<number>()
  let session: { readonly token: string; readonly userId: number } | null = null
  let quotes: unknown[] = []

  const login = (): string | null => (session === null ? null : loginName(session.userId))
  const wire = openWire(socket, {
    timeScale: () => hooks.manners().timeScale,
    onRequest: (given) => {
      request(given)
      hooks.saw({ host, login: given.endpoint === 'authorize' ? loginOfToken({ grants, loginName }, tokenOf(given.body)) : login(), method: 'SOCKET', path: `/md/v1/${given.endpoint}`, status: 0 })
    },
    onClose: closed,
    last: () => {
      const due = quotes
      quotes = []
      return due.length === 0 ? [] : [{ e: 'md', d: { quotes: due } }]
    },
  })
  const { send, cut, silence } = wire

  const quote = (contract: Contract): void => {
    const { product } = contract
    const ticks = floor.mark(contract)
    quotes.push({
      timestamp: wireTime(now()),
      contractId: contract.id,
      entries: { Bid: { price: priceOf(product, ticks - 1), size: 4 }, Offer: { price: priceOf(product, ticks + 1), size: 5 }, Trade: { price: priceOf(product, ticks), size: 1 } },
    })
    wire.flushSoon()
  }

  const authorize = ({ id, body }: SocketRequest): void => {
    const token = tokenOf(body)
    const standing = grants.standing(token)
    if (standing.kind === 'pushed-out') return send({ s: standing.status, i: id, d: '' })
    if (standing.kind === 'unknown') return send({ s: 401, i: id, d: DENIED })
    const refused = hooks.refuseLogin({ path: PATH, host, standing })
    if (refused !== null) return send('status' in refused && refused.status !== 401 ? { s: refused.status, i: id } : { s: 401, i: id, d: DENIED })
    session = { token, userId: standing.userId }
    send({ s: 200, i: id })
  }

  const named = (body: string): Contract | undefined => {
    const { data } = symbolSchema.safeParse(jsonOf(body))
    return data === undefined ? undefined : floor.contracts().find(({ id, name }) => id === data.symbol || name === data.symbol)
  }

  let charts = 0
  /** Answers with the ids of a chart, then its history in packets, then its end. */
  const chart = async ({ id, body }: SocketRequest, isInaccessible: boolean): Promise<void> => {
    const { data } = chartSchema.safeParse(jsonOf(body))
    if (data === undefined) return send({ s: 400, i: id, d: 'Invalid chart' })
    const contract = named(body)
    if (contract === undefined || isInaccessible) return send({ s: 200, i: id, d: INACCESSIBLE })
    charts += 2
    const [historicalId, realtimeId] = [charts, charts + 1]
    const { closestTimestamp, asFarAsTimestamp, asMuchAsElements = 5000 } = data.timeRange
    const to = closestTimestamp === undefined ? now() : Math.min(Date.parse(closestTimestamp), now())
    const bars = (await minutes(contract, asFarAsTimestamp === undefined ? 0 : Date.parse(asFarAsTimestamp), to)).slice(-asMuchAsElements)
    send({ s: 200, i: id, d: { historicalId, realtimeId } })
    const price = (ticks: number): number => priceOf(contract.product, ticks)
    // Packets need not come in order.
    for (let place = Math.floor(bars.length / BARS_IN_PACKET) * BARS_IN_PACKET; place >= 0; place -= BARS_IN_PACKET) {
      const packet = bars.slice(place, place + BARS_IN_PACKET).map(({ at, open, high, low, close, volume }) => ({
        timestamp: wireTime(at), open: price(open), high: price(high), low: price(low), close: price(close),
        upVolume: Math.ceil(volume / 2), downVolume: Math.floor(volume / 2), upTicks: 1, downTicks: 1, bidVolume: 0, offerVolume: volume,
      }))
      if (packet.length > 0) send({ e: 'chart', d: { charts: [{ id: historicalId, td: Number(wireTime(to).slice(0, 10).replaceAll('-', '')), bars: packet }] } })
    }
    send({ e: 'chart', d: { charts: [{ id: historicalId, eoh: true }] } })
  }

  const request = (given: SocketRequest): void => {
    const { id } = given
    const endpoint = given.endpoint.toLowerCase()
    if (endpoint === 'authorize') return authorize(given)
    const who = login()
    const access = who === null ? 'denied' : hooks.quoteAccess(who, `/md/v1/${endpoint}`)
    if (access === 'denied') return send({ s: 401, i: id, d: DENIED })
    if (endpoint === 'md/cancelchart') return send({ s: 200, i: id, d: {} })
    if (endpoint === 'md/getchart') return void chart(given, access === 'inaccessible').catch(cut)
    if (endpoint !== 'md/subscribequote' && endpoint !== 'md/unsubscribequote') return send({ s: 404, i: id, d: '' })
    const contract = named(given.body)
    // Without market data permission, the real broker answers as for an unknown contract.
    if (contract === undefined || access === 'inaccessible') return send({ s: 200, i: id, d: INACCESSIBLE })
    if (endpoint === 'md/unsubscribequote') {
      subscribed.delete(contract.id)
      return send({ s: 200, i: id, d: {} })
    }
    subscribed.add(contract.id)
    send({ s: 200, i: id, d: { mode: 'RealTime' } })
    quote(contract)
  }

  wire.open()

  return {
    /** Null until it is authorized. */
    login,
    /** Ids of its subscribed contracts. */
    contracts: (): ReadonlySet<number> => subscribed,
    /** Sends a contract's new price if subscribed. */
    publish: (contract: Contract): void => {
      if (subscribed.has(contract.id)) quote(contract)
    },
    cut,
    silence,
    recheck: (): void => {
      if (session !== null && grants.standing(session.token).kind === 'pushed-out') cut()
    },
  }
}

type FlowDeps = {
  readonly floor: Pick<ExchangeFloor, 'mark' | 'nudge'>
  readonly now: () => number
}

/** High rates make several moves per tick; low rates tick only as often as moves are due. */
const turnMs = (perSecond: number): number => Math.max(10, 500 / perSecond)
/** How often the list of moving contracts is refreshed. */
const LOOK_MS = 250
/** The maximum distance of a price from its start, in ticks. */
const FARTHEST = 40

/** Moves prices on a timer. Paused at first; the random steps are the same in every demo broker. */
const openFlow = ({ floor, now }: FlowDeps) => {
  const random = randomFor('quotes/flow')
  const bases = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  let moved = 0
  let place = 0
  let basesAt = NaN

  const step = (contract: Contract): void => {
    // The market clock has moved, so restart from its prices.
    if (basesAt !== now()) bases.clear()
    basesAt = now()
    const mark = floor.mark(contract)
    const base = bases.get(contract.id) ?? mark
    bases.set(contract.id, base)
    const away = random.whole(0, 1) === 0 ? -1 : 1
    const next = Math.abs(mark + away - base) > FARTHEST ? mark - away : mark + away
    if (next <= 0) return
    floor.nudge(contract, next)
    moved += 1
  }

  const set = (perSecond: number, contracts: () => readonly Contract[]): void => {
    clearInterval(timer)
    if (perSecond <= 0) return
    const begun = performance.now()
    let made = 0
    let lookedAt = -Infinity
    let moving: readonly Contract[] = []
    timer = setInterval(() => {
      const at = performance.now()
      if (at - lookedAt >= LOOK_MS) {
        moving = contracts()
        lookedAt = at
      }
      // At most one second's moves at once, for when the computer slept.
      const due = Math.min(Math.floor(((at - begun) / 1000) * perSecond) - made, Math.ceil(perSecond))
      made = Math.floor(((at - begun) / 1000) * perSecond)
      for (let count = 0; count < due && moving.length > 0; count += 1) {
        const contract = moving[place % moving.length]
        place += 1
        if (contract !== undefined) step(contract)
      }
    }, turnMs(perSecond)).unref()
  }

  return { set, moved: (): number => moved, stop: (): void => clearInterval(timer) }
}
