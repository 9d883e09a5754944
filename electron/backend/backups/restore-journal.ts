import { and, eq, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ContentOf, MirrorEntity } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import type { WriteContext } from '../db/barrier.ts'
import { atomically, closeReader, eachRow, openReader, query, type Reader, type Writer } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import type { At, OfUser } from '../db/rows.ts'
import { contracts, specs } from '../db/schema/brokerage.ts'
import { historyWindows } from '../db/schema/history.ts'
import { baseFills, cashTransfers, importedSpecs, importFiles, importNotes, importReadings, imports } from '../db/schema/imports.ts'
import { device, pictures } from '../db/schema/mirror.ts'
import { profiles } from '../db/schema/people.ts'
import { reportMembers, reports } from '../db/schema/reports.ts'
import { mintStamp, observeStamps } from '../db/stamps.ts'
import { saveBaseFill } from '../fills/base-fills.ts'
import { deriveTradesOf } from '../fills/derive-contract.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { fillName, isOwn, restoreRules } from '../fills/merge-rules.ts'
import { keepRestoredInOutbox } from '../fills/restored-fills.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import { saveAtOnce } from '../imports/save-fills.ts'
import { isUnsettled, markUnsettled, markUndone } from '../imports/queries.ts'
import { settleImports } from '../imports/settle-imports.ts'
import { expectAccount, type Merging } from '../mirror/merge-ground.ts'
import { mergeRecord, prepareMirrored, type MirroredFill } from '../mirror/merge-pulled.ts'
import { contractName, queueChange, openOutbox } from '../db/outbox.ts'
import { contentsOf } from '../mirror/outgoing.ts'
import { emptyDay, writeDay, type DayFields } from '../notes/day-notes.ts'
import { emptyEdit, writeEdit, type EditFields } from '../notes/edits.ts'
import { placeNotesOfAll } from '../notes/place-notes.ts'
import { comparedDays, comparedEdits, comparedFills, comparedRecords, comparedThings, type ComparedField, type Journals, type WholeKind } from './compare-journals.ts'

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
  keepRestoredInOutbox(restoring.writer, restoring.userId)
  return again
}

/** `changesSoFar` of the journal: the number of rows that its one writing connection changed. Raw SQL: SQLite knows it of the connection, it is in no table. */
export const changesSoFar = (writer: Writer): number => query<{ changes: number }>(writer, 'SELECT total_changes() AS changes').get()?.changes ?? 0

/** Settles the restored data. Imports that cannot be settled are undone again, because a journal with them would not open. */
const workOut = async (context: WriteContext, userId: string, at: number, again: readonly string[]): Promise<void> => {
  const { writer } = context
  try {
    if (isUnsettled(writer, userId)) await settleImports(context, { userId, at })
    await deriveStale(context, userId, at)
  } catch (error) {
    atomically(writer, () => {
      for (const importId of again) markUndone(writer, userId, at, importId)
      markUnsettled(writer, userId, at)
    })
    await settleImports(context, { userId, at }).catch(() => undefined)
    throw error
  }
}

/**
 * Restores a user's data from `staged`, a staged backup, in one transaction, as if the user had just entered it at
 * `at`. Data that the backup never had stays, or with `whole` is removed in the same way. Afterward derives what
 * follows from fills and imports; after a crash the next start does. Throws `not-found` if the backup does not know the
 * user, and `busy` if the file changed since `changesSoFar` returned `unchangedSince`.
 */
export const restoreJournal = async (context: WriteContext, { userId, at, staged, whole = false, unchangedSince }: OfUser & At & { readonly staged: string; readonly whole?: boolean; readonly unchangedSince?: number }): Promise<void> => {
  const { writer, barrier } = context
  const then = openReader(staged)
  try {
    if (then.orm.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, userId)).get() === undefined) throw storeFault('not-found', 'The backup was made before this profile')
    const again = atomically(writer, () => {
      if (unchangedSince !== undefined && unchangedSince !== changesSoFar(writer)) throw storeFault('busy', 'The journal changed since it was kept')
      // A backup that another computer made may have seen later stamps.
      observeStamps(writer, then.orm.select().from(device).all().map(({ lastStamp }) => lastStamp))
      const stood = restore({ context, writer, userId, at, then, now: writer, whole, stamp: mintStamp(writer, at) })
      barrier('journal-restored', writer.database)
      return stood
    })
    barrier('restore-committed', writer.database)
    await workOut(context, userId, at, again)
    atomically(writer, () => { keepRestoredInOutbox(writer, userId) })
  } finally {
    closeReader(then)
  }
}

