import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import { clearsWithNext, nextTradingDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { listenLoopback, type Seen, type Served } from './loopback.ts'

/** A contract of the stand-in; a tick is worth whole cents. */
export type StandInContract = { readonly id: string; readonly name: string; readonly tickSize: number; readonly tickCents: number }

/** One half turn as it was made; money in hundredths of a cent, prices in ticks. */
type Half = { readonly id: number; readonly accountId: number; readonly contract: StandInContract; readonly at: number; readonly ticks: number; readonly side: 0 | 1; readonly size: number; readonly fees: number; readonly commissions: number; readonly orderId: number }

/** A trade to make. */
export type Made = { readonly account: number; readonly contract: StandInContract; readonly at: number; readonly ticks: number; readonly side: 'buy' | 'sell'; readonly size: number; /** All that it costs, in hundredths of a cent; by its size where there is none. */ readonly fees?: number }

/** A stand-in for ProjectX with its own book: it matches first in, first out, and knows nothing of the product. */
export type ProjectxBroker = {
  readonly url: string
  readonly seen: readonly Seen[]
  /** Requests that came over the limit. */
  readonly refusedByLimit: () => number
  /** How often a call was made. */
  readonly asked: (call: string) => number
  readonly key: { readonly userName: string; readonly apiKey: string }
  readonly addAccount: (account: { readonly id: number; readonly name: string; readonly balance?: number; readonly simulated?: boolean; readonly isVisible?: boolean }) => void
  readonly trade: (made: Made) => number
  /** The broker takes a trade back, days later perhaps. */
  readonly void: (id: number) => void
  /** What it realized less all fees, by account and trading day, in dollars to the cent: `900101 2026-02-27`. */
  readonly netByDay: () => ReadonlyMap<string, string>
  /** Answers a request in the stand-in's place; a fault. */
  fault: ((seen: Seen, answer: () => Served) => Served | undefined) | null
  /** From when on the stand-in has bars of a second, and of a minute: UTC ms. */
  barsSince: { second: number; minute: number }
  /** Contracts that it has no bars of any more. */
  readonly withoutBars: Set<string>
  /** Ends every token, as if its 24 hours were over. */
  readonly endTokens: () => void
  /** The hub of users: a WebSocket that speaks SignalR's JSON protocol. */
  readonly hub: StandInHub
}

/** The stand-in's hub. Its faults: events that it loses, sends twice, sends late, or makes up. */
export type StandInHub = {
  readonly url: string
  /** What was invoked, by connection: `1 SubscribePositions 900101`. */
  readonly invoked: readonly string[]
  readonly connections: () => number
  /** How often each event is sent: 0 loses it. */
  times: number
  /** A trade with its events; of now where it has no time. */
  readonly trade: (made: Omit<Made, 'at'> & { readonly at?: number }) => number
  /** An order begins to work, or is canceled. */
  readonly order: (accountId: number, id: number, works: boolean) => void
  /** Sends an event to all that are connected, whatever they subscribed to. */
  readonly send: (target: string, payload: unknown) => void
  /** Sends a frame unchanged. */
  readonly raw: (frame: string) => void
  /** Cuts every connection. */
  readonly cut: () => void
  /** Refuses new connections while true. */
  isDown: boolean
}

const hubMethods = new Set(['SubscribeAccounts', 'SubscribeOrders', 'SubscribePositions', 'SubscribeTrades'])
const endOfMessage = '\u001e'
const spoken = z.union([z.object({ protocol: z.literal('json') }), z.object({ type: z.literal(1), invocationId: z.string(), target: z.string(), arguments: z.array(z.unknown()) }), z.object({ type: z.literal([6, 7]) })])

const hour = 3_600_000
const known = new Set(['/api/Auth/loginKey', '/api/Auth/validate', '/api/Account/search', '/api/Trade/search', '/api/Position/searchOpen', '/api/Order/searchOpen', '/api/Contract/searchById', '/api/History/retrieveBars'])

type Options = { readonly now: () => number; readonly contracts: readonly StandInContract[]; readonly unlimited?: boolean }

/** Starts one for the test that runs. `now` is its clock; requests beyond 200 in a minute of it are refused unless `unlimited`. */
export const startProjectx = async (options: Options): Promise<ProjectxBroker> => {
  const broker = await listenProjectx(options)
  onTestFinished(broker.stop)
  return broker
}

/** The same; the caller stops it. */
export const listenProjectx = async ({ now, contracts, unlimited = false }: Options): Promise<ProjectxBroker & { readonly stop: () => Promise<void> }> => {
  const key = { userName: 'Trader.One', apiKey: 'projectx-key-77f0aa31c2' }
  const accounts = new Map<number, { id: number; name: string; balance: number; canTrade: boolean; isVisible: boolean; simulated: boolean }>()
  const halves: Half[] = []
  const voided = new Set<number>()
  /** Working orders with their accounts. */
  const orders = new Map<number, number>()
  const tokens = new Map<string, number>()
  const arrivals: number[] = []
  let last = 0
  let overLimit = 0

  const good = (payload: object): Served => ({ json: { success: true, errorCode: 0, errorMessage: null, ...payload } })
  const notDone = (errorCode: number, errorMessage: string): Served => ({ json: { success: false, errorCode, errorMessage } })
  const newToken = (): string => {
    const token = `token-${String((last += 1))}`
    tokens.set(token, now() + 24 * hour)
    return token
  }

  /** First in, first out over trades that were not voided: what each half turn realized, in hundredths of a cent; null where it opened or added. */
  const realized = (): Map<number, number | null> => {
    const lots = new Map<string, { ticks: number; left: number }[]>()
    const outcome = new Map<number, number | null>()
    for (const half of halves.filter(({ id }) => !voided.has(id)).toSorted((one, other) => one.at - other.at || one.id - other.id)) {
      const book = `${String(half.accountId)} ${half.contract.id}`
      const own = lots.get(book) ?? []
      lots.set(book, own)
      const sign = half.side === 0 ? 1 : -1
      let [left, sum, closed] = [half.size, 0, false]
      while (left > 0 && own[0] !== undefined && Math.sign(own[0].left) === -sign) {
        const qty = Math.min(left, Math.abs(own[0].left))
        sum += (half.ticks - own[0].ticks) * -sign * qty * half.contract.tickCents * 100
        closed = true
        left -= qty
        own[0].left += sign * qty
        if (own[0].left === 0) own.shift()
      }
      if (left > 0) own.push({ ticks: half.ticks, left: sign * left })
      outcome.set(half.id, closed ? sum : null)
    }
    return outcome
  }

  const dollars = (hundredths: number): number => hundredths / 10_000
  const outcomeOf = (hundredths: number | null): number | null => (hundredths === null ? null : dollars(hundredths))

  const tradesOf = ({ fields }: Seen): Served => {
    const { accountId, startTimestamp, endTimestamp } = fields
    if (!accounts.has(Number(accountId))) return notDone(1, 'Account not found')
    const [from, to] = [Date.parse(String(startTimestamp)), endTimestamp === undefined ? Infinity : Date.parse(String(endTimestamp))]
    const sums = realized()
    return good({
      trades: halves
        .filter(({ accountId: id, at }) => id === accountId && at >= from && at <= to && at <= now())
        .map(({ id, contract, at, ticks, side, size, fees, commissions, orderId }) => ({
          id, accountId, contractId: contract.id, creationTimestamp: new Date(at).toISOString().replace('Z', '418+00:00'), price: Number((ticks * contract.tickSize).toFixed(9)),
          profitAndLoss: outcomeOf(sums.get(id) ?? null), fees: dollars(fees), commissions: dollars(commissions), side, size, voided: voided.has(id), orderId,
        })),
    })
  }

  const barArrivals: number[] = []
  const barsOf = ({ fields }: Seen): Served => {
    if (!unlimited) {
      while (barArrivals[0] !== undefined && barArrivals[0] <= now() - 30_000) barArrivals.shift()
      if (barArrivals.length >= 50) {
        overLimit += 1
        return { status: 429, text: '' }
      }
      barArrivals.push(now())
    }
    const contract = contracts.find(({ id }) => id === fields['contractId'])
    if (contract === undefined) return notDone(1, 'Contract not found')
    const [unit, limit] = [Number(fields['unit']), Number(fields['limit'])]
    if (unit !== 1 && unit !== 2) return notDone(2, 'Invalid unit')
    if (limit > 20_000) return notDone(4, 'Invalid limit')
    const [width, since] = unit === 1 ? [1_000, broker.barsSince.second] : [60_000, broker.barsSince.minute]
    const [from, to] = [Date.parse(String(fields['startTime'])), Date.parse(String(fields['endTime']))]
    const own = halves.filter((half) => half.contract.id === contract.id && !voided.has(half.id))
    const bars: object[] = []
    // The newest first, as the broker sends them.
    for (let at = Math.floor(to / width) * width; at >= from && bars.length < limit; at -= width) {
      if (at < since || broker.withoutBars.has(contract.id) || (at + width > now() && fields['includePartialBar'] !== true) || at > now()) continue
      // Some seconds have no print.
      const fills = own.filter((half) => half.at >= at && half.at < at + width)
      if (fills.length === 0 && (at / width) % 3 === 2) continue
      const near = own.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0]?.ticks ?? 24_000
      const prices = [near, ...fills.map(({ ticks }) => ticks)]
      const price = (ticks: number): number => Number((ticks * contract.tickSize).toFixed(9))
      bars.push({ t: new Date(at).toISOString().replace('.000Z', '+00:00'), o: price(near), h: price(Math.max(...prices) + 2), l: price(Math.min(...prices) - 2), c: price(near), v: 5 + fills.length })
    }
    return good({ bars })
  }

  const positionsOf = ({ fields }: Pick<Seen, 'fields'>): Served => {
    const accountId = Number(fields['accountId'])
    if (!accounts.has(accountId)) return notDone(1, 'Account not found')
    const nets = new Map<string, number>()
    for (const half of halves) if (half.accountId === accountId && !voided.has(half.id) && half.at <= now()) nets.set(half.contract.id, (nets.get(half.contract.id) ?? 0) + (half.side === 0 ? half.size : -half.size))
    const open = [...nets].filter(([, net]) => net !== 0)
    return good({ positions: open.map(([contractId, net], index) => ({ id: index + 1, accountId, contractId, creationTimestamp: new Date(now()).toISOString(), type: net > 0 ? 1 : 2, size: Math.abs(net), averagePrice: 1 })) })
  }

  const answer = (request: Seen): Served => {
    const { path, fields, bearer } = request
    if (!unlimited) {
      while (arrivals[0] !== undefined && arrivals[0] <= now() - 60_000) arrivals.shift()
      if (arrivals.length >= 200) {
        overLimit += 1
        return { status: 429, text: '' }
      }
      arrivals.push(now())
    }
    if (!known.has(path)) throw new Error(`The journal called ${path}`)
    if (path === '/api/Auth/loginKey') {
      const isRight = String(fields['userName']).toLowerCase() === key.userName.toLowerCase() && fields['apiKey'] === key.apiKey
      return isRight ? good({ token: newToken() }) : { json: { token: null, success: false, errorCode: 3, errorMessage: null } }
    }
    if (bearer === null || (tokens.get(bearer) ?? 0) <= now()) return { status: 401, text: '' }
    switch (path) {
      case '/api/Auth/validate':
        return good({ newToken: newToken() })
      case '/api/Account/search':
        return good({ accounts: [...accounts.values()].filter(({ canTrade }) => canTrade || fields['onlyActiveAccounts'] !== true) })
      case '/api/Trade/search':
        return tradesOf(request)
      case '/api/Position/searchOpen':
        return positionsOf(request)
      case '/api/History/retrieveBars':
        return barsOf(request)
      case '/api/Order/searchOpen':
        return good({ orders: [...orders].flatMap(([id, accountId]) => (accountId === fields['accountId'] ? [{ id, accountId, contractId: contracts[0]?.id, status: 1, type: 4, side: 1, size: 1 }] : [])) })
      default: {
        const contract = contracts.find(({ id }) => id === fields['contractId'])
        return contract === undefined ? notDone(1, 'Contract not found') : good({ contract: { ...contract, tickCents: undefined, tickValue: contract.tickCents / 100, description: contract.name, activeContract: false } })
      }
    }
  }

  const trade = ({ account, contract, at, ticks, side, size, fees }: Made): number => {
    const id = 1_000_000 + halves.length
    halves.push({ id, accountId: account, contract, at, ticks, side: side === 'buy' ? 0 : 1, size, fees: fees ?? size * 14_000, commissions: fees === undefined ? size * 5_200 : 0, orderId: id + 500_000 })
    return id
  }

  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const invoked: string[] = []
  const subscribed = new Map<WebSocket, Set<string>>()
  let connection = 0
  server.on('connection', (socket, request) => {
    const token = new URL(request.url ?? '/', 'http://hub').searchParams.get('access_token')
    if (hub.isDown || token === null || (tokens.get(token) ?? 0) <= now()) {
      socket.terminate()
      return
    }
    const number = (connection += 1)
    const own = new Set<string>()
    subscribed.set(socket, own)
    socket.on('close', () => subscribed.delete(socket))
    socket.on('message', (frame: Buffer) => {
      for (const text of frame.toString('utf8').split(endOfMessage).filter((part) => part !== '')) {
        const message = spoken.parse(JSON.parse(text))
        if ('protocol' in message) socket.send(`{}${endOfMessage}`)
        else if ('target' in message) {
          const { target, invocationId, arguments: input } = message
          if (!hubMethods.has(target)) throw new Error(`The journal invoked ${target}`)
          const line = [target, ...input].join(' ')
          invoked.push(`${String(number)} ${line}`)
          own.add(line)
          socket.send(JSON.stringify({ type: 3, invocationId, result: null }) + endOfMessage)
        }
      }
    })
  })
  const push = (socket: WebSocket, target: string, payload: unknown): void => socket.send(JSON.stringify({ type: 1, target, arguments: [payload] }) + endOfMessage)
  const tell = (subscription: string, target: string, payload: unknown): void => {
    for (const [socket, own] of subscribed) for (let time = 0; own.has(subscription) && time < hub.times; time += 1) push(socket, target, payload)
  }
  const hub = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hubs/user`, invoked, times: 1, isDown: false,
    connections: () => subscribed.size,
    trade: (made: Omit<Made, 'at'> & { readonly at?: number }): number => {
      const id = trade({ at: now(), ...made })
      const half = halves.at(-1)
      const { account, contract } = made
      tell(`SubscribeTrades ${String(account)}`, 'GatewayUserTrade', { id, accountId: account, contractId: contract.id, creationTimestamp: new Date(now()).toISOString(), price: made.ticks * contract.tickSize, profitAndLoss: outcomeOf(realized().get(id) ?? null), fees: dollars(half?.fees ?? 0), side: half?.side, size: made.size, voided: false, orderId: half?.orderId })
      const open = (positionsOf({ fields: { accountId: account } }) as { json: { positions: { contractId: string }[] } }).json.positions.find(({ contractId }) => contractId === contract.id)
      tell(`SubscribePositions ${String(account)}`, 'GatewayUserPosition', open ?? { id: 1, accountId: account, contractId: contract.id, creationTimestamp: new Date(now()).toISOString(), type: 0, size: 0, averagePrice: 0 })
      const of = accounts.get(account)
      if (of !== undefined) of.balance += (outcomeOf(realized().get(id) ?? null) ?? 0) - dollars((half?.fees ?? 0) + (half?.commissions ?? 0))
      if (of !== undefined) tell('SubscribeAccounts', 'GatewayUserAccount', { id: of.id, name: of.name, balance: of.balance, canTrade: of.canTrade, isVisible: of.isVisible, simulated: of.simulated })
      return id
    },
    order: (accountId: number, id: number, works: boolean): void => {
      if (works) orders.set(id, accountId)
      else orders.delete(id)
      tell(`SubscribeOrders ${String(accountId)}`, 'GatewayUserOrder', { id, accountId, contractId: contracts[0]?.id, status: works ? 1 : 3, type: 4, side: 1, size: 1 })
    },
    send: (target: string, payload: unknown): void => {
      for (const socket of subscribed.keys()) push(socket, target, payload)
    },
    raw: (frame: string): void => {
      for (const socket of subscribed.keys()) socket.send(frame)
    },
    cut: (): void => {
      for (const socket of subscribed.keys()) socket.terminate()
    },
  } satisfies StandInHub

  const broker: Pick<ProjectxBroker, 'fault' | 'barsSince' | 'withoutBars'> = { fault: null, barsSince: { second: 0, minute: 0 }, withoutBars: new Set() }
  const { url, seen, stop } = await listenLoopback((request) => broker.fault?.(request, () => answer(request)) ?? answer(request))
  return Object.assign(broker, {
    url,
    seen,
    key,
    asked: (call: string) => seen.filter(({ path }) => path === call).length,
    addAccount: ({ id, name, balance = 50_000, simulated = true, isVisible = true }: Parameters<ProjectxBroker['addAccount']>[0]) => void accounts.set(id, { id, name, balance, canTrade: true, isVisible, simulated }),
    trade,
    hub,
    void: (id: number) => void voided.add(id),
    netByDay: () => {
      const sums = realized()
      const days = new Map<string, number>()
      for (const { id, accountId, at, fees, commissions } of halves) {
        if (voided.has(id)) continue
        const session = tradingDay(at)
        const day = `${String(accountId)} ${clearsWithNext(session) ? nextTradingDay(session) : session}`
        days.set(day, (days.get(day) ?? 0) + (sums.get(id) ?? 0) - fees - commissions)
      }
      return new Map([...days].map(([day, sum]) => [day, dollars(sum).toFixed(2)]))
    },
    endTokens: () => tokens.clear(),
    refusedByLimit: () => overLimit,
    stop: async () => {
      for (const socket of server.clients) socket.terminate()
      server.close()
      await stop()
    },
  })
}

/** Two products: one whose tick is a quarter, one whose tick is a power of two. */
export const standInContracts = [
  { id: 'CON.F.US.ENQ.H26', name: 'NQH6', tickSize: 0.25, tickCents: 500 },
  { id: 'CON.F.US.MES.H26', name: 'MESH6', tickSize: 0.25, tickCents: 125 },
  { id: 'CON.F.US.TYA.H26', name: 'ZNH6', tickSize: 0.015625, tickCents: 1562.5 },
] as const satisfies readonly StandInContract[]
