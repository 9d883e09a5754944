import type { AccountKey } from '#shared/fills/fill.ts'
import type { MirrorEntity } from '#shared/mirror/record.ts'
import { bulkInsert, type BulkTarget } from './bulk-insert.ts'
import { change, query, type Reader, type Writer } from './database.ts'

/** Changes for the mirror, from `at` (UTC ms) on; written by `flush` at the latest. */
export type Outbox = { readonly queue: (entity: MirrorEntity, id: string) => void; readonly flush: () => void; readonly count: () => number }

// A record that changes again moves to the end: it is sent once, with its then current content.
const target: BulkTarget = { table: 'outbox', columns: ['user_id', 'entity', 'entity_id', 'noted_at'], onKnown: 'replace' }

/** Starts collecting the changes of one transaction. */
export const openOutbox = (writer: Writer, userId: string, at: number): Outbox => {
  const rows = bulkInsert(writer, target)
  let count = 0
  return {
    queue: (entity, id) => {
      rows.add([userId, entity, id, at])
      count += 1
    },
    flush: () => {
      rows.flush()
    },
    count: () => count,
  }
}

// Raw SQL in this file: the benchmark `mirror` removes every record that came or looks for it here.
/** Writes one change to the outbox. */
export const queueChange = (writer: Writer, userId: string, at: number, entity: MirrorEntity, id: string): void => {
  change(writer, 'INSERT OR REPLACE INTO outbox (user_id, entity, entity_id, noted_at) VALUES (?, ?, ?, ?)').run(userId, entity, id, at)
}

/** Removes a record from the outbox: the cloud has the same version. */
export const deleteFromOutbox = (writer: Writer, userId: string, entity: MirrorEntity, id: string): void => {
  change(writer, 'DELETE FROM outbox WHERE user_id = ? AND entity = ? AND entity_id = ?').run(userId, entity, id)
}

/** Whether a record's last change was not sent yet. */
export const isQueued = (reader: Reader, userId: string, entity: MirrorEntity, id: string): boolean =>
  query(reader, 'SELECT 1 FROM outbox WHERE user_id = ? AND entity = ? AND entity_id = ?').get(userId, entity, id) !== undefined

/** A merged record; `localWins` if the local version has something that the cloud lacks. */
export type Merged = { readonly userId: string; readonly at: number; readonly entity: MirrorEntity; readonly id: string; readonly localWins: boolean }

/** Queues a record if the local version wins and it is not queued yet; removes an equal one from the outbox. */
export const queueForCloud = (writer: Writer, { userId, at, entity, id, localWins }: Merged): void => {
  if (!localWins) deleteFromOutbox(writer, userId, entity, id)
  else if (!isQueued(writer, userId, entity, id)) queueChange(writer, userId, at, entity, id)
}

/** A contract's name in the outbox. */
export const contractName = (environment: string, brokerContractId: string): string => `${environment}/${brokerContractId}`

/**
 * SQL for the account of the fill that `entity_id` of the table `outbox` names: the part before the slash; if there are
 * several, because names in files may contain them, the longest known account.
 */
export const accountOfFill = `iif(instr(substr(entity_id, instr(entity_id, '/') + 1), '/') = 0, substr(entity_id, 1, instr(entity_id, '/') - 1),
  COALESCE((SELECT key FROM accounts AS own WHERE own.user_id = outbox.user_id AND substr(entity_id, 1, length(own.key) + 1) = own.key || '/' ORDER BY length(own.key) DESC LIMIT 1),
    substr(entity_id, 1, instr(entity_id, '/') - 1)))`

/** The account and the id of a fill by its name in the outbox. */
export const placeOfFill = (reader: Reader, userId: string, name: string): { readonly account: AccountKey; readonly id: string } => {
  const sql = `SELECT ${accountOfFill} AS account FROM (SELECT ? AS user_id, ? AS entity_id) AS outbox`
  const account = query<{ account: AccountKey }>(reader, sql).get(userId, name)?.account ?? ('' as AccountKey)
  return { account, id: name.slice(account.length + 1) }
}

/** The parts before and after the first slash: of a contract its environment and the broker's id. */
export const partsOf = (name: string): readonly [before: string, behind: string] => {
  const slash = name.indexOf('/')
  return [name.slice(0, slash), name.slice(slash + 1)]
}
