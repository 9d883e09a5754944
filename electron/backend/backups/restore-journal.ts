import type { Stamp } from '#shared/mirror/stamp.ts'
import { atomically, closeReader, openReader, query, type Writer } from '../db/database.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import { storeFault } from '../db/fault.ts'
import { holdRestored } from '../fills/restored-fills.ts'
import type { Taking } from '../db/barrier.ts'
import { noteUnsettled, takeBack } from '../imports/queries.ts'
import { isUnsettled, settleImports } from '../imports/settle-imports.ts'
import { mintStamp, observeStamps } from '../db/stamps.ts'
import { restoreFills, restoreGround, restoreThings } from './restore-facts.ts'
import { restoreDays, restoreEdits, restoreRecords, type Restoring } from './restore-edits.ts'
import type { At, OfUser } from '../db/rows.ts'

/** Tables of users that no restore brings back, each with its reason. */
export const notTurnedBack: ReadonlySet<string> = new Set([
  // Who is signed in, and what was consented to: ended is ended.
  ...['sessions', 'oauth_states', 'logins', 'rights'],
  // The mirror's cursor: what waits in the outbox waits on.
  ...['mirrors', 'outbox'],
  // Which fills were removed since: for those that come back the restore notes that they are there again.
  'removed_fills',
  // What this computer asked its broker and saw while it watched, which no backup can know better.
  ...['sync_runs', 'session_reads', 'running_sessions', 'stated_fills', 'history_wishes', 'known_positions', 'missing_fills', 'rematched_accounts'],
  ...['copied_orders', 'session_extremes', 'rule_breaches', 'rule_alerts', 'alert_marks', 'alert_settings'],
  // How files are read from here on; what was read is in their imports.
  'import_formats',
  // Where reports are sent, since the endpoint's key in the keychain belongs to the address of now.
  'report_settings',
  // What follows from fills, imports and edits, and is worked out again from them.
  ...['batches', 'trips', 'position_doubts', 'broker_figures', 'shown_notes', 'left_over_notes', 'imports_unsettled', 'stale_batches'],
])

/** Writes all of it again, what others depend on first. Returns the imports that are active again. */
const restore = (restoring: Restoring): readonly string[] => {
  restoreRecords(restoring, ['account'])
  restoreGround(restoring)
  restoreRecords(restoring, ['commission', 'point'])
  const again = restoreThings(restoring)
  restoreFills(restoring)
  restoreRecords(restoring, ['finance', 'trade', 'stop', 'rules'])
  restoreEdits(restoring)
  restoreDays(restoring)
  holdRestored(restoring.writer, restoring.userId)
  return again
}

/** `changesSoFar` of the journal: the rows that its one writing connection changed. */
export const changesSoFar = (writer: Writer): number => query<{ changes: number }>(writer, 'SELECT total_changes() AS changes').get()?.changes ?? 0

/** Puts together what came back. Imports that cannot be are undone again: a journal that holds them would not open. */
const workOut = async (taking: Taking, userId: string, at: number, again: readonly string[]): Promise<void> => {
  const { writer } = taking
  try {
    if (isUnsettled(writer, userId)) await settleImports(taking, { userId, at })
    await deriveStale(taking, userId, at)
  } catch (error) {
    atomically(writer, () => {
      for (const importId of again) takeBack(writer, userId, at, importId)
      noteUnsettled(writer, userId, at)
    })
    await settleImports(taking, { userId, at }).catch(() => undefined)
    throw error
  }
}

/**
 * Says again, at `at`, what `staged` says of a user, the file of a backup that was made ready, as if its user had just
 * written it, in one transaction; what it never knew stays, or with `whole` is taken back in the same way. What follows from
 * fills and imports is worked out afterwards, by a program that dies in between at its next start. Throws `not-found` where
 * the backup does not know the user, and `busy` where the file changed since `changesSoFar` gave `unchangedSince`.
 */
export const restoreJournal = async (taking: Taking, { userId, at, staged, whole = false, unchangedSince }: OfUser & At & { readonly staged: string; readonly whole?: boolean; readonly unchangedSince?: number }): Promise<void> => {
  const { writer, barrier } = taking
  const then = openReader(staged)
  try {
    if (query(then, 'SELECT 1 FROM profiles WHERE id = ?').get(userId) === undefined) throw storeFault('not-found', 'The backup was made before this profile')
    const again = atomically(writer, () => {
      if (unchangedSince !== undefined && unchangedSince !== changesSoFar(writer)) throw storeFault('busy', 'The journal changed since it was kept')
      // One that another computer made may have seen more.
      observeStamps(writer, query<{ last: Stamp }>(then, 'SELECT last_stamp AS last FROM device').all().map(({ last }) => last))
      const stood = restore({ taking, writer, userId, at, then, now: writer, whole, stamp: mintStamp(writer, at) })
      barrier('journal-restored', writer.database)
      return stood
    })
    barrier('restore-committed', writer.database)
    await workOut(taking, userId, at, again)
    atomically(writer, () => { holdRestored(writer, userId) })
  } finally {
    closeReader(then)
  }
}
