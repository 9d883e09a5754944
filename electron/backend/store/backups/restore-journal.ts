import type { ContentOf, MirrorEntity } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { atomically, change, closeReader, openReader, query, type Reader, type Writer } from '../database.ts'
import { deriveTripsOf } from '../derive/derive-again.ts'
import { deriveStale } from '../derive/stale-batches.ts'
import { storeFault } from '../fault.ts'
import { isOwn } from '../fills/gone-fills.ts'
import { fillName, restoredFills } from '../fills/meet-fills.ts'
import { holdRestored } from '../fills/restored-fills.ts'
import { takeAtOnce, type Taking } from '../fills/take-fills.ts'
import { noteUnsettled, takeBack } from '../imports/imports.ts'
import { isUnsettled, settleImports } from '../imports/settle-imports.ts'
import type { JournalWrites } from '../journal-writes.ts'
import { expectAccount, type Merging } from '../mirror/merge-ground.ts'
import { contentsOf } from '../mirror/mirror-content.ts'
import { mergeRecord, prepareTold, type ToldFill } from '../mirror/mirror-taken.ts'
import { noteChange, openOutbox } from '../mirror/outbox.ts'
import { settleNotesOfAll } from '../notes/settle-notes.ts'
import { mintStamp, observeStamps } from '../stamps.ts'
import { dayUnsaid, writeDay, type DayFields } from '../trades/day-notes.ts'
import { unsaid, writeEdit, type EditFields } from '../trades/edits.ts'
import { comparedDays, comparedEdits, comparedFills, comparedRecords, comparedThings, type ComparedField, type Journals, type WholeKind } from './compare-journals.ts'

/** Tables of users that no restore brings back, each with its reason. */
export const notTurnedBack: ReadonlySet<string> = new Set([
  // Who is signed in, and what was consented to: ended is ended.
  ...['sessions', 'oauth_states', 'logins', 'rights'],
  // How far the mirror is: what waits to be told waits on.
  ...['mirrors', 'outbox'],
  // What this computer asked its broker and saw while it watched, which no backup can know better.
  ...['sync_runs', 'session_reads', 'running_sessions', 'history_wishes', 'known_positions', 'missing_fills', 'rematched_accounts'],
  ...['copied_orders', 'session_extremes', 'rule_breaches', 'rule_alerts', 'alert_marks', 'alert_settings'],
  // Where reports are sent, since the endpoint's key in the keychain belongs to the address of now.
  'report_settings',
  // What follows from fills, imports and edits, and is worked out again from them.
  ...['batches', 'trips', 'position_doubts', 'broker_figures', 'shown_notes', 'left_over_notes', 'imports_unsettled', 'stale_batches'],
])

/** A restore that is under way, in one transaction. */
type Restoring = Journals & Merging & { readonly taking: Taking; readonly whole: boolean; readonly stamp: Stamp }

const written = <Fields extends object>(fields: readonly ComparedField<Extract<keyof Fields, string>>[], { whole }: Restoring, nothing: Fields): Partial<Fields> =>
  Object.fromEntries(
    fields.flatMap(({ field, fate, then }) => {
      if (fate !== 'added') return [[field, then]]
      // A removal that was taken back since is what the backup has; of all else it has nothing.
      return whole ? [[field, field === 'removedAt' ? then : nothing[field]]] : []
    }),
  ) as Partial<Fields>

const stamps = (fields: object, stamp: Stamp): Record<string, Stamp> => Object.fromEntries(Object.keys(fields).map((field) => [field, stamp]))

const restoreEdits = (restoring: Restoring): void => {
  const { writer, userId, at, stamp } = restoring
  const touched: string[] = []
  for (const { id, fields, place, isPlaced } of comparedEdits(restoring)) {
    const said: Partial<EditFields> = written<EditFields>(fields, restoring, { ...unsaid, place: null })
    if (Object.keys(said).length === 0) continue
    const edit = isPlaced || place === null ? said : { ...said, place }
    writeEdit(writer, userId, id, edit, stamps(edit, stamp))
    noteChange(writer, userId, at, 'edit', id)
    touched.push(id)
  }
  settle(restoring, touched)
}

const settle = ({ writer, userId, at }: Restoring, tradeIds: readonly string[]): void => {
  deriveTripsOf(writer, userId, at, settleNotesOfAll(writer, userId, tradeIds))
}

const restoreDays = (restoring: Restoring): void => {
  const { writer, userId, at, stamp } = restoring
  for (const { id, fields } of comparedDays(restoring)) {
    const said = written<DayFields>(fields, restoring, dayUnsaid)
    if (Object.keys(said).length === 0) continue
    writeDay(writer, userId, id, said, stamps(said, stamp))
    noteChange(writer, userId, at, 'day', id)
  }
}

/** Merges what the backup says of records as if another computer had just said it. */
const restoreRecords = (restoring: Restoring, kinds: readonly WholeKind[]): void => {
  const { writer, userId, at, whole, stamp } = restoring
  const removed: string[] = []
  for (const record of comparedRecords(restoring, kinds, at)) {
    const { kind, id, then } = record
    const content = whole ? record.whole : record.keeping
    if (content === null) continue
    if (kind === 'trade' && then === null) {
      writeEdit(writer, userId, id, { removedAt: at }, { removedAt: stamp })
      noteChange(writer, userId, at, 'edit', id)
      removed.push(id)
      continue
    }
    mergeRecord(restoring, kind, id, { ...content, stamp } as unknown as ContentOf<WholeKind>)
    noteChange(writer, userId, at, kind, id)
  }
  settle(restoring, removed)
}

