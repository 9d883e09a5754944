import { atomically, change, query, type Reader, type Writer } from '../../db/database.ts'
import type { SavedOrder, NotSent, OrderNews, DryRunPosition, UnmarkedOrder } from './rows.ts'

// Raw SQL in this file: the benchmark `copier` follows its orders with it, and drizzle cannot name the index that finds the open ones.
type OrderRow = Omit<SavedOrder, 'dryRun' | 'counts'> & { readonly dryRun: number; readonly counts: number }

const columns = `cl_ord_id AS clOrdId, event AS cause, group_id AS groupId, account, orders.contract, orders.side, orders.qty, purpose, type, limit_price AS price,
  stop_price AS stopPrice, peg_difference AS pegDifference, leader_order_id AS leaderOrderId, written_at AS writtenAt, dry_run AS dryRun, stage, order_id AS orderId, filled, orders.why, counts`

// Open orders are few, but SQLite would scan all by time: the condition repeats the partial index's.
const open = `SELECT ${columns} FROM orders INDEXED BY open_orders CROSS JOIN events ON events.id = event WHERE stage IN ('written', 'sent', 'acknowledged', 'unknown')`
const since = `SELECT ${columns} FROM orders INDEXED BY orders_by_time CROSS JOIN events ON events.id = event WHERE written_at >= ?`
const counting = `SELECT ${columns} FROM orders INDEXED BY counting_orders CROSS JOIN events ON events.id = event WHERE counts = 1`

const owners = `SELECT DISTINCT user_id AS userId FROM orders INDEXED BY open_orders CROSS JOIN events ON events.id = event CROSS JOIN groups ON groups.id = group_id
  WHERE stage IN ('written', 'sent', 'acknowledged', 'unknown')`

const toOrder = ({ dryRun, counts, ...row }: OrderRow): SavedOrder => ({ ...row, dryRun: dryRun === 1, counts: counts === 1 })

/** All open orders, oldest first. */
export const openOrders = (reader: Reader): SavedOrder[] => query<OrderRow>(reader, `${open} ORDER BY written_at, event, cl_ord_id`).all().map(toOrder)

/** Users with open orders, removed groups included. */
export const usersWithOrders = (reader: Reader): string[] => query<{ userId: string }>(reader, owners).all().map(({ userId }) => userId)

/** An account's orders since a time (UTC ms), and earlier ones that are open or count for a leader's order, oldest first. */
export const ordersOf = (reader: Reader, account: string, sinceMs: number): SavedOrder[] => {
  const sql = `SELECT * FROM (${since} AND account = ? UNION ${open} AND account = ? UNION ${counting} AND account = ?) ORDER BY writtenAt, cause, clOrdId`
  return query<OrderRow>(reader, sql).all(sinceMs, account, account, account).map(toOrder)
}

const unmarked = `SELECT user_id AS userId, account, order_id AS orderId, cl_ord_id AS clOrdId FROM orders INDEXED BY unmarked_orders CROSS JOIN events ON events.id = event
  CROSS JOIN groups ON groups.id = group_id WHERE unmarked = 1 AND order_id IS NOT NULL ORDER BY event, cl_ord_id`

/** Filled orders whose trades are not marked as copied yet, oldest first. */
export const unmarkedOrders = (reader: Reader): UnmarkedOrder[] => query<UnmarkedOrder>(reader, unmarked).all()

const simulatedSql = `SELECT account, orders.contract, sum(CASE orders.side WHEN 'buy' THEN orders.qty ELSE -orders.qty END) AS net
  FROM groups CROSS JOIN events ON events.group_id = groups.id AND events.id > armed_after CROSS JOIN orders ON event = events.id
  WHERE groups.id = ? AND dry_run = 1 AND purpose NOT IN ('exit', 'entry') GROUP BY account, orders.contract HAVING net <> 0`

/** A dry run's simulated positions since it was last armed. */
export const simulated = (reader: Reader, groupId: string): DryRunPosition[] => query<DryRunPosition>(reader, simulatedSql).all(groupId)

const newsColumns = ['stage', 'order_id', 'filled', 'price', 'to_wire', 'ack', 'fill', 'slip_ticks', 'slip_money', 'slip_currency', 'why', 'unmarked', 'counts']
const update = `UPDATE orders SET ${newsColumns.map((column) => `${column} = COALESCE(?, ${column})`).join(', ')} WHERE cl_ord_id = ?`

/** Records order news; returns the ids of unknown orders. */
export const recordNews = (writer: Writer, news: readonly OrderNews[]): string[] =>
  news.flatMap(({ clOrdId, stage, orderId, filled, price, toWireMs, ackMs, fillMs, slippage, why, unmarked, counts }) => {
    const cells = [stage, orderId, filled, price, toWireMs, ackMs, fillMs, slippage?.ticks, slippage?.money, slippage?.currency, why, unmarked === undefined ? null : Number(unmarked), counts === undefined ? null : Number(counts)]
    return change(writer, update).run(...cells.map((cell) => cell ?? null), clOrdId).changes > 0 ? [] : [clOrdId]
  })

/** Records why nothing was sent, all or nothing; the latest reason wins. */
export const notSent = (writer: Writer, rows: readonly NotSent[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO not_sent (event, account, contract, why) VALUES (?, ?, ?, ?)')
  atomically(writer, () => {
    for (const { cause, account, contract, why } of rows) put.run(cause, account, contract, why)
  })
}
