import { and, eq } from 'drizzle-orm'
import { type RestoreExample, restoreFates, restoreKinds, type RestorePreview } from '#shared/api/backups.ts'
import type { Drawing } from '#shared/api/drawings.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { NotePlace } from '#shared/notes/place.ts'
import { checked, closeReader, openReader, openSnapshot, query, type Reader } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { importFiles } from '../db/schema/imports.ts'
import { fillPairs } from '../db/schema/journal.ts'
import { reports } from '../db/schema/reports.ts'
import { holdsOf } from './backup-holds.ts'
import { comparedDays, comparedEdits, comparedFills, type ComparedRecord, comparedRecords, comparedThings, type Journals, type RecordContent, type WholeKind, wholeKinds } from './compare-journals.ts'
import { deleteFromBackup } from './delete-from-backup.ts'
import { makeBackup } from './make-backup.ts'
import { stageBackup, type StagingOrder } from './stage-backup.ts'

/** Which backup to compare with which journal, and for which user. */
type PreviewOrder = StagingOrder & { readonly file: string; readonly userId: string }

const mostExamples = 4
const longestText = 120

type Fate = RestoreExample['fate']
type Kind = RestoreExample['kind']

const kindOf: Readonly<Record<WholeKind, Kind>> = { account: 'accounts', commission: 'settings', point: 'settings', finance: 'finances', trade: 'trades', stop: 'settings', rules: 'settings' }
const shown = (value: string | number | null): string | null => {
  if (typeof value !== 'string') return null
  const text = value.startsWith('[') ? (JSON.parse(value) as (string | Drawing)[]).flatMap((item) => (typeof item === 'string' ? item : item.kind === 'note' ? item.text : [])).join(', ') : value
  return text.length > longestText ? `${text.slice(0, longestText).toWellFormed().trimEnd()}…` : text
}

const collect = () => {
  const counts = Object.fromEntries(restoreKinds.map((kind) => [kind, Object.fromEntries(restoreFates.map((fate) => [fate, 0]))])) as Record<Kind, Record<Fate, number>>
  const examples: RestoreExample[] = []
  return {
    counts,
    examples,
    /** Counts a change, and keeps it as an example while its fate has only a few. */
    take: (kind: Kind, fate: Fate, example: () => Partial<Omit<RestoreExample, 'kind' | 'fate'>>): void => {
      counts[kind][fate] += 1
      if (examples.filter((one) => one.fate === fate).length < mostExamples) examples.push({ kind, fate, what: null, day: null, field: null, then: null, now: null, ...example() })
    },
  }
}

const namesOf = ({ userId, then, now }: Journals) => {
  const first = <Row>(read: (orm: Reader['orm']) => Row | undefined): Row | undefined => read(now.orm) ?? read(then.orm)
  return {
    pair: (id: string, place: string | null): { readonly what: string | null; readonly day: string | null } => {
      const known = first((orm) => orm.select({ what: fillPairs.symbol, day: fillPairs.tradingDay }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.id, id))).get())
      const stood = place === null ? null : (JSON.parse(place) as NotePlace | null)
      return known ?? { what: stood?.contract ?? null, day: stood?.tradingDay ?? null }
    },
    account: (id: string): string => first((orm) => orm.select({ name: accounts.name }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.key, id as AccountKey))).get())?.name ?? id,
    files: (id: string): string | null => {
      const files = first((orm) => {
        const rows = orm.select({ name: importFiles.name }).from(importFiles).where(and(eq(importFiles.userId, userId), eq(importFiles.importId, id))).orderBy(importFiles.place).all()
        return rows.length === 0 ? undefined : rows
      })
      return files?.map(({ name }) => name).join(', ') ?? null
    },
    reportDay: (id: string): string | null => first((orm) => orm.select({ toDay: reports.toDay }).from(reports).where(and(eq(reports.userId, userId), eq(reports.id, id))).get())?.toDay ?? null,
  }
}

const nameOf = ({ kind, id, then, now }: ComparedRecord, names: ReturnType<typeof namesOf>): Partial<RestoreExample> => {
  const record = (then ?? now) as RecordContent
  const text = (field: string): string | null => (typeof record[field] === 'string' && record[field] !== '' ? record[field] : null)
  if (kind === 'trade') return names.pair(id, null)
  if (kind === 'finance') return { what: text('name'), day: text('date') }
  if (kind === 'account' || kind === 'rules') return { what: names.account(id), field: kind === 'rules' ? kind : null }
  return { what: text('product') ?? id, field: kind }
}

const preview = (journals: Journals, at: number): RestorePreview => {
  const { counts, examples, take } = collect()
  const names = namesOf(journals)
  for (const { id, fields, place } of comparedEdits(journals)) {
    for (const { field, fate, then, now } of fields) if (fate !== 'same') take(field === 'removedAt' ? 'trades' : 'notes', fate, () => ({ ...names.pair(id, place), ...(field === 'removedAt' ? {} : { field, then: shown(then), now: shown(now) }) }))
  }
  for (const { id, fields } of comparedDays(journals)) for (const { field, fate, then, now } of fields) if (fate !== 'same') take('days', fate, () => ({ day: id, field, then: shown(then), now: shown(now) }))
  for (const record of comparedRecords(journals, wholeKinds, at)) for (const fate of record.fates) if (fate !== 'same') take(kindOf[record.kind], fate, () => nameOf(record, names))
  for (const { of, id, fate } of comparedThings(journals)) take(of === 'import' ? 'imports' : 'reports', fate, () => (of === 'import' ? { what: shown(names.files(id)) } : { day: names.reportDay(id) }))
  for (const { account, id, isLost } of comparedFills(journals)) if (isLost) take('fills', 'back', () => ({ what: `${names.account(account)} ${id}` }))
  return { counts, examples }
}

// Raw SQL: the schema of `schema/` has no table of migrations, and the file may be of an earlier version.
const versionOf = (reader: Reader): number => query<{ version: number }>(reader, 'SELECT max(version) AS version FROM schema_migrations').get()?.version ?? 0

/** Previews a restore on a snapshot of the journal; only reads. A backup of an earlier version is staged first. */
const previewRestore = async ({ file, userId, ...order }: PreviewOrder): Promise<RestorePreview> => {
  const now = openSnapshot(file)
  try {
    const kept = openReader(order.backup)
    const isOfNow = versionOf(kept) === versionOf(now)
    if (!isOfNow) closeReader(kept)
    const then = isOfNow ? kept : openReader(await stageBackup(order))
    try {
      return preview({ userId, then, now }, order.at)
    } finally {
      closeReader(then)
    }
  } finally {
    closeReader(now)
  }
}

/** Backup work; each call runs alone on a thread. */
export const backupWork = {
  /** Copies a database into the folder. */
  make: makeBackup,
  /** Whether SQLite finds a file intact, rows and indexes. */
  check: ({ file }: { readonly file: string }) => checked(file),
  /** What each file holds of a user, in the given order. */
  holds: ({ files, userId }: { readonly files: readonly string[]; readonly userId: string }) => files.map((file) => holdsOf(file, userId)),
  /** Previews a restore. */
  preview: previewRestore,
  /** Prepares a backup for a restore; returns the file. */
  stage: stageBackup,
  /** Removes a user from backups. */
  forget: ({ files, userId }: { readonly files: readonly string[]; readonly userId: string }) => {
    for (const file of files) deleteFromBackup(file, userId)
  },
}

/** The calls of a backup thread. */
export type BackupWork = typeof backupWork
