import { atomically, change, query, type Writer } from '../database.ts'
import { storeFault } from '../fault.ts'
import type { KeepCause } from './causes.ts'
import type { Cause, Intent } from './rows.ts'

type Written = Omit<Intent, 'cause'>

/** Orders that are written down in one piece, and later taken apart into rows. */
export type Intents = {
  /** Keeps an event, where it is not kept yet, and its orders; gives the event's id. Throws, and keeps nothing, where an order's id was given before. */
  readonly write: (cause: Cause | number, orders: readonly Written[]) => number
  /** Makes rows of whatever is written. */
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

const insert = 'INSERT INTO intents (event, orders) VALUES (?, ?)'
const known = 'SELECT cl_ord_id AS id FROM json_each(?) AS given CROSS JOIN orders ON orders.cl_ord_id = given.value LIMIT 1'
const takeApart = `INSERT INTO orders (event, ${columns.map(([column]) => column).join(', ')})
  SELECT event, ${columns.map((_, index) => `one.value ->> ${String(index)}`).join(', ')} FROM intents, json_each(intents.orders) AS one`

/** The intents of a writing connection. Orders that were left by a program that died are among them: spread them first. */
export const intentsOf = (writer: Writer, keepCause: KeepCause): Intents => {
  const waiting = new Set<string>()
  let isLeft = true
  const refuseKnown = (ids: readonly string[]): void => {
    const twice = ids.find((id, index) => waiting.has(id) || ids.indexOf(id) !== index) ?? query<{ id: string }>(writer, known).get(JSON.stringify(ids))?.id
    if (twice !== undefined) throw storeFault('internal', `An order's id was given twice: ${twice}`)
  }
  return {
    write: (cause, orders) => {
      const ids = orders.map(({ clOrdId }) => clOrdId)
      const event = atomically(writer, () => {
        const id = typeof cause === 'number' ? cause : keepCause(cause)
        if (orders.length === 0) return id
        refuseKnown(ids)
        change(writer, insert).run(id, JSON.stringify(orders.map((order) => columns.map(([, cell]) => cell(order)))))
        return id
      })
      for (const id of ids) waiting.add(id)
      return event
    },
    spread: () => {
      if (!isLeft && waiting.size === 0) return
      atomically(writer, () => {
        change(writer, takeApart).run()
        change(writer, 'DELETE FROM intents').run()
      })
      waiting.clear()
      isLeft = false
    },
  }
}
