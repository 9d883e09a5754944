import { z } from 'zod'
import { empty, json, jsonBytes, type Answer } from './answers.ts'
import type { Row } from './contract-library.ts'
import type { View } from './view.ts'

/** More ids than these in one `items` call are answered 404 with an empty body. */
const IDS_AT_MOST = 10

/** The field by which an entity's rows hang on their master. */
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

/** Answers one of the operations that every entity has; what is unknown or not to be seen is a 404 without a body. */
export const answerEntity = (view: View, entity: string, operation: string, query: URLSearchParams): Answer => {
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

const oneOrNone = (row: Row | null): Answer => (row === null ? empty(404) : json(row))

/** Rows that are not there are left out, and the newest come first: callers have to match by id. */
const items = (view: View, entity: string, given: string | null): Answer => {
  const ids = idsSchema.safeParse(given)
  if (!ids.success || ids.data.length === 0 || ids.data.length > IDS_AT_MOST) return empty(404)
  const found = ids.data.flatMap((id) => view.row(entity, id) ?? [])
  return json(found.sort((a, b) => b.id - a.id))
}

const suggest = (rows: readonly Row[], query: URLSearchParams): Answer => {
  const wanted = (query.get('t') ?? '').toLowerCase()
  const named = rows.filter((row) => String(row['name'] ?? '').toLowerCase().startsWith(wanted))
  return json(named.slice(0, limitSchema.parse(query.get('l') ?? undefined)))
}

const dependants = (view: View, entity: string, rows: readonly Row[], given: string | null): Answer => {
  const field = MASTER_FIELDS[entity]
  const ids = idsSchema.safeParse(given)
  if (field === undefined || !ids.success) return empty(404)
  const masters = new Set<unknown>(ids.data)
  // A trader's accounts hang on the trader too, even where a firm owns them.
  if (entity === 'account' && masters.has(view.login.userId)) return json(rows)
  return json(rows.filter((row) => masters.has(row[field])))
}