/** A running restore, in one transaction. */
type Restoring = Journals & Merging & { readonly context: WriteContext; readonly whole: boolean; readonly stamp: Stamp }

const written = <Fields extends object>(fields: readonly ComparedField<Extract<keyof Fields, string>>[], { whole }: Restoring, nothing: Fields): Partial<Fields> =>
  Object.fromEntries(
    fields.flatMap(({ field, fate, then }) => {
      if (fate !== 'added') return [[field, then]]
      // An undone removal gets the backup's value again; any other field added since becomes empty.
      return whole ? [[field, field === 'removedAt' ? then : nothing[field]]] : []
    }),
  ) as Partial<Fields>

const stamps = (fields: object, stamp: Stamp): Record<string, Stamp> => Object.fromEntries(Object.keys(fields).map((field) => [field, stamp]))

/** Restores annotations of fill pairs. */
const restoreEdits = (restoring: Restoring): void => {
  const { writer, userId, at, stamp } = restoring
  const touched: string[] = []
  for (const { id, fields, place, isPlaced } of comparedEdits(restoring)) {
    const values: Partial<EditFields> = written<EditFields>(fields, restoring, { ...emptyEdit, place: null })
    if (Object.keys(values).length === 0) continue
    const edit = isPlaced || place === null ? values : { ...values, place }
    writeEdit(writer, userId, id, edit, stamps(edit, stamp))
    queueChange(writer, userId, at, 'edit', id)
    touched.push(id)
  }
  settle(restoring, touched)
}

const settle = ({ writer, userId, at }: Restoring, pairIds: readonly string[]): void => {
  deriveTradesOf(writer, userId, at, placeNotesOfAll(writer, userId, pairIds))
}

/** Restores annotations of days. */
const restoreDays = (restoring: Restoring): void => {
  const { writer, userId, at, stamp } = restoring
  for (const { id, fields } of comparedDays(restoring)) {
    const values = written<DayFields>(fields, restoring, emptyDay)
    if (Object.keys(values).length === 0) continue
    writeDay(writer, userId, id, values, stamps(values, stamp))
    queueChange(writer, userId, at, 'day', id)
  }
}

/** Merges the backup's records as if another computer had just sent them. */
const restoreRecords = (restoring: Restoring, kinds: readonly WholeKind[]): void => {
  const { writer, userId, at, whole, stamp } = restoring
  const removed: string[] = []
  for (const record of comparedRecords(restoring, kinds, at)) {
    const { kind, id, then } = record
    const content = whole ? record.whole : record.keeping
    if (content === null) continue
    if (kind === 'trade' && then === null) {
      writeEdit(writer, userId, id, { removedAt: at }, { removedAt: stamp })
      queueChange(writer, userId, at, 'edit', id)
      removed.push(id)
      continue
    }
    mergeRecord(restoring, kind, id, { ...content, stamp } as unknown as ContentOf<WholeKind>)
    queueChange(writer, userId, at, kind, id)
  }
  settle(restoring, removed)
}

type Content = { readonly id: string; readonly content: string }

/** Restores what restored rows depend on; existing rows win. */
const restoreGround = (restoring: Restoring): void => {
  const { writer, userId, at, then } = restoring
  const names = {
    spec: ({ orm }: Reader) => orm.select().from(specs).where(eq(specs.userId, userId)).all().map(({ contract }) => contract),
    contract: ({ orm }: Reader) => orm.select().from(contracts).where(eq(contracts.userId, userId)).all().map(({ environment, brokerContractId }) => contractName(environment, brokerContractId)),
    picture: ({ orm }: Reader) => orm.select().from(pictures).where(eq(pictures.userId, userId)).all().map(({ name }) => name),
  }
  for (const entity of ['spec', 'contract', 'picture'] as const) {
    const known = new Set(names[entity](writer))
    for (const id of names[entity](then)) {
      if (known.has(id)) continue
      mergeRecord(restoring, entity, id, contentIn<'spec' | 'contract' | 'picture'>(then, userId, entity, id))
      queueChange(writer, userId, at, entity, id)
      copyRows(restoring, importedSpecs, importedSpecs.contract, id)
    }
  }
}

