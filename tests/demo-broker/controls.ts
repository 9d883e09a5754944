import { z } from 'zod'
import { bearerOf, empty, json, text, type Answer, type Call } from '#demo-broker/answers.ts'
import type { DemoBroker } from '#demo-broker/broker.ts'
import type { ExchangeFloor } from '#demo-broker/floor.ts'
import type { SeenRequest } from '#demo-broker/hooks.ts'
import { faultSchema, shutdownReason, type Faults } from './faults.ts'
import { accountName, handOrderSchema, type FloorAccount, type Hand } from './hand.ts'
import type { Quotes, Sockets } from './socket-hand.ts'

type Controlled = Pick<DemoBroker, 'clock' | 'walk'> & {
  readonly controlToken: string
  readonly faults: Faults
  readonly traffic: { readonly seen: () => readonly SeenRequest[]; readonly clear: () => void }
  readonly sockets: Sockets
  readonly quotes: Quotes
  readonly floor: Pick<ExchangeFloor, 'step' | 'release' | 'bust'> & { readonly state: () => readonly FloorAccount[] }
  readonly hand: Hand
}

const faultsSchema = z.array(faultSchema)
const clockSchema = z.object({ now: z.int() })

/**
 * The controls of a stand-in in another process, opened by its control token:
 * `POST /_demo/faults` replaces the faults by an array, `POST /_demo/clock` sets `{ now }` (UTC milliseconds), `GET` of either
 * reads it, `GET /_demo/traffic` lists the requests and `DELETE /_demo/traffic` clears the list; sockets, prices and
 * live trading have controls of their own below.
 */
export const answerControl = (broker: Controlled, call: Call): Answer => {
  if (bearerOf(call) !== broker.controlToken) return empty(401)
  if (call.path === '/_demo/socket') return answerSockets(broker.sockets, call)
  if (call.path === '/_demo/quotes') return answerQuotes(broker.quotes, call)
  const ofFloor = answerFloor(broker, call)
  if (ofFloor !== null) return ofFloor
  switch (`${call.method} ${call.path}`) {
    case 'POST /_demo/faults': {
      const faults = faultsSchema.safeParse(call.json)
      if (!faults.success) return text(400, z.prettifyError(faults.error))
      broker.faults.set(faults.data)
      return json(broker.faults.active())
    }
    case 'GET /_demo/faults':
      return json(broker.faults.active())
    case 'POST /_demo/clock': {
      const clock = clockSchema.safeParse(call.json)
      if (!clock.success) return text(400, z.prettifyError(clock.error))
      broker.clock.set(clock.data.now)
      return json(clock.data)
    }
    case 'GET /_demo/clock':
      return json({ now: broker.clock.now(), walk: broker.walk })
    case 'GET /_demo/traffic':
      return json(broker.traffic.seen())
    case 'DELETE /_demo/traffic':
      broker.traffic.clear()
      return empty(204)
    default:
      return empty(404)
  }
}

const whichSockets = { login: z.string().optional(), environment: z.enum(['live', 'demo']).optional() }
const socketOrderSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['drop', 'silence', 'release']), ...whichSockets }),
  z.strictObject({ do: z.literal('shutdown'), reason: shutdownReason, ...whichSockets }),
  z.strictObject({ do: z.enum(['refuse', 'allow']) }),
  z.strictObject({
    do: z.literal('behave'), timeScale: z.number().positive().optional(), split: z.enum(['one', 'parts', 'props']).optional(),
    apartMs: z.int().nonnegative().optional(), emptyByDefault: z.boolean().optional(),
  }),
])

/**
 * `GET /_demo/socket` lists the open sockets, `POST` acts on them: `{ do: 'drop' | 'silence' | 'release' | 'shutdown', login?,
 * environment? }`, `{ do: 'refuse' | 'allow' }` new connections, `{ do: 'behave', ... }`; the answer lists those open afterwards.
 */
const answerSockets = (sockets: Sockets, call: Call): Answer => {
  if (call.method === 'GET') return json(sockets.open())
  if (call.method !== 'POST') return empty(404)
  const order = socketOrderSchema.safeParse(call.json)
  if (!order.success) return text(400, z.prettifyError(order.error))
  obey(sockets, order.data)
  return json(sockets.open())
}

