import { atomically, change, query, type Reader, type Writer } from '../../db/database.ts'
import { storeFault } from '../../db/fault.ts'
import type { SavedOrder, NotSent, OrderNews, DryRunPosition, UnmarkedOrder, Cause, Intent } from './rows.ts'

// Raw SQL in this file: the benchmark `copier` writes and follows its orders with it, and drizzle cannot name the index that finds the open ones.
/** The event columns after the id, with their values from a cause. */
const causeColumns: readonly (readonly [column: string, cell: (cause: Cause) => string | number | null])[] = [
  ['group_id', ({ groupId }) => groupId],
  ['at', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['leader_account', ({ leaderAccount }) => leaderAccount],
  ['contract', ({ contract }) => contract],
  ['fill_id', ({ fillId }) => fillId],
  ['side', ({ side }) => side],
  ['qty', ({ qty }) => qty],
  ['price', ({ price }) => price],
]

const insertEvent = `INSERT INTO events (id, ${causeColumns.map(([column]) => column).join(', ')}) VALUES (?${', ?'.repeat(causeColumns.length)})`

const start2026 = Date.UTC(2026, 0, 1)

/** The ledger events of a writing connection. */
type Causes = ReturnType<typeof causesOf>

/**
 * Stores events of a writing connection. Order ids contain event ids, so none may ever be reused, even after a power cut lost the last events: the
 * first event after opening gets at least the seconds since 2026, which is beyond all earlier ids.
 */
export const causesOf = (writer: Writer) => {
  let next: number | null = null
  const nextId = ({ at }: Cause): number => {
    next ??= Math.max(query<{ next: number }>(writer, 'SELECT COALESCE(max(id), 0) + 1 AS next FROM events').get()?.next ?? 1, Math.floor((at - start2026) / 1000))
    // A rolled-back transaction only leaves a gap.
    return next++
  }
  const known = ({ groupId, fillId }: Cause): number | null =>
    fillId === null ? null : (query<{ id: number }>(writer, 'SELECT id FROM events WHERE group_id = ? AND fill_id = ?').get(groupId, fillId)?.id ?? null)
  return {
    /** The id of an already stored event (same fill, same group), or null. */
    known,
    /** A unique id for a new event. */
    nextId,
    /** Stores an event and returns its id; the existing id if the group already has the fill. */
    keep: (cause: Cause): number => {
      const kept = known(cause)
      if (kept !== null) return kept
      const id = nextId(cause)
      change(writer, insertEvent).run(id, ...causeColumns.map(([, cell]) => cell(cause)))
      return id
    },
  }
}

type Written = Omit<Intent, 'cause'>

/** The columns of an order, in the order in which `cellsOf` writes them. */
const writtenColumns = [
  'cl_ord_id', 'account', 'contract', 'side', 'qty', 'purpose', 'type', 'limit_price', 'stop_price', 'leader_order_id', 'written_at', 'dry_run', 'stage',
  // Last: unexpanded orders of an older program have none.
  'peg_difference',
] as const

const cellsOf = ({ clOrdId, account, contract, side, qty, purpose, type, price, stopPrice, leaderOrderId, writtenAt, dryRun, pegDifference }: Written): readonly (string | number | null)[] =>
  [clOrdId, account, contract, side, qty, purpose, type, price, stopPrice, leaderOrderId, writtenAt, dryRun ? 1 : 0, dryRun ? 'dry-run' : 'written', pegDifference]

const insert = 'INSERT INTO intents (event, cause, orders) VALUES (?, ?, ?)'
const known = 'SELECT cl_ord_id AS id FROM json_each(?) AS given CROSS JOIN orders ON orders.cl_ord_id = given.value LIMIT 1'
/** Inserts nothing if the fill's event or one of the orders' ids already exists. */
const insertNewFill = `INSERT INTO intents (event, cause, orders) SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM events WHERE group_id = ? AND fill_id = ?) AND NOT EXISTS (${known})`
const keepEvents = `INSERT INTO events (id, ${causeColumns.map(([column]) => column).join(', ')})
  SELECT event, ${causeColumns.map((_, index) => `cause ->> ${String(index)}`).join(', ')} FROM intents WHERE cause IS NOT NULL`
const takeApart = `INSERT INTO orders (event, ${writtenColumns.join(', ')})
  SELECT event, ${writtenColumns.map((_, index) => `one.value ->> ${String(index)}`).join(', ')} FROM intents, json_each(intents.orders) AS one`

const cellsOfCause = (cause: Cause): string => JSON.stringify(causeColumns.map(([, cell]) => cell(cause)))

const fillOf = ({ groupId, fillId }: Cause): string | null => (fillId === null ? null : `${fillId} ${groupId}`)

/** Orders written as one row, and expanded into rows later. Includes orders left over from a crash: spread them first. */
export const intentsOf = (writer: Writer, causes: Causes) => {
  const waiting = new Set<string>()
  const events = new Map<string, number>()
  let isLeft = true
  const refuse = (id: string | undefined): void => {
    if (id !== undefined) throw storeFault('internal', `An order's id was given twice: ${id}`)
  }
  const insertOrders = (cause: Cause | number, fill: string | null, orders: string, ids: readonly string[]): number => {
    if (typeof cause !== 'number' && fill !== null && !events.has(fill)) {
      // A leader's fill waits for this: one statement checks and writes.
      const event = causes.nextId(cause)
      const { changes } = change(writer, insertNewFill).run(event, cellsOfCause(cause), orders, cause.groupId, cause.fillId, JSON.stringify(ids))
      if (changes === 1) return event
    }
    refuse(query<{ id: string }>(writer, known).get(JSON.stringify(ids))?.id)
    const write = (event: number, cells: string | null): number => {
      change(writer, insert).run(event, cells, orders)
      return event
    }
    if (typeof cause === 'number') return write(cause, null)
    const stored = (fill === null ? undefined : events.get(fill)) ?? causes.known(cause)
    return stored === null ? write(causes.nextId(cause), cellsOfCause(cause)) : write(stored, null)
  }
  return {
    /** Stores an event, unless already stored, with its orders in one row; returns the event's id. Throws, and stores nothing, if an order's id already exists. */
    write: (cause: Cause | number, orders: readonly Written[]): number => {
      if (orders.length === 0) return typeof cause === 'number' ? cause : causes.keep(cause)
      const ids = orders.map(({ clOrdId }) => clOrdId)
      refuse(ids.find((id) => waiting.has(id)) ?? (new Set(ids).size < ids.length ? ids.find((id, index) => ids.indexOf(id) !== index) : undefined))
      const fill = typeof cause === 'number' ? null : fillOf(cause)
      const event = insertOrders(cause, fill, JSON.stringify(orders.map(cellsOf)), ids)
      for (const id of ids) waiting.add(id)
      if (fill !== null) events.set(fill, event)
      return event
    },
    /** Expands everything written, events and orders, into rows. */
    spread: (): void => {
      if (!isLeft && waiting.size === 0) return
      atomically(writer, () => {
        change(writer, keepEvents).run()
        change(writer, takeApart).run()
        change(writer, 'DELETE FROM intents').run()
      })
      waiting.clear()
      events.clear()
      isLeft = false
    },
  }
}

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
