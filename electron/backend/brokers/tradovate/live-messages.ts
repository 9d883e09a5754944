import { z } from 'zod'
import type { Fact, OrderStatus } from '#shared/copier/facts.ts'
import { parseDecimal, writeDecimal } from '#shared/money/decimal.ts'
import { parseAmount } from '#shared/money/money.ts'
import type { LiveAccount, LiveContract } from './live.ts'
import { readLimits, type LimitRow } from './limit-rows.ts'
import { contractRow, fillRow, instant, maturityRow, productRow, type ContractRow, type MaturityRow, type ProductRow } from './wire.ts'

// A row of the socket is read leniently: what the copier does not need is not looked at, and a field that may be left
// out may be null too.
const id = z.int().positive()
const tradeDate = fillRow.shape.tradeDate
const whole = z.int()
const maybeId = id.nullish()
const maybeNumber = z.number().nullish()
const maybeText = z.string().nullish()
const action = z.enum(['Buy', 'Sell'])

const statuses: ReadonlySet<string> = new Set<OrderStatus>(['Canceled', 'Completed', 'Expired', 'Filled', 'PendingCancel', 'PendingNew', 'PendingReplace', 'Rejected', 'Suspended', 'Unknown', 'Working'])
const isStatus = (text: string): text is OrderStatus => statuses.has(text)

