import { atomically, change, query, type Writer } from '../../db/database.ts'
import { storeFault } from '../../db/fault.ts'
import { causeColumns, type Causes } from './causes.ts'
import type { Cause, Intent } from './rows.ts'

type Written = Omit<Intent, 'cause'>

/** Orders that are written down in one piece, and later taken apart into rows. */
export type Intents = {
  /** Keeps an event, where it is not kept yet, with its orders in one row; gives the event's id. Throws, and keeps nothing, where an order's id was given before. */
  readonly write: (cause: Cause | number, orders: readonly Written[]) => number
  /** Makes rows of whatever is written, events and orders. */
  readonly spread: () => void
}

/** Where each column of an order comes from. */
const columns: readonly (readonly [column: string, cell: (order: Written) => string | number | null])[] = [
  ['cl_ord_id', ({ clOrdId }) => clOrdId],
  ['account', ({ account }) => account],
  ['contract', ({ contract }) => contract],
  ['side', ({ side }) => side],
  ['qty', ({ qty }) => qty],
  ['purpose', ({ purpose }) => purpose],
  ['type', ({ type }) => type],
  ['limit_price', ({ price }) => price],
  ['stop_price', ({ stopPrice }) => stopPrice],
  ['leader_order_id', ({ leaderOrderId }) => leaderOrderId],
  ['written_at', ({ writtenAt }) => writtenAt],
  ['dry_run', ({ dryRun }) => (dryRun ? 1 : 0)],
  ['stage', ({ dryRun }) => (dryRun ? 'dry-run' : 'written')],
  // Last: orders that an older program wrote down and did not take apart have none.
  ['peg_difference', ({ pegDifference }) => pegDifference],
]

const insert = 'INSERT INTO intents (event, cause, orders) VALUES (?, ?, ?)'
const known = 'SELECT cl_ord_id AS id FROM json_each(?) AS given CROSS JOIN orders ON orders.cl_ord_id = given.value LIMIT 1'
const keepEvents = `INSERT INTO events (id, ${causeColumns.map(([column]) => column).join(', ')})
  SELECT event, ${causeColumns.map((_, index) => `cause ->> ${String(index)}`).join(', ')} FROM intents WHERE cause IS NOT NULL`
const takeApart = `INSERT INTO orders (event, ${columns.map(([column]) => column).join(', ')})
  SELECT event, ${columns.map((_, index) => `one.value ->> ${String(index)}`).join(', ')} FROM intents, json_each(intents.orders) AS one`

const fillOf = ({ groupId, fillId }: Cause): string | null => (fillId === null ? null : `${fillId} ${groupId}`)

/** The intents of a writing connection. Orders that were left by a program that died are among them: spread them first. */
export const intentsOf = (writer: Writer, causes: Causes): Intents => {
  const waiting = new Set<string>()
  const events = new Map<string, number>()
  let isLeft = true
  const refuseKnown = (ids: readonly string[]): void => {
    const twice =
      ids.find((id) => waiting.has(id)) ??
      (new Set(ids).size < ids.length ? ids.find((id, index) => ids.indexOf(id) !== index) : undefined) ??
      query<{ id: string }>(writer, known).get(JSON.stringify(ids))?.id
    if (twice !== undefined) throw storeFault('internal', `An order's id was given twice: ${twice}`)
  }
  return {
    write: (cause, orders) => {
      if (orders.length === 0) return typeof cause === 'number' ? cause : causes.keep(cause)
      const ids = orders.map(({ clOrdId }) => clOrdId)
      refuseKnown(ids)
      const fill = typeof cause === 'number' ? null : fillOf(cause)
      const kept = typeof cause === 'number' ? cause : ((fill === null ? undefined : events.get(fill)) ?? causes.known(cause))
      const event = kept ?? causes.nextId(cause as Cause)
      const written = kept === null ? JSON.stringify(causeColumns.map(([, cell]) => cell(cause as Cause))) : null
      change(writer, insert).run(event, written, JSON.stringify(orders.map((order) => columns.map(([, cell]) => cell(order)))))
      for (const id of ids) waiting.add(id)
      if (fill !== null) events.set(fill, event)
      return event
    },
    spread: () => {
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
