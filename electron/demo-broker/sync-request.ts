import { z } from 'zod'
import type { Row } from './contracts.ts'
import type { View } from './market.ts'
import type { FloorEvent } from './rows.ts'

/** A socket's subscriptions. */
export type Subscription = {
  /** Null: of every entity. */
  readonly entityTypes: ReadonlySet<string> | null
  /** Whether an account is subscribed. */
  readonly account: (id: number) => boolean
  /** Whether every account is subscribed. */
  readonly all: boolean
  readonly split: boolean
}

// A split answer keeps the entities of one row together.
const PARTS = [
  { user: 'users', account: 'accounts', currency: 'currencies', contract: 'contracts', contractMaturity: 'contractMaturities', product: 'products', exchange: 'exchanges' },
  { cashBalance: 'cashBalances', position: 'positions', userAccountAutoLiq: 'userAccountAutoLiqs', accountRiskStatus: 'accountRiskStatuses' },
  { order: 'orders', orderVersion: 'orderVersions', command: 'commands', commandReport: 'commandReports', executionReport: 'executionReports' },
  { fill: 'fills', fillFee: 'fillFees', fillPair: 'fillPairs' },
] as const

/** The parts of a split answer. */
export const syncParts: readonly number[] = [...PARTS.keys()]

const bodySchema = z.looseObject({
  splitResponses: z.boolean().default(false),
  users: z.array(z.int()).optional(),
  accounts: z.array(z.int()).optional(),
  entityTypes: z.array(z.string()).optional(),
  shardingExpression: z.object({ divisor: z.int().positive(), remainder: z.int().nonnegative(), expressionType: z.enum(['modAccountId', 'modUserId']) }).optional(),
})

/** Parses the body of `user/syncrequest`; returns the refusal if it is invalid. */
export const readSync = (body: unknown, userId: number, emptyByDefault: boolean): Subscription | { readonly refused: string } => {
  const read = bodySchema.safeParse(body)
  if (!read.success) return { refused: 'Invalid request' }
  const { users, accounts, entityTypes, shardingExpression: shard, splitResponses } = read.data
  if (users !== undefined && (entityTypes !== undefined || shard !== undefined)) return { refused: 'users cannot be combined with entityTypes or shardingExpression' }
  if (accounts !== undefined && shard !== undefined) return { refused: 'accounts cannot be combined with shardingExpression' }
  if (users?.some((id) => id !== userId) === true) return { refused: 'Access is denied' }
  const types = entityTypes ?? (users === undefined && emptyByDefault ? [] : null)
  const sharded = (id: number): boolean => shard === undefined || (shard.expressionType === 'modAccountId' ? id : userId) % shard.divisor === shard.remainder
  return {
    entityTypes: types === null ? null : new Set(types),
    account: accounts === undefined ? sharded : (id) => accounts.includes(id),
    all: accounts === undefined && shard === undefined,
    split: splitResponses,
  }
}

/** One part of a login's rows, by entity. */
export const syncRows = (view: View, subscription: Subscription, part: number): [entity: string, plural: string, rows: readonly Row[]][] =>
  Object.entries(PARTS[part] ?? {})
    .filter(([entity]) => isAsked(subscription, entity))
    .map(([entity, plural]) => [entity, plural, rowsOf(view, entity).filter((row) => isOfAccount(view, subscription, entity, row))])

/** Whether a change belongs to a subscription. */
export const isWanted = (view: () => View | null, subscription: Subscription, { entityType, entity }: FloorEvent): boolean => {
  if (!isAsked(subscription, entityType)) return false
  if (subscription.all) return true
  const seen = view()
  return seen !== null && isOfAccount(seen, subscription, entityType, entity)
}

const isAsked = ({ entityTypes }: Subscription, entity: string): boolean => entityTypes === null || entityTypes.has(entity)

const isOfAccount = (view: View, { all, account }: Subscription, entity: string, row: Row): boolean => {
  const id = all ? null : accountOf(view, entity, row)
  return id === null || account(id)
}

const numberIn = (row: Row | null, field: string): number | null => {
  const value = row?.[field]
  return typeof value === 'number' ? value : null
}

/** The account of a row, found through its order, command, position or fill; null for a row without an account. */
const accountOf = (view: View, entity: string, row: Row): number | null => {
  if (entity === 'account' || entity === 'userAccountAutoLiq' || entity === 'accountRiskStatus') return row.id
  const own = numberIn(row, 'accountId')
  if (own !== null) return own
  const position = numberIn(row, 'positionId')
  if (position !== null) return numberIn(view.row('position', position), 'accountId')
  const source = entity === 'fillFee' ? view.row('fill', row.id) : entity === 'commandReport' ? view.row('command', numberIn(row, 'commandId') ?? 0) : row
  const order = numberIn(source, 'orderId')
  return order === null ? null : numberIn(view.row('order', order), 'accountId')
}

/** The part of the contract library that positions and orders use; clients request the rest separately. */
const rowsOf = (view: View, entity: string): readonly Row[] => {
  const rows = view.rows(entity) ?? []
  const fields: Readonly<Record<string, readonly [master: string, field: string]>> = {
    contractMaturity: ['contract', 'contractMaturityId'], product: ['contractMaturity', 'productId'], exchange: ['product', 'exchangeId'],
  }
  if (entity === 'contract') {
    const traded = new Set(['position', 'order'].flatMap((each) => (view.rows(each) ?? []).map((row) => row['contractId'])))
    return rows.filter(({ id }) => traded.has(id))
  }
  const [master, field] = fields[entity] ?? []
  if (master === undefined || field === undefined) return rows
  const used = new Set(rowsOf(view, master).map((row) => row[field]))
  return rows.filter(({ id }) => used.has(id))
}
