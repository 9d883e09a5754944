import { and, between, eq, ne, or } from 'drizzle-orm'
import type { DayNote } from '#shared/api/own-data.ts'
import { mostTags } from '#shared/api/records.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { mergedList } from '#shared/notes/merge-edit.ts'
import type { Reader, Writer } from '../db/database.ts'
import { dayNotes as table } from '../db/schema/own-data.ts'
import { queueChange } from '../db/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import type { At, OfUser } from '../db/rows.ts'

/** The fields of a day, in the order of their stamps. */
export const dayFields = ['notes', 'tags'] as const
export type DayField = (typeof dayFields)[number]

/** A day's fields as stored: tags are a JSON list. */
export type DayFields = Readonly<Record<DayField, string>>
/** When each field was last changed; fields that never were are missing. */
export type DayStamps = Readonly<Partial<Record<DayField, Stamp>>>

/** A day without annotations. */
export const emptyDay: DayFields = { notes: '', tags: '[]' }

const toNote = (tradingDay: string, { notes, tags }: DayFields): DayNote => ({ tradingDay, notes, tags: JSON.parse(tags) as string[] })

/** A stored day and its stamps. */
export const dayOf = ({ orm }: Reader, userId: string, tradingDay: string): { readonly fields: DayFields; readonly stamps: DayStamps } => {
  const row = orm.select().from(table).where(and(eq(table.userId, userId), eq(table.tradingDay, tradingDay))).get()
  return row === undefined ? { fields: emptyDay, stamps: {} } : { fields: { notes: row.notes, tags: row.tags }, stamps: JSON.parse(row.stamps) as DayStamps }
}

/** Writes a day's fields with their stamps; other fields stay unchanged. */
export const writeDay = (writer: Writer, userId: string, tradingDay: string, changes: Partial<DayFields>, stamped: DayStamps): void => {
  const kept = dayOf(writer, userId, tradingDay)
  const stamps = { ...kept.stamps, ...stamped }
  const ordered = Object.fromEntries(dayFields.flatMap((field) => (stamps[field] === undefined ? [] : [[field, stamps[field]]])))
  const row = { ...kept.fields, ...changes, stamps: JSON.stringify(ordered) }
  writer.orm.insert(table).values({ userId, tradingDay, ...row }).onConflictDoUpdate({ target: [table.userId, table.tradingDay], set: row }).run()
}

/** Days with annotations, from the first to the last, inclusive, oldest first. */
export const dayNotes = ({ orm }: Reader, { userId, from = '', to = '9999-12-31' }: OfUser & { readonly from?: string | undefined; readonly to?: string | undefined }): DayNote[] =>
  orm
    .select()
    .from(table)
    .where(and(eq(table.userId, userId), between(table.tradingDay, from, to), or(ne(table.notes, ''), ne(table.tags, '[]'))))
    .orderBy(table.tradingDay)
    .all()
    .map((row) => toNote(row.tradingDay, row))

type DayNoteFields = { readonly notes?: string | undefined; readonly tags?: readonly string[] | undefined }

/** Field by field: missing fields stay. With a `base`, what the client saw, notes that changed since stay too, and tags merge. */
export const setDayNote = (writer: Writer, { userId, at, tradingDay, notes, tags, base = {} }: OfUser & At & DayNoteFields & { readonly tradingDay: string; readonly base?: DayNoteFields | undefined }): DayNote => {
  const { fields } = dayOf(writer, userId, tradingDay)
  const taken = base.notes === undefined || base.notes === fields.notes
  const merged = tags === undefined || base.tags === undefined ? tags : mergedList(base.tags, tags, JSON.parse(fields.tags) as string[])
  const changes: Partial<DayFields> = { ...(notes === undefined || !taken ? {} : { notes }), ...(merged === undefined ? {} : { tags: JSON.stringify(merged.slice(0, mostTags)) }) }
  // Stamp only what differs, so that other fields do not win over another computer's.
  const changed = dayFields.filter((field) => changes[field] !== undefined && changes[field] !== fields[field])
  if (changed.length > 0) {
    const stamp = mintStamp(writer, at)
    const pick = <T>(valueOf: (field: DayField) => T) => Object.fromEntries(changed.map((field) => [field, valueOf(field)]))
    writeDay(writer, userId, tradingDay, pick((field) => changes[field]), pick(() => stamp))
    queueChange(writer, userId, at, 'day', tradingDay)
  }
  return toNote(tradingDay, dayOf(writer, userId, tradingDay).fields)
}
