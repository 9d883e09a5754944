import type { MirrorEntity } from '#shared/mirror/record.ts'
import { bulkInsert, type BulkTarget } from './bulk-insert.ts'
import { change, query, type Reader, type Writer } from './database.ts'

/** Changes that a mirror has to be told, from `at` (UTC ms) on; written down at the latest by `flush`. */
export type Outbox = { readonly note: (entity: MirrorEntity, id: string) => void; readonly flush: () => void; readonly count: () => number }

// A record that changes again moves to the end: it is told once, as it then is.
const target: BulkTarget = { table: 'outbox', columns: ['user_id', 'entity', 'entity_id', 'noted_at'], onKnown: 'replace' }

/** Begins to collect changes of one transaction. */
export const openOutbox = (writer: Writer, userId: string, at: number): Outbox => {
  const rows = bulkInsert(writer, target)
  let count = 0
  return {
    note: (entity, id) => {
      rows.add([userId, entity, id, at])
      count += 1
    },
    flush: () => {
      rows.flush()
    },
    count: () => count,
  }
}

/** Writes down one change. */
export const noteChange = (writer: Writer, userId: string, at: number, entity: MirrorEntity, id: string): void => {
  change(writer, 'INSERT OR REPLACE INTO outbox (user_id, entity, entity_id, noted_at) VALUES (?, ?, ?, ?)').run(userId, entity, id, at)
}

/** Strikes off a record that the cloud has just as it is here. */
export const strikeOff = (writer: Writer, userId: string, entity: MirrorEntity, id: string): void => {
  change(writer, 'DELETE FROM outbox WHERE user_id = ? AND entity = ? AND entity_id = ?').run(userId, entity, id)
}

/** Whether the cloud was not told yet of a record's last change. */
export const isWaiting = (reader: Reader, userId: string, entity: MirrorEntity, id: string): boolean =>
  query(reader, 'SELECT 1 FROM outbox WHERE user_id = ? AND entity = ? AND entity_id = ?').get(userId, entity, id) !== undefined

/** What of a record the cloud has to be told after it was merged: nothing where it has just what stands here. */
export type Merged = { readonly userId: string; readonly at: number; readonly entity: MirrorEntity; readonly id: string; readonly standsHere: boolean }

/** Notes a record of which something stands here that the cloud does not have, where that is not noted yet; strikes off one that is equal. */
export const tellCloud = (writer: Writer, { userId, at, entity, id, standsHere }: Merged): void => {
  if (!standsHere) strikeOff(writer, userId, entity, id)
  else if (!isWaiting(writer, userId, entity, id)) noteChange(writer, userId, at, entity, id)
}

/** How a contract of the broker is named in the outbox. */
export const contractName = (environment: string, brokerContractId: string): string => `${environment}/${brokerContractId}`

/** The part before the first slash and the part behind it: of a fill its account and id, of a contract its environment and the broker's id. */
export const partsOf = (name: string): readonly [before: string, behind: string] => {
  const slash = name.indexOf('/')
  return [name.slice(0, slash), name.slice(slash + 1)]
}