type Content = { readonly id: string; readonly content: string }

/** What rows stand on that came back; what is known here stands. */
const restoreGround = (restoring: Restoring): void => {
  const { writer, userId, at, then } = restoring
  const names = {
    spec: 'SELECT contract AS id FROM specs WHERE user_id = ?',
    contract: "SELECT environment || '/' || broker_contract_id AS id FROM contracts WHERE user_id = ?",
    picture: 'SELECT name AS id FROM pictures WHERE user_id = ?',
  } as const
  for (const entity of ['spec', 'contract', 'picture'] as const) {
    const known = new Set(query<{ id: string }>(writer, names[entity]).all(userId).map(({ id }) => id))
    for (const { id } of query<{ id: string }>(then, names[entity]).all(userId)) {
      if (known.has(id)) continue
      mergeRecord(restoring, entity, id, contentIn<'spec' | 'contract' | 'picture'>(then, userId, entity, id))
      noteChange(writer, userId, at, entity, id)
      copyRows(restoring, 'imported_specs', 'contract', id)
    }
  }
}

const contentIn = <E extends MirrorEntity>(reader: Reader, user: string, entity: E, id: string): ContentOf<E> =>
  JSON.parse(query<Content>(reader, contentsOf('SELECT @user, @entity, @id')).get({ user, entity, id })?.content ?? 'null') as ContentOf<E>

/** Copies rows of a user that are not here, of those whose `column` is `value`. */
const copyRows = ({ writer, then, userId }: Restoring, table: string, column: string, value: string): void => {
  for (const row of query<Record<string, unknown>>(then, `SELECT * FROM ${table} WHERE user_id = ? AND ${column} = ?`).iterate(userId, value)) {
    const columns = Object.keys(row)
    change(writer, `INSERT OR IGNORE INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(row))
  }
}

const importTables = ['import_files', 'import_readings', 'import_notes', 'cash_transfers', 'history_windows'] as const

/** Lets imports that were undone since stand again, and brings removed reports back; of the whole journal those of since go. Gives the imports that stand again. */
const restoreThings = (restoring: Restoring): readonly string[] => {
  const { writer, userId, at, whole } = restoring
  const again: string[] = []
  for (const { of, id, fate } of comparedThings(restoring)) {
    if (of === 'report' && fate === 'back') {
      copyRows(restoring, 'reports', 'id', id)
      copyRows(restoring, 'report_members', 'report_id', id)
    } else if (of === 'report') {
      if (!whole) continue
      change(writer, 'DELETE FROM report_members WHERE user_id = ? AND report_id = ?').run(userId, id)
      change(writer, 'DELETE FROM reports WHERE user_id = ? AND id = ?').run(userId, id)
    } else if (fate === 'back') {
      copyRows(restoring, 'imports', 'id', id)
      change(writer, "UPDATE imports SET state = 'standing', undone_at = NULL WHERE user_id = ? AND id = ?").run(userId, id)
      for (const table of importTables) copyRows(restoring, table, 'import_id', id)
      again.push(id)
      noteUnsettled(writer, userId, at)
    } else if (whole && takeBack(writer, userId, at, id)) noteUnsettled(writer, userId, at)
  }
  return again
}

/** Brings fills back that another computer's undone import took away, or may have taken away unheard. */
const restoreFills = (restoring: Restoring): void => {
  const { writer, userId, at, then, taking } = restoring
  const told = query<{ told: string | null }>(then, 'SELECT told FROM told_fills WHERE user_id = ? AND account = ? AND id = ?')
  // What is this computer's own no undone import takes away.
  const compared = [...comparedFills(restoring)].filter(({ source, isLost }) => isLost || !isOwn(source))
  const outbox = openOutbox(writer, userId, at)
  for (const fill of compared) if (!fill.isLost) outbox.note('fill', fillName(fill))
  outbox.flush()
  const fills = compared.filter(({ isLost }) => isLost).map(({ account, id }): ToldFill => {
    const name = `${account}/${id}`
    const kept = told.get(userId, account, id)?.told ?? null
    const content = kept === null ? contentIn(then, userId, 'fill', name) : (JSON.parse(kept) as NonNullable<ContentOf<'fill'>>)
    return { id: name, content: { ...content, otherFees: content?.otherFees ?? null } as NonNullable<ContentOf<'fill'>> }
  })
  if (fills.length === 0) return
  for (const account of new Set(fills.map(({ content }) => content.account))) expectAccount(restoring, account)
  takeAtOnce(taking, { userId, at, fills: prepareTold(writer, userId, fills), meeting: restoredFills })
}

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
 * `restoreJournal` of the journal: what the backup says is said again, now, as if its user had just written it, in one
 * transaction; what it never knew stays, or with `whole` is taken back in the same way. What follows from fills and imports is
 * worked out afterwards, by a program that dies in between at its next start.
 */
export const restoreJournal = async (taking: Taking, { userId, at, staged, whole = false, unchangedSince }: Parameters<JournalWrites['restoreJournal']>[0]): Promise<void> => {
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
