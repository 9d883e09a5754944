import type { AccountKey } from '#shared/fills/fill.ts'
import type { OrderStep, WorkedOrder } from '#shared/fills/worked-order.ts'
import type { Ticks } from '#shared/money/price.ts'
import { and, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts, workedOrders as table } from '../db/schema/brokerage.ts'

const textOf = (steps: readonly OrderStep[]): string => JSON.stringify(steps.map(({ at, price, qty }) => [at, price, qty]))
const stepsOf = (text: string): readonly OrderStep[] => (JSON.parse(text) as [number, Ticks, number][]).map(([at, price, qty]) => ({ at, price, qty }))

/** `saveWorkedOrders` of the journal: keeps orders with their changes. One without an end worked at least until `at` (UTC ms). An order that the broker no longer lists stays. */
export const saveWorkedOrders = (writer: Writer, { userId, orders, at }: OfUser & { readonly at: number; readonly orders: readonly WorkedOrder[] }): void => {
  const known = new Set(writer.orm.select({ key: accounts.key }).from(accounts).where(eq(accounts.userId, userId)).all().map(({ key }) => key))
  for (const { account, id, contract, tickSize, side, kind, steps, endedAt } of orders) {
    const [first] = steps
    if (!known.has(account) || first === undefined) continue
    const content = { contract, tickSize, side, kind, beganAt: first.at, endedAt, seenAt: at, steps: textOf(steps) }
    writer.orm.insert(table).values({ userId, account, orderId: id, ...content }).onConflictDoUpdate({ target: [table.userId, table.account, table.orderId], set: content, setWhere: isNull(table.endedAt) }).run()
  }
}

const until = sql<number>`COALESCE(${table.endedAt}, ${table.seenAt})`

/** An order of the past: `until` is when it ended, or when it was seen working last. */
export type PastOrder = Omit<WorkedOrder, 'endedAt'> & { readonly until: number }

/** Orders of an account in a contract that worked at some time of a span of UTC ms, in the order of their beginning. */
export const workedOrdersIn = (reader: Reader, userId: string, { account, contract, from, to }: { readonly account: AccountKey; readonly contract: string; readonly from: number; readonly to: number }): readonly PastOrder[] =>
  reader.orm
    .select()
    .from(table)
    .where(and(eq(table.userId, userId), eq(table.account, account), eq(table.contract, contract), lt(table.beganAt, to), gte(until, from)))
    .orderBy(table.beganAt, table.orderId)
    .all()
    .map(({ userId: _user, orderId, beganAt: _began, seenAt, endedAt, steps, ...order }) => ({ ...order, id: orderId, steps: stepsOf(steps), until: endedAt ?? seenAt }))
