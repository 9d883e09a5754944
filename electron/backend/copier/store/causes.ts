import { change, query, type Writer } from '../../db/database.ts'
import type { Cause } from './rows.ts'

/** The events of a writing connection. */
export type Causes = {
  /** The id of an event that is kept already: the same fill of the same group; else null. */
  readonly known: (cause: Cause) => number | null
  /** An id for an event that is not kept yet, which no other gets. */
  readonly nextId: (cause: Cause) => number
  /** Keeps an event; gives its id, which is that of the first time where the group has the same fill already. */
  readonly keep: (cause: Cause) => number
}

/** The columns of an event after its id, with what each is of a cause. */
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

/**
 * Keeps events of a writing connection. Orders are named by the ids of events, so none may ever be given twice, though a power cut took the
 * last events away: the first one that is kept after an opening gets at least the number of seconds since 2026, which is beyond all that were given before.
 */
export const causesOf = (writer: Writer): Causes => {
  let next: number | null = null
  const nextId = ({ at }: Cause): number => {
    next ??= Math.max(query<{ next: number }>(writer, 'SELECT COALESCE(max(id), 0) + 1 AS next FROM events').get()?.next ?? 1, Math.floor((at - start2026) / 1000))
    // What is taken back with its transaction leaves a gap, and no more.
    return next++
  }
  const known = ({ groupId, fillId }: Cause): number | null =>
    fillId === null ? null : (query<{ id: number }>(writer, 'SELECT id FROM events WHERE group_id = ? AND fill_id = ?').get(groupId, fillId)?.id ?? null)
  return {
    known,
    nextId,
    keep: (cause) => {
      const kept = known(cause)
      if (kept !== null) return kept
      const id = nextId(cause)
      change(writer, insert).run(id, ...causeColumns.map(([, cell]) => cell(cause)))
      return id
    },
  }
}
