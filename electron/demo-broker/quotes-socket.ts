import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Contract } from './contract-library.ts'
import type { Floor } from './floor.ts'
import { GOODBYE_FRAME, HEARTBEAT_FRAME, messagesFrame, OPEN_FRAME, readFrame, type ServerMessage, type SocketRequest } from './frames.ts'
import type { Hooks } from './hooks.ts'
import { whose, type Grants } from './grants.ts'
import { priceOf } from './products.ts'
import { wireTime } from './wire-rows.ts'

/** What a socket of prices needs of the brokerage. */
export type QuoteParts = {
  readonly grants: Grants
  readonly hooks: Pick<Hooks, 'refuseLogin' | 'quoteAccess' | 'manners' | 'saw'>
  readonly floor: Pick<Floor, 'contracts' | 'mark'>
  /** The market's clock, UTC ms. */
  readonly now: () => number
  readonly loginName: (userId: number) => string
  readonly closed: () => void
}

/** One open socket of prices. */
export type QuoteSocket = {
  /** Null before it is authorised. */
  readonly login: () => string | null
  /** The contracts that it is told of, by number. */
  readonly contracts: () => ReadonlySet<number>
  /** A contract was traded at another price. */
  readonly tell: (contract: Contract) => void
  readonly cut: () => void
  readonly silence: () => void
  readonly recheck: () => void
}

const HEARTBEAT_MS = 2500
const CLIENT_SILENCE_MS = 15_000
const PATH = '/md/v1/websocket'
const DENIED = 'Access is denied'

const symbolSchema = z.object({ symbol: z.union([z.string(), z.int()]) })

/** Serves one connection from its first frame to its end. */
export const serveQuotes = ({ grants, hooks, floor, now, loginName, closed }: QuoteParts, wire: WebSocket, host: string): QuoteSocket => {
  const subscribed = new Set<number>()
  let session: { readonly token: string; readonly userId: number } | null = null
  let silent = false
  let waiting: ServerMessage[] = []
  let quotes: unknown[] = []
  let flushing: NodeJS.Immediate | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let impatience: NodeJS.Timeout | undefined

  const login = (): string | null => (session === null ? null : loginName(session.userId))
  const put = (frame: string): void => {
    if (silent || wire.readyState !== wire.OPEN) return
    wire.send(frame)
    clearTimeout(heartbeat)
    heartbeat = setTimeout(() => put(HEARTBEAT_FRAME), HEARTBEAT_MS * hooks.manners().timeScale)
  }
  const flush = (): void => {
    flushing = undefined
    const told = quotes.length === 0 ? waiting : [...waiting, { e: 'md', d: { quotes } }]
    waiting = []
    quotes = []
    if (told.length > 0) put(messagesFrame(told))
  }
  // What is said within one turn goes out as one frame.
  const soon = (): void => void (flushing ??= setImmediate(flush))
  const send = (message: ServerMessage): void => {
    waiting.push(message)
    soon()
  }
  const heard = (): void => {
    clearTimeout(impatience)
    impatience = setTimeout(() => goodbye(), CLIENT_SILENCE_MS * hooks.manners().timeScale)
  }
  const goodbye = (): void => {
    put(GOODBYE_FRAME)
    wire.close(3000, 'Go away!')
  }
  const cut = (): void => wire.terminate()

  const quote = (contract: Contract): void => {
    const { product } = contract
    const ticks = floor.mark(contract)
    quotes.push({
      timestamp: wireTime(now()),
      contractId: contract.id,
      entries: { Bid: { price: priceOf(product, ticks - 1), size: 4 }, Offer: { price: priceOf(product, ticks + 1), size: 5 }, Trade: { price: priceOf(product, ticks), size: 1 } },
    })
    soon()
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

  const request = (asked: SocketRequest): void => {
    const { id } = asked
    const endpoint = asked.endpoint.toLowerCase()
    if (endpoint === 'authorize') return authorize(asked)
    const who = login()
    const access = who === null ? 'denied' : hooks.quoteAccess(who, `/md/v1/${endpoint}`)
    if (access === 'denied') return send({ s: 401, i: id, d: DENIED })
    if (endpoint !== 'md/subscribequote' && endpoint !== 'md/unsubscribequote') return send({ s: 404, i: id, d: '' })
    const contract = named(asked.body)
    // Where the right is missing the real one says so as if it did not know the contract.
    if (contract === undefined || access === 'inaccessible') return send({ s: 200, i: id, d: { errorText: 'Symbol is inaccessible', errorCode: 'UnknownSymbol', mode: 'None' } })
    if (endpoint === 'md/unsubscribequote') {
      subscribed.delete(contract.id)
      return send({ s: 200, i: id, d: {} })
    }
    subscribed.add(contract.id)
    send({ s: 200, i: id, d: { mode: 'RealTime' } })
    quote(contract)
  }

  wire.on('message', (data, binary) => {
    heard()
    const frame = binary || !Buffer.isBuffer(data) ? null : readFrame(data.toString('utf8'))
    if (frame === null) return goodbye()
    if (frame.kind !== 'request') return
    request(frame)
    hooks.saw({ host, login: frame.endpoint === 'authorize' ? whose({ grants, loginName }, tokenOf(frame.body)) : login(), method: 'SOCKET', path: `/md/v1/${frame.endpoint}`, status: 0, busyMs: 0 })
  })
  wire.on('ping', (data) => {
    if (!silent) wire.pong(data)
  })
  wire.on('error', cut)
  wire.on('close', () => {
    clearTimeout(heartbeat)
    clearTimeout(impatience)
    clearImmediate(flushing)
    closed()
  })
  put(OPEN_FRAME)
  heard()

  return {
    login,
    contracts: () => subscribed,
    tell: (contract) => {
      if (subscribed.has(contract.id)) quote(contract)
    },
    cut,
    silence: () => void (silent = true),
    recheck: () => {
      if (session !== null && grants.standing(session.token).kind === 'pushed-out') cut()
    },
  }
}

const tokenOf = (body: string): string => body.trim().replace(/^"|"$/g, '')

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