// Raw SQL of the mirror, whose records these are: the benchmark `mirror` measures it.
const contentIn = <E extends MirrorEntity>(reader: Reader, user: string, entity: E, id: string): ContentOf<E> =>
  JSON.parse(query<Content>(reader, contentsOf('SELECT @user, @entity, @id')).get({ user, entity, id })?.content ?? 'null') as ContentOf<E>

/** Copies a user's missing rows, of those whose `column` is `value`. */
const copyRows = ({ writer, then, userId }: Restoring, table: SQLiteTable & { readonly userId: AnySQLiteColumn }, column: AnySQLiteColumn, value: string): void => {
  for (const row of eachRow(then, then.orm.select().from(table).where(and(eq(table.userId, userId), eq(column, value))))) writer.orm.insert(table).values(row).onConflictDoNothing().run()
}

const importTables = [importFiles, importReadings, importNotes, cashTransfers, historyWindows] as const

/** Reactivates imports undone since, and restores removed reports; a complete restore deletes those added since. Returns the reactivated imports. */
const restoreThings = (restoring: Restoring): readonly string[] => {
  const { writer, userId, at, whole } = restoring
  const again: string[] = []
  for (const { of, id, fate } of comparedThings(restoring)) {
    if (of === 'report' && fate === 'back') {
      copyRows(restoring, reports, reports.id, id)
      copyRows(restoring, reportMembers, reportMembers.reportId, id)
    } else if (of === 'report') {
      if (!whole) continue
      writer.orm.delete(reportMembers).where(and(eq(reportMembers.userId, userId), eq(reportMembers.reportId, id))).run()
      writer.orm.delete(reports).where(and(eq(reports.userId, userId), eq(reports.id, id))).run()
    } else if (fate === 'back') {
      copyRows(restoring, imports, imports.id, id)
      writer.orm.update(imports).set({ state: 'standing', undoneAt: null }).where(and(eq(imports.userId, userId), eq(imports.id, id))).run()
      for (const table of importTables) copyRows(restoring, table, table.importId, id)
      again.push(id)
      markUnsettled(writer, userId, at)
    } else if (whole && markUndone(writer, userId, at, id)) markUnsettled(writer, userId, at)
  }
  return again
}

/** Restores fills that another computer's undone import removed, or may have removed unnoticed. */
const restoreFills = (restoring: Restoring): void => {
  const { writer, userId, at, then, context, whole } = restoring
  const isIt = and(eq(baseFills.userId, userId), eq(baseFills.account, sql.placeholder('account')), eq(baseFills.id, sql.placeholder('id')))
  const baseOf = then.orm.select({ base: baseFills.base }).from(baseFills).where(isIt).prepare()
  // An undone import never removes this computer's own fills.
  const compared = [...comparedFills(restoring)].filter(({ source, isLost }) => isLost || !isOwn(source))
  const outbox = openOutbox(writer, userId, at)
  for (const fill of compared) if (!fill.isLost) outbox.queue('fill', fillName(fill))
  outbox.flush()
  const lost = compared.filter(({ isLost }) => isLost).map(({ account, id }) => {
    const name = `${account}/${id}`
    const kept = baseOf.get({ account, id })?.base ?? null
    const content = kept === null ? contentIn(then, userId, 'fill', name) : (JSON.parse(kept) as NonNullable<ContentOf<'fill'>>)
    return { account, id, name, content: { ...content, otherFees: content?.otherFees ?? null } as NonNullable<ContentOf<'fill'>> }
  })
  const fills = lost.map(({ name, content }): MirroredFill => ({ id: name, content }))
  if (whole) {
    // The import that brought them may be one of those just deleted.
    const factsOf = writer.orm.select({ base: baseFills.base }).from(baseFills).where(isIt).prepare()
    for (const { account, id, content } of lost) if (factsOf.get({ account, id })?.base === null) saveBaseFill(writer, userId, account, id, { ...content, account, id, otherFees: content.otherFees ?? undefined } as unknown as PricedFill)
  }
  if (fills.length === 0) return
  for (const account of new Set(fills.map(({ content }) => content.account))) expectAccount(restoring, account)
  saveAtOnce(context, { userId, at, fills: prepareMirrored(writer, userId, fills), mergeRules: restoreRules })
}
