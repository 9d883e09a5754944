import { z } from 'zod'
import { bearerOf, empty, json, jsonBytes, text, type Answer, type Call } from './answers.ts'
import type { WireRow } from './contracts.ts'
import type { ExchangeFloor, Trader } from './floor.ts'
import type { View, Views } from './market.ts'
import { answerMe, answerRenew, answerToken, type Counter } from './oauth.ts'
import { orderBodies } from './order-requests.ts'
import type { ReportService } from './reports.ts'
import type { Environment } from './world.ts'

const snapshotSchema = z.object({ accountId: z.int() })

/** The services behind the API. */
type Desks = {
  readonly counter: Counter
  readonly view: Views['of']
  readonly reports: ReportService
  readonly floor: ExchangeFloor
}

/** Answers one API call on a host. */
export const answerApi = async ({ counter, view: viewOf, reports, floor }: Desks, call: Call, environment: Environment): Promise<Answer> => {
  const below = call.below.replace(/^\/v1(?=\/)/, '')
  if (below === '/auth/oauthtoken') return answerToken(counter, call)
  const token = bearerOf(call)
  if (token === null) return empty(401)
  const standing = counter.grants.standing(token)
  if (standing.kind === 'unknown') return text(401, 'Access is denied')
  if (standing.kind === 'pushed-out') return empty(standing.status)
  if (below === '/rpt/v1/reports/requestReport') return reports.answer(call, standing.userId)
  if (below === '/auth/me') return answerMe(counter, call, standing.userId)
  if (below === call.below) return empty(404)
  if (below === '/auth/renewaccesstoken') return answerRenew(counter, call)
  const view = viewOf(standing.userId, environment)
  const [, entity = '', operation = '', more] = below.split('/')
  if (view === null || more !== undefined) return empty(404)
  if (below === '/cashBalance/getcashbalancesnapshot') return snapshot(view, call)
  if (changesOrders(entity, operation)) return call.method === 'POST' ? answerOrder(floor, { userId: standing.userId, environment }, operation, call.json) : empty(404)
  return answerEntity(view, entity, operation, call.query)
}

const snapshot = (view: View, call: Call): Answer => {
  const wanted = snapshotSchema.safeParse(call.body)
  if (call.method !== 'POST') return empty(404)
  const found = wanted.success ? view.snapshot(wanted.data.accountId) : null
  return json(found ?? { errorText: 'Account not found' })
}

/** More ids than these in one `items` call are answered 404 with an empty body. */
const IDS_AT_MOST = 10

/** The foreign key of each entity that has a master. */
const MASTER_FIELDS: Readonly<Record<string, string>> = {
  account: 'userId',
  order: 'accountId',
  position: 'accountId',
  cashBalance: 'accountId',
  userAccountAutoLiq: 'id',
  accountRiskStatus: 'id',
  fill: 'orderId',
  orderVersion: 'orderId',
  command: 'orderId',
  commandReport: 'commandId',
  executionReport: 'commandId',
  fillFee: 'id',
  fillPair: 'positionId',
  contract: 'contractMaturityId',
  contractMaturity: 'productId',
  product: 'exchangeId',
}

const idSchema = z.coerce.number().int().positive()
const idsSchema = z.string().transform((ids) => z.array(idSchema).catch([]).parse(ids.split(',')))
const limitSchema = z.coerce.number().int().positive().catch(10)

/** Answers an operation that every entity has; unknown and invisible rows are a 404 without a body. */
const answerEntity = (view: View, entity: string, operation: string, query: URLSearchParams): Answer => {
  const rows = view.rows(entity)
  if (rows === null) return empty(404)
  switch (operation) {
    case 'list':
      return jsonBytes(view.listBytes(entity) ?? Buffer.from('[]'))
    case 'item':
      return oneOrNone(view.row(entity, idSchema.catch(0).parse(query.get('id'))))
    case 'items':
      return items(view, entity, query.get('ids'))
    case 'find':
      return oneOrNone(rows.find((row) => row['name'] === query.get('name')) ?? null)
    case 'suggest':
      return suggest(rows, query)
    case 'deps':
      return dependants(view, entity, rows, query.get('masterid'))
    case 'ldeps':
      return dependants(view, entity, rows, query.get('masterids'))
    default:
      return empty(404)
  }
}

const oneOrNone = (row: WireRow | null): Answer => (row === null ? empty(404) : json(row))

/** Skips missing rows and puts the newest first, so that callers have to match by id. */
const items = (view: View, entity: string, given: string | null): Answer => {
  const ids = idsSchema.safeParse(given)
  if (!ids.success || ids.data.length === 0 || ids.data.length > IDS_AT_MOST) return empty(404)
  const found = ids.data.flatMap((id) => view.row(entity, id) ?? [])
  return json(found.sort((a, b) => b.id - a.id))
}

const suggest = (rows: readonly WireRow[], query: URLSearchParams): Answer => {
  const wanted = (query.get('t') ?? '').toLowerCase()
  const named = rows.filter((row) => String(row['name'] ?? '').toLowerCase().startsWith(wanted))
  return json(named.slice(0, limitSchema.parse(query.get('l') ?? undefined)))
}

const dependants = (view: View, entity: string, rows: readonly WireRow[], given: string | null): Answer => {
  const field = MASTER_FIELDS[entity]
  const ids = idsSchema.safeParse(given)
  if (field === undefined || !ids.success) return empty(404)
  const masters = new Set<unknown>(ids.data)
  // Accounts also depend on the user who trades them, even if a firm owns them.
  if (entity === 'account' && masters.has(view.login.userId)) return json(rows)
  return json(rows.filter((row) => masters.has(row[field])))
}

type OrderCall = (floor: ExchangeFloor, by: Trader, body: unknown) => object | null

/** The order calls; each returns the exchange's answer, or null for an invalid body. */
const orderCalls: Readonly<Record<keyof typeof orderBodies, OrderCall>> = {
  placeorder: (floor, by, body) => read(orderBodies.placeorder.safeParse(body), (order) => floor.place(by, order)),
  placeoco: (floor, by, body) => read(orderBodies.placeoco.safeParse(body), (order) => floor.oco(by, order)),
  modifyorder: (floor, by, body) => read(orderBodies.modifyorder.safeParse(body), (change) => floor.modify(by, change)),
  cancelorder: (floor, by, body) => read(orderBodies.cancelorder.safeParse(body), (sent) => floor.cancel(by, sent)),
  liquidateposition: (floor, by, body) => read(orderBodies.liquidateposition.safeParse(body), (sent) => floor.liquidate(by, sent)),
}

const read = <T>(body: { readonly data?: T }, act: (body: T) => object): object | null => (body.data === undefined ? null : act(body.data))

const isOrderCall = (operation: string): operation is keyof typeof orderBodies => Object.hasOwn(orderBodies, operation)

/** Whether `order/<operation>` is a command, which `answerOrder` handles. */
const changesOrders = (entity: string, operation: string): boolean => entity === 'order' && isOrderCall(operation)

/** Answers a trader's `order/<operation>`: HTTP 200 for accepted and refused orders alike, 400 for an invalid body. */
const answerOrder = (floor: ExchangeFloor, by: Trader, operation: string, body: unknown): Answer => {
  if (!isOrderCall(operation)) return empty(404)
  const answer = orderCalls[operation](floor, by, body)
  return answer === null ? text(400, 'Incorrect JSON') : json(answer)
}
