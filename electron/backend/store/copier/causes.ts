import { change, query, type Writer } from '../database.ts'
import { storeFault } from '../fault.ts'
import type { Cause } from './rows.ts'

/** Keeps an event; gives its id, which is that of the first time where the group has the same fill already. */
export type KeepCause = (cause: Cause) => number

const insert = `INSERT INTO events (id, group_id, at, kind, leader_account, contract, fill_id, side, qty, price) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (group_id, fill_id) WHERE fill_id IS NOT NULL DO NOTHING`

const start2026 = Date.UTC(2026, 0, 1)

/**
 * Keeps events of a writing connection. Orders are named by the ids of events, so none may ever be given twice, though a power cut took the
 * last events away: the first one that is kept after an opening gets at least the number of seconds since 2026, which is beyond all that were given before.
 */
export const causesOf = (writer: Writer): KeepCause => {
  let next = query<{ next: number }>(writer, 'SELECT COALESCE(max(id), 0) + 1 AS next FROM events').get()?.next ?? 1
  let isFirst = true
  return ({ groupId, at, kind, leaderAccount, contract, fillId, side, qty, price }) => {
    if (isFirst) next = Math.max(next, Math.floor((at - start2026) / 1000))
    isFirst = false
    const { changes } = change(writer, insert).run(next, groupId, at, kind, leaderAccount, contract, fillId, side, qty, price)
    // What is taken back with its transaction leaves a gap, and no more.
    if (changes > 0) return next++
    const kept = query<{ id: number }>(writer, 'SELECT id FROM events WHERE group_id = ? AND fill_id = ?').get(groupId, fillId)
    if (kept === undefined) throw storeFault('internal', 'An event was neither kept nor there')
    return kept.id
  }
}
