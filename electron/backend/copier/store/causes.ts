import { change, query, type Writer } from '../../db/database.ts'
import type { Cause } from './rows.ts'

/** The event columns after the id, with their values from a cause. */
export const causeColumns: readonly (readonly [column: string, cell: (cause: Cause) => string | number | null])[] = [
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

const insert = `INSERT INTO events (id, ${causeColumns.map(([column]) => column).join(', ')}) VALUES (?${', ?'.repeat(causeColumns.length)})`

const start2026 = Date.UTC(2026, 0, 1)

/** The ledger events of a writing connection. */
export type Causes = ReturnType<typeof causesOf>

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
      change(writer, insert).run(id, ...causeColumns.map(([, cell]) => cell(cause)))
      return id
    },
  }
}