const obey = (sockets: Sockets, order: z.infer<typeof socketOrderSchema>): void => {
  switch (order.do) {
    case 'refuse':
    case 'allow':
      return sockets.refuse(order.do === 'refuse')
    case 'shutdown':
      return sockets.shutdown(order.reason, order)
    case 'behave':
      return sockets.behave(Object.fromEntries(Object.entries(order).filter(([name, value]) => name !== 'do' && value !== undefined)))
    default:
      return sockets[order.do](order)
  }
}

const whichQuotes = { login: z.string().optional() }
const quoteOrderSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['drop', 'silence', 'deny', 'allow']), ...whichQuotes }),
  z.strictObject({ do: z.literal('flow'), perSecond: z.number().min(0).max(100_000), of: z.enum(['held', 'told']).optional() }),
])

/**
 * `GET /_demo/quotes` lists the open price sockets and counts the automatic price moves, `POST` acts on them: `{ do: 'drop' |
 * 'silence' | 'deny' | 'allow', login? }`, `{ do: 'flow', perSecond, of? }`; the answer has the same afterwards.
 */
const answerQuotes = (quotes: Quotes, call: Call): Answer => {
  const state = (): Answer => json({ sockets: quotes.open(), moved: quotes.moved() })
  if (call.method === 'GET') return state()
  if (call.method !== 'POST') return empty(404)
  const order = quoteOrderSchema.safeParse(call.json)
  if (!order.success) return text(400, z.prettifyError(order.error))
  const { data } = order
  switch (data.do) {
    case 'flow':
      quotes.flow(data.perSecond, data.of)
      break
    case 'deny':
    case 'allow':
      quotes.permit(data.do === 'allow', data)
      break
    default:
      quotes[data.do](data)
  }
  return state()
}

const priceSchema = z.strictObject({ contract: z.string(), price: z.number() })
const modifySchema = z.strictObject({ orderId: z.int(), qty: z.int().positive().optional(), price: z.number().optional(), stopPrice: z.number().optional() })
const cancelSchema = z.strictObject({ orderId: z.int() })
const bustSchema = z.strictObject({ fillId: z.int() })
const accountSchema = z.strictObject({ account: accountName, restricted: z.boolean().optional(), closed: z.boolean().optional(), limits: z.strictObject({ dailyLoss: z.int().nullable(), trailing: z.int().nullable() }).optional() })

/**
 * The controls of the floor; null for a path that is none of them. `POST /_demo/price { contract, price }`, `POST /_demo/order` (by hand:
 * `{ account, action, symbol, qty, type, price, stopPrice }`), `POST /_demo/modify` and `POST /_demo/cancel { orderId }` (by hand too), `POST /_demo/step`, `POST /_demo/release`, `POST /_demo/bust { fillId }`,
 * `POST /_demo/account { account, restricted, closed, limits: { dailyLoss, trailing } }` (1/10,000); `GET /_demo/floor` lists all positions and live orders.
 */
const answerFloor = ({ floor, hand }: Pick<Controlled, 'floor' | 'hand'>, call: Call): Answer | null => {
  const read = <S extends z.ZodType>(schema: S, act: (body: z.output<S>) => Answer): Answer => {
    const body = schema.safeParse(call.json)
    return body.success ? act(body.data) : text(400, z.prettifyError(body.error))
  }
  switch (`${call.method} ${call.path}`) {
    case 'POST /_demo/price':
      return read(priceSchema, ({ contract, price }) => (hand.setPrice(contract, price) ? empty(204) : text(400, 'No such contract, or a price between two ticks')))
    case 'POST /_demo/order':
      return read(handOrderSchema, (order) => json(hand.place(order)))
    case 'POST /_demo/modify':
      return read(modifySchema, ({ orderId, ...to }) => json(hand.modify(orderId, to)))
    case 'POST /_demo/cancel':
      return read(cancelSchema, ({ orderId }) => json(hand.cancel(orderId)))
    case 'POST /_demo/step':
      floor.step()
      return empty(204)
    case 'POST /_demo/release':
      floor.release()
      return empty(204)
    case 'POST /_demo/bust':
      return read(bustSchema, ({ fillId }) => empty(floor.bust(fillId) ? 204 : 404))
    case 'POST /_demo/account':
      return read(accountSchema, ({ account, ...how }) => empty(hand.setAccount(account, how) ? 204 : 404))
    case 'GET /_demo/floor':
      return json(floor.state())
    default:
      return null
  }
}
