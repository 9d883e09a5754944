import { and, eq, sql } from 'drizzle-orm'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { removedFills } from '../db/schema/mirror.ts'
import type { Outbox } from '../db/outbox.ts'
import { mintStamp } from '../db/stamps.ts'

/** Whether a fill is removed or back again, and since when. */
export type Removal = { readonly removed: boolean; readonly stamp: Stamp }

/** A fill's removal, by its name in the outbox; null if it was never removed. */
export const removalOf = (reader: Reader, userId: string, name: string): Removal | null => {
  // Raw SQL here and in `saveRemoval`: the benchmark `mirror` asks this of every fill that comes, and undoing an import keeps one for each of its fills.
  const row = query<{ removed: number; stamp: Stamp }>(reader, 'SELECT removed, stamp FROM removed_fills WHERE user_id = ? AND name = ?').get(userId, name)
  return row === undefined ? null : { removed: row.removed === 1, stamp: row.stamp }
}

/** Saves a fill's removal or return; keeps the note of its import undone here. */
export const saveRemoval = (writer: Writer, userId: string, name: string, { removed, stamp }: Removal): void => {
  const upsert = 'INSERT INTO removed_fills (user_id, name, removed, stamp) VALUES (?, ?, ?, ?) ON CONFLICT (user_id, name) DO UPDATE SET removed = excluded.removed, stamp = excluded.stamp'
  change(writer, upsert).run(userId, name, removed ? 1 : 0, stamp)
}

/** Records removed and returned fills in one transaction, all with one stamp, at `at` (UTC ms); `undone` is the import whose undoing removes them, if one does. */
export const openRemovals = (writer: Writer, userId: string, at: number, note: Outbox['queue'], undone: string | null = null) => {
  const { orm } = writer
  const knowsAny = orm.select({ name: removedFills.name }).from(removedFills).where(and(eq(removedFills.userId, userId), eq(removedFills.removed, true))).get() !== undefined
  const noteUndone = undone === null ? null : orm.update(removedFills).set({ importId: undone }).where(and(eq(removedFills.userId, userId), eq(removedFills.name, sql.placeholder('name')))).prepare()
  let stamp: Stamp | null = null
  const mark = (name: string, removed: boolean): void => {
    stamp ??= mintStamp(writer, at)
    saveRemoval(writer, userId, name, { removed, stamp })
    note('removal', name)
  }
  return {
    /** Records that a fill is removed; call after noting the fill itself, so that the mirror sends that first. */
    removed: (name: string): void => {
      if (removalOf(writer, userId, name)?.removed === true) return
      mark(name, true)
      noteUndone?.run({ name })
    },
    /** Records that a fill is present; call before noting the fill itself. */
    present: (name: string): void => {
      if (knowsAny && removalOf(writer, userId, name)?.removed === true) mark(name, false)
    },
  }
}

/** The fills that were removed when an import was undone here. */
export const fillsOfUndone = ({ orm }: Reader, userId: string, importId: string): string[] =>
  orm.select({ name: removedFills.name }).from(removedFills).where(and(eq(removedFills.userId, userId), eq(removedFills.importId, importId))).all().map(({ name }) => name)
