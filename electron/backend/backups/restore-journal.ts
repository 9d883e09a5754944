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

/** Tables of users that no restore changes, each with its reason. */
export const notTurnedBack: ReadonlySet<string> = new Set([
  // Sessions and consents: what has ended stays ended.
  ...['sessions', 'oauth_states', 'logins', 'rights'],
  // The mirror's cursor and outbox.
  ...['mirrors', 'outbox'],
  // Which fills were removed since: the restore itself notes those that return.
  'removed_fills',
  // What this computer requested from the broker and saw while it watched, which no backup knows better.
  ...['sync_runs', 'session_reads', 'running_sessions', 'stated_fills', 'worked_orders', 'history_wishes', 'known_positions', 'missing_fills', 'rematched_accounts'],
  ...['copied_orders', 'session_extremes', 'rule_breaches', 'rule_alerts', 'alert_marks', 'alert_settings'],
  // How files are read from here on; what was read is in their imports.
  'import_formats',
  // Where reports are sent: the endpoint's key in the keychain belongs to the current address.
  'report_settings',
  // Derived from fills, imports and edits, and derived again from them.
  ...['batches', 'trips', 'position_doubts', 'broker_figures', 'shown_notes', 'left_over_notes', 'imports_unsettled', 'stale_batches'],
])

/** Restores everything, dependencies first. Returns the reactivated imports. */
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

/** `changesSoFar` of the journal: the number of rows that its one writing connection changed. */
export const changesSoFar = (writer: Writer): number => query<{ changes: number }>(writer, 'SELECT total_changes() AS changes').get()?.changes ?? 0

/** Settles the restored data. Imports that cannot be settled are undone again, because a journal with them would not open. */
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
 * Restores a user's data from `staged`, a staged backup, in one transaction, as if the user had just entered it at
 * `at`. Data that the backup never had stays, or with `whole` is removed in the same way. Afterward derives what
 * follows from fills and imports; after a crash the next start does. Throws `not-found` if the backup does not know the
 * user, and `busy` if the file changed since `changesSoFar` returned `unchangedSince`.
 */
export const restoreJournal = async (taking: Taking, { userId, at, staged, whole = false, unchangedSince }: OfUser & At & { readonly staged: string; readonly whole?: boolean; readonly unchangedSince?: number }): Promise<void> => {
  const { writer, barrier } = taking
  const then = openReader(staged)
  try {
    if (query(then, 'SELECT 1 FROM profiles WHERE id = ?').get(userId) === undefined) throw storeFault('not-found', 'The backup was made before this profile')
    const again = atomically(writer, () => {
      if (unchangedSince !== undefined && unchangedSince !== changesSoFar(writer)) throw storeFault('busy', 'The journal changed since it was kept')
      // A backup that another computer made may have seen later stamps.
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
