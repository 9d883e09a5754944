import { bulkInsert, type BulkTarget } from './bulk-insert.ts'
import type { Writer } from './database.ts'

/** What a mirror copies: fills are named `account/id`, trades and finances by their id. */
export type OutboxEntity = 'fill' | 'trade' | 'finance'

/** Changes that a mirror has to be told; written down at the latest by `flush`. */
export type Outbox = { readonly note: (entity: OutboxEntity, id: string, op: 'put' | 'remove') => void; readonly flush: () => void; readonly count: () => number }

// A record that changes again moves to the end: it is told once, as it then is.
const target: BulkTarget = { table: 'outbox', columns: ['user_id', 'entity', 'entity_id', 'op'], onKnown: 'replace' }

/** Begins to collect changes of one transaction. */
export const openOutbox = (writer: Writer, userId: string): Outbox => {
  const rows = bulkInsert(writer, target)
  let count = 0
  return {
    note: (entity, id, op) => {
      rows.add([userId, entity, id, op])
      count += 1
    },
    flush: () => {
      rows.flush()
    },
    count: () => count,
  }
}

/** Writes down one change. */
export const noteChange = (writer: Writer, userId: string, entity: OutboxEntity, id: string, op: 'put' | 'remove'): void => {
  const outbox = openOutbox(writer, userId)
  outbox.note(entity, id, op)
  outbox.flush()
}