const sideOf = (action: 'Buy' | 'Sell'): 'buy' | 'sell' => (action === 'Buy' ? 'buy' : 'sell')
const dayOf = ({ year, month, day }: z.infer<typeof tradeDate>): string => `${String(year)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

const amount = z.number().transform((value, context): number => {
  const read = parseAmount(value, 'half-even')
  if (read.ok) return read.value
  context.addIssue({ code: 'custom' })
  return z.NEVER
})

const fill = z
  .object({ id, orderId: id, contractId: id, timestamp: instant, tradeDate, action, qty: whole.positive(), price: z.number(), active: z.boolean().nullish() })
  .transform((row): Fact => ({
    kind: 'fill', id: row.id, orderId: row.orderId, contractId: row.contractId, side: sideOf(row.action), qty: row.qty, price: row.price,
    session: dayOf(row.tradeDate), time: row.timestamp, active: row.active ?? true,
  }))

const position = z
  .object({ id, accountId: id, contractId: id, timestamp: instant, tradeDate, netPos: whole, netPrice: maybeNumber, bought: whole.nonnegative(), sold: whole.nonnegative(), prevPos: whole.nullish() })
  .transform((row): Fact => ({
    kind: 'position', id: row.id, accountId: row.accountId, contractId: row.contractId, session: dayOf(row.tradeDate), net: row.netPos,
    // The carried-in quantity follows from the rest if missing.
    before: row.prevPos ?? row.netPos - row.bought + row.sold,
    bought: row.bought, sold: row.sold, netPrice: row.netPos === 0 ? null : (row.netPrice ?? null), time: row.timestamp,
  }))

const order = z
  .object({ id, accountId: id, contractId: maybeId, timestamp: instant, action, ordStatus: z.string(), ocoId: maybeId })
  .transform((row): Fact => ({
    kind: 'order', id: row.id, accountId: row.accountId, contractId: row.contractId ?? null, side: sideOf(row.action),
    status: isStatus(row.ordStatus) ? row.ordStatus : 'Unknown', ocoId: row.ocoId ?? null, time: row.timestamp,
  }))

const version = z
  .object({ id, orderId: id, orderQty: whole.nonnegative(), orderType: z.string(), price: maybeNumber, stopPrice: maybeNumber, pegDifference: maybeNumber, timeInForce: maybeText })
  .transform((row): Fact => ({
    kind: 'version', id: row.id, orderId: row.orderId, qty: row.orderQty, type: row.orderType, price: row.price ?? null, stopPrice: row.stopPrice ?? null, pegDifference: row.pegDifference ?? null, timeInForce: row.timeInForce ?? null,
  }))

const command = z
  .object({ id, orderId: id, commandType: z.enum(['New', 'Modify', 'Cancel']), clOrdId: maybeText })
  .transform((row): Fact => ({ kind: 'command', id: row.id, orderId: row.orderId, type: row.commandType, clOrdId: row.clOrdId ?? null }))

const report = z
  .object({ id, commandId: id, rejectReason: maybeText, text: maybeText })
  .transform((row): Fact => ({ kind: 'report', id: row.id, commandId: row.commandId, rejectReason: row.rejectReason ?? null, text: row.text ?? null }))

const cash = z
  .object({ accountId: id, tradeDate, currencyId: id, amount, amountSOD: amount.nullish(), realizedPnL: amount.nullish() })
  .transform((row): Fact => ({
    kind: 'cash', accountId: row.accountId, session: dayOf(row.tradeDate), currencyId: row.currencyId, amount: row.amount, startOfDay: row.amountSOD ?? null, realized: row.realizedPnL ?? null,
  }))

const facts = new Map<string, z.core.$ZodType<Fact>>([
  ['fill', fill], ['position', position], ['order', order], ['orderVersion', version], ['command', command], ['commandReport', report], ['cashBalance', cash],
])

const account = z
  .object({ id, name: z.string().min(1), restricted: z.boolean().nullish(), readonly: z.boolean().nullish(), closed: z.boolean().nullish(), active: z.boolean().nullish(), archived: z.boolean().nullish() })
  .transform((row): LiveAccount => ({
    id: row.id, name: row.name, restricted: row.restricted === true || row.readonly === true,
    closed: row.closed === true || row.archived === true || row.active === false,
  }))

/** The fields of a socket or list row that the copier needs. */
type LiveRow =
  | { readonly kind: 'fact'; readonly fact: Fact }
  | { readonly kind: 'account'; readonly account: LiveAccount }
  | { readonly kind: 'contract'; readonly contract: ContractRow }
  | { readonly kind: 'maturity'; readonly maturity: MaturityRow }
  | { readonly kind: 'product'; readonly product: ProductRow }
  /** `why` names the first field that is wrong. */
  | { readonly kind: 'unreadable'; readonly why: string }

const read = <T>(schema: z.core.$ZodType<T>, value: unknown, toRow: (row: T) => LiveRow): LiveRow => {
  const parsed = z.safeParse(schema, value)
  return parsed.success ? toRow(parsed.data) : { kind: 'unreadable', why: parsed.error.issues[0]?.path.join('.') || 'row' }
}

/** Reads one row of an entity, named as in events, `orderVersion`; null for an entity that the copier ignores. */
export const readLiveRow = (entity: string, value: unknown): LiveRow | null => {
  const schema = facts.get(entity)
  if (schema !== undefined) return read(schema, value, (fact) => ({ kind: 'fact', fact }))
  switch (entity) {
    case 'account':
      return read(account, value, (row) => ({ kind: 'account', account: row }))
    case 'contract':
      return read(contractRow, value, (row) => ({ kind: 'contract', contract: row }))
    case 'contractMaturity':
      return read(maturityRow, value, (row) => ({ kind: 'maturity', maturity: row }))
    case 'product':
      return read(productRow, value, (row) => ({ kind: 'product', product: row }))
    default:
      return null
  }
}

/** A contract with its product's figures; null if the tick size is not a decimal. */
export const liveContract = (contract: ContractRow, product: ProductRow): LiveContract | null => {
  const tick = parseDecimal(product.tickSize)
  if (tick === null) return null
  return { id: contract.id, name: contract.name, product: product.name, tickSize: writeDecimal(tick.digits, tick.scale), valuePerPoint: product.valuePerPoint, currencyId: product.currencyId }
}

/** Rows of one message by kind, in order. */
export type LiveRows = {
  readonly facts: readonly Fact[]
  readonly accounts: readonly LiveAccount[]
  readonly contracts: readonly ContractRow[]
  readonly maturities: readonly MaturityRow[]
  readonly products: readonly ProductRow[]
  /** Account limits. */
  readonly limits: readonly LimitRow[]
  readonly unreadable: readonly { readonly entity: string; readonly why: string }[]
  /** Orders and positions that the broker deleted. */
  readonly deleted: readonly { readonly entity: string; readonly id: number | null }[]
}

type Sorted = { readonly [K in keyof LiveRows]: LiveRows[K][number][] }

const nothing = (): Sorted => ({ facts: [], accounts: [], contracts: [], maturities: [], products: [], limits: [], unreadable: [], deleted: [] })

const sort = (rows: Sorted, entity: string, value: unknown): void => {
  const limits = readLimits(entity, value)
  if (limits !== null) rows.limits.push(limits)
  const read = readLiveRow(entity, value)
  if (read === null) return
  switch (read.kind) {
    case 'fact':
      rows.facts.push(read.fact)
      return
    case 'account':
      rows.accounts.push(read.account)
      return
    case 'contract':
      rows.contracts.push(read.contract)
      return
    case 'maturity':
      rows.maturities.push(read.maturity)
      return
    case 'product':
      rows.products.push(read.product)
      return
    case 'unreadable':
      rows.unreadable.push({ entity, why: read.why })
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const anyId = z.object({ id: z.int() })

/** The rows of a frame's `props` events. The broker sends `d` and `entity` as one value or a list. */
export const rowsOfProps = (events: readonly unknown[]): LiveRows => {
  const rows = nothing()
  for (const item of events.flatMap(listOf)) {
    const { entityType, eventType, entity } = (typeof item === 'object' && item !== null ? item : {}) as Readonly<Record<'entityType' | 'eventType' | 'entity', unknown>>
    if (typeof entityType !== 'string') {
      rows.unreadable.push({ entity: 'props', why: 'event' })
      continue
    }
    for (const row of listOf(entity)) {
      if (eventType !== 'Deleted') sort(rows, entityType, row)
      else if (entityType === 'order' || entityType === 'position') rows.deleted.push({ entity: entityType, id: anyId.safeParse(row).data?.id ?? null })
    }
  }
  return rows
}

// Contracts and orders first, so that later rows can refer to them.
const lists = [
  ['products', 'product'], ['contractMaturities', 'contractMaturity'], ['contracts', 'contract'], ['accounts', 'account'], ['positions', 'position'], ['orders', 'order'],
  ['orderVersions', 'orderVersion'], ['commands', 'command'], ['commandReports', 'commandReport'], ['fills', 'fill'], ['cashBalances', 'cashBalance'],
  ['userAccountAutoLiqs', 'userAccountAutoLiq'], ['accountRiskStatuses', 'accountRiskStatus'],
] as const

const snapshot = z.record(z.string(), z.unknown())

/** The rows of a snapshot message; every list may be missing or null. Null if it is not a snapshot. */
export const rowsOfSnapshot = (data: unknown): LiveRows | null => {
  const read = snapshot.safeParse(data)
  if (!read.success) return null
  const rows = nothing()
  for (const [list, entity] of lists) {
    const values = read.data[list]
    if (Array.isArray(values)) for (const value of values) sort(rows, entity, value)
  }
  return rows
}

/** The rows of an entity list; null if it is not a list. */
export const rowsOfList = (entity: string, value: unknown): LiveRows | null => {
  if (!Array.isArray(value)) return null
  const rows = nothing()
  for (const row of value) sort(rows, entity, row)
  return rows
}
