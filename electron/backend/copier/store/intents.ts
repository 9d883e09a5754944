import { atomically, change, query, type Writer } from '../../db/database.ts'
import { storeFault } from '../../db/fault.ts'
import { causeColumns, type Causes } from './causes.ts'
import type { Cause, Intent } from './rows.ts'

type Written = Omit<Intent, 'cause'>

/** The columns of an order, in the order in which `cellsOf` writes them. */
const columns = [
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
const takeApart = `INSERT INTO orders (event, ${columns.join(', ')})
  SELECT event, ${columns.map((_, index) => `one.value ->> ${String(index)}`).join(', ')} FROM intents, json_each(intents.orders) AS one`

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
