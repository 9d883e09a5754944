import type { Fact, FillFact, OrderFact, PositionFact } from '#shared/copier/facts.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { BrokerFailure } from '../../brokers/failure.ts'
import type { LimitRow } from '../../brokers/tradovate/limit-rows.ts'
import { rowsOfList } from '../../brokers/tradovate/live-messages.ts'

/** Reads one path on the line's side. */
export type ReadPath = (path: string, query?: Readonly<Record<string, string>>) => Promise<Result<unknown, BrokerFailure>>

/** The content of the lists. */
export type Listed = {
  readonly facts: readonly Fact[]
  /** False if this login may not read commands: then a lost order's outcome is unknown. */
  readonly withCommands: boolean
}

/** The most orders to request per read that the fill list names and the order list lacks. */
const mostLookUps = 50

const list = async (read: ReadPath, entity: string): Promise<Result<readonly Fact[], BrokerFailure>> => {
  const answer = await read(`/${entity}/list`)
  if (!answer.ok) return answer
  const rows = rowsOfList(entity, answer.value)
  return rows === null ? err({ kind: 'unreadable-answer' }) : ok(rows.facts)
}

/** One order by id; null if unknown to the broker or unreadable. */
export const readOrder = async (read: ReadPath, id: number): Promise<Fact | null> => {
  const answer = await read('/order/item', { id: String(id) })
  return answer.ok ? (rowsOfList('order', [answer.value])?.facts[0] ?? null) : null
}

/** All fills of an order that the broker has. */
export const readFillsOf = async (read: ReadPath, orderId: number): Promise<readonly FillFact[] | null> => {
  const answer = await read('/fill/deps', { masterid: String(orderId) })
  const rows = answer.ok ? rowsOfList('fill', answer.value) : null
  return rows === null ? null : rows.facts.filter((fact) => fact.kind === 'fill')
}

/** The broker's own limits; empty if the login may not read them. */
export const readLimitLists = async (read: ReadPath): Promise<readonly LimitRow[]> => {
  const lists = await Promise.all((['account', 'userAccountAutoLiq', 'accountRiskStatus'] as const).map(async (entity) => ({ entity, answer: await read(`/${entity}/list`) })))
  return lists.flatMap(({ entity, answer }) => (answer.ok ? (rowsOfList(entity, answer.value)?.limits ?? []) : []))
}

const absent: ReadonlySet<BrokerFailure['kind']> = new Set(['permission-missing', 'not-found'])

/**
 * Reads the lists of the current session. Positions come first and fills last, so every fill in a position is also in the fill list.
 */
export const readLists = async (read: ReadPath): Promise<Result<Listed, BrokerFailure>> => {
  const positions = await list(read, 'position')
  if (!positions.ok) return positions
  const [orders, versions, commands, cash] = await Promise.all([list(read, 'order'), list(read, 'orderVersion'), list(read, 'command'), list(read, 'cashBalance')])
  if (!orders.ok) return orders
  if (!versions.ok) return versions
  if (!commands.ok && !absent.has(commands.error.kind)) return commands
  const fills = await list(read, 'fill')
  if (!fills.ok) return fills
  const known = new Set(orders.value.map((fact) => (fact.kind === 'order' ? fact.id : 0)))
  const unknown = new Set(fills.value.flatMap((fact) => (fact.kind === 'fill' && !known.has(fact.orderId) ? [fact.orderId] : [])))
  const found = await Promise.all([...unknown].slice(0, mostLookUps).map((id) => readOrder(read, id)))
  return ok({
    withCommands: commands.ok,
    facts: [
      ...positions.value, ...orders.value, ...found.filter((fact) => fact !== null), ...versions.value, ...(commands.ok ? commands.value : []), ...fills.value,
      // A login that may not read cash still copies.
      ...(cash.ok ? cash.value : []),
    ],
  })
}

/** Whether a position of the newest session includes fills not received yet: then reread the lists. */
export const isBehind = (facts: readonly Fact[]): boolean => {
  const orders = new Map<number, OrderFact>()
  const positions = new Map<string, PositionFact>()
  for (const fact of facts) {
    if (fact.kind === 'order') orders.set(fact.id, fact)
    if (fact.kind === 'position') {
      const key = `${String(fact.accountId)} ${String(fact.contractId)}`
      if ((positions.get(key)?.session ?? '') <= fact.session) positions.set(key, fact)
    }
  }
  const filled = new Map<string, number>()
  for (const fact of facts) {
    if (fact.kind !== 'fill' || !fact.active) continue
    const accountId = orders.get(fact.orderId)?.accountId
    const key = `${String(accountId)} ${String(fact.contractId)} ${fact.session} ${fact.side}`
    filled.set(key, (filled.get(key) ?? 0) + fact.qty)
  }
  return [...positions].some(([key, { session, bought, sold }]) => bought > (filled.get(`${key} ${session} buy`) ?? 0) || sold > (filled.get(`${key} ${session} sell`) ?? 0))
}
