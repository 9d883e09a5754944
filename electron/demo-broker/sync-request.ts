import { z } from 'zod'
import type { Row } from './contracts.ts'
import type { View } from './market.ts'
import type { FloorEvent } from './rows.ts'

/** A socket's subscriptions. */
export type Subscription = {
  /** Null: of every entity. */
  readonly entityTypes: ReadonlySet<string> | null
  /** Whether an account is among those asked for. */
  readonly account: (id: number) => boolean
  /** Whether every account is. */
  readonly all: boolean
  readonly split: boolean
}

// Rows of one line travel together where an answer is split.
const PARTS = [
  { user: 'users', account: 'accounts', currency: 'currencies', contract: 'contracts', contractMaturity: 'contractMaturities', product: 'products', exchange: 'exchanges' },
  { cashBalance: 'cashBalances', position: 'positions', userAccountAutoLiq: 'userAccountAutoLiqs', accountRiskStatus: 'accountRiskStatuses' },
  { order: 'orders', orderVersion: 'orderVersions', command: 'commands', commandReport: 'commandReports', executionReport: 'executionReports' },
  { fill: 'fills', fillFee: 'fillFees', fillPair: 'fillPairs' },
] as const

/** In how many parts a split answer comes. */
export const syncParts: readonly number[] = [...PARTS.keys()]

const bodySchema = z.looseObject({
  splitResponses: z.boolean().default(false),
  users: z.array(z.int()).optional(),
  accounts: z.array(z.int()).optional(),
  entityTypes: z.array(z.string()).optional(),
  shardingExpression: z.object({ divisor: z.int().positive(), remainder: z.int().nonnegative(), expressionType: z.enum(['modAccountId', 'modUserId']) }).optional(),
})

/** Reads the body of `user/syncrequest`, or says why it is refused. */
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

/** One part of what a login sees, entity by entity. */
export const syncRows = (view: View, subscription: Subscription, part: number): [entity: string, plural: string, rows: readonly Row[]][] =>
  Object.entries(PARTS[part] ?? {})
    .filter(([entity]) => isAsked(subscription, entity))
    .map(([entity, plural]) => [entity, plural, rowsOf(view, entity).filter((row) => isOfAccount(view, subscription, entity, row))])

/** Whether a change belongs to what a socket asked for. */
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

/** The account that a row belongs to, over its order, command, position or fill; null for a row that belongs to none. */
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

/** Of the contract library only what positions and orders are in: the rest has to be asked for. */
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
