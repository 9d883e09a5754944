import { and, eq, ne, sql } from 'drizzle-orm'
import { mostDrawings } from '#shared/api/drawings.ts'
import { mostTags } from '#shared/api/records.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import type { EditValues } from '#shared/notes/edit-groups.ts'
import { mergedList } from '#shared/notes/merge-edit.ts'
import type { NotePlace } from '#shared/notes/place.ts'
import { joinAnnotations, noAnnotations, type From, type AnnotationField, type Annotations } from '#shared/notes/show.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { queueChange } from '../db/outbox.ts'
import { placeOf } from './pair-places.ts'
import { placeNotesOf, placeNotesOfAll, shownOf, sourcesOf } from './place-notes.ts'
import { fillPairs, shownNotes, type pairEdits as table } from '../db/schema/journal.ts'
import { mintStamp } from '../db/stamps.ts'

type EditRow = typeof table.$inferSelect

/** The user's annotations of a fill pair as stored: tags and drawings are JSON lists, `removedAt` is UTC ms, `place` the JSON of the pair's place then. */
export type EditFields = Pick<EditRow, 'notes' | 'tags' | 'stop' | 'screenshot' | 'screenshotHeadline' | 'screenshot2' | 'screenshot2Headline' | 'drawings' | 'removedAt' | 'place'>
export type StoredEditField = keyof EditFields
/** When each field was last changed; fields that never were are missing. */
export type EditStamps = Readonly<Partial<Record<StoredEditField, Stamp>>>
/** The fields of an edit that a user can change. */
export type WrittenFields = Omit<EditFields, 'place'>

/** An empty edit. */
export const emptyEdit: WrittenFields = { notes: '', tags: '[]', stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '', drawings: '[]', removedAt: null }

/** The fields that a user can change. */
export const writtenFields = Object.keys(emptyEdit) as readonly (keyof WrittenFields)[]

/** The fields of an edit, in the order of their stamps. */
export const editFields: readonly StoredEditField[] = [...writtenFields, 'place']

/** The SQL columns of an edit in `pair_edits`. */
const editColumns = `notes, tags, stop, screenshot, screenshot_headline AS screenshotHeadline, screenshot2, screenshot2_headline AS screenshot2Headline, drawings, removed_at AS removedAt, place`

/** A fill pair's stored edit and its stamps. In raw SQL as `writeEdit`, since thousands may come at once: the benchmark `mirror` measures both. */
export const editOf = (reader: Reader, userId: string, pairId: string): { readonly fields: EditFields; readonly stamps: EditStamps } => {
  const row = query<EditFields & { stamps: string }>(reader, `SELECT ${editColumns}, stamps FROM pair_edits WHERE user_id = ? AND pair_id = ?`).get(userId, pairId)
  if (row === undefined) return { fields: { ...emptyEdit, place: null }, stamps: {} }
  const { stamps, ...fields } = row
  return { fields, stamps: JSON.parse(stamps) as EditStamps }
}

const putSql = `INSERT OR REPLACE INTO pair_edits (user_id, pair_id, notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, drawings, removed_at, place, stamps)
  VALUES (@userId, @pairId, @notes, @tags, @stop, @screenshot, @screenshotHeadline, @screenshot2, @screenshot2Headline, @drawings, @removedAt, @place, @stamps)`

/** Writes fields of an edit with their stamps; other fields stay unchanged. */
export const writeEdit = (writer: Writer, userId: string, pairId: string, fields: Partial<EditFields>, stamps: EditStamps): void => {
  const kept = editOf(writer, userId, pairId)
  const all = { ...kept.stamps, ...stamps }
  const ordered = Object.fromEntries(editFields.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]])))
  change(writer, putSql).run({ userId, pairId, ...kept.fields, ...fields, stamps: JSON.stringify(ordered) })
}

const writeStamped = (writer: Writer, userId: string, at: number, pairId: string, fields: Partial<EditFields>): void => {
  const stamp = mintStamp(writer, at)
  writeEdit(writer, userId, pairId, fields, Object.fromEntries(Object.keys(fields).map((field) => [field, stamp])))
  queueChange(writer, userId, at, 'edit', pairId)
}

/** Whether a field is empty. */
export const isEmptyValue = (field: keyof WrittenFields, fields: WrittenFields): boolean => fields[field] === emptyEdit[field]

/** Clears fields of an edit, as a change by its user. */
export const blankEdit = (writer: Writer, userId: string, at: number, pairId: string, fields: readonly (keyof WrittenFields)[]): void => {
  writeStamped(writer, userId, at, pairId, Object.fromEntries(fields.map((field) => [field, emptyEdit[field]])))
}

/**
 * Clears a field of an edit except where it is shown now, `pairId` not counted: other pairs keep it as their own, and
 * the edit's own pair keeps it for what it now is.
 */
export const clearField = (writer: Writer, userId: string, at: number, { record, field }: From, pairId: string | null): void => {
  for (const { id, value } of shownElsewhere(writer, userId, record, field)) if (id !== pairId) writeStamped(writer, userId, at, id, { [field]: value, ...placing(writer, userId, id) })
  const place = field === 'stop' || field === 'removedAt' ? placing(writer, userId, record) : {}
  if (place.place === undefined) blankEdit(writer, userId, at, record, [field])
  else writeStamped(writer, userId, at, record, place)
}

/** The fill pairs that show a field of an edit that is not their own: only a stop and a removal can be on several. */
const shownElsewhere = (writer: Writer, userId: string, record: string, field: AnnotationField | 'removedAt'): readonly { id: string; value: string | number | null }[] => {
  if (field !== 'stop' && field !== 'removedAt') return []
  return writer.orm
    .select({ id: shownNotes.pairId, value: shownNotes[field] })
    .from(shownNotes)
    .crossJoin(sql`json_each(${shownNotes.sources} -> ${`$.${field}`}) AS source`)
    .where(and(eq(shownNotes.userId, userId), ne(shownNotes.sources, '{}'), sql`source.value ->> 0 = ${record}`, sql`source.value ->> 1 = ${field}`))
    .all()
}

const placing = (writer: Writer, userId: string, pairId: string): { readonly place?: string } => {
  const place = placeOf(writer, userId, pairId)
  return place === null ? {} : { place: JSON.stringify(place) }
}

/**
 * Saves the user's annotations of a fill pair at `at` (UTC ms). Changes only fields that differ from what the pair shows,
 * so that the others do not win over another computer's; what the pair showed from other records becomes its own.
 * Returns the pairs whose removal changed: their trades must be derived again.
 */
export const saveEdit = (writer: Writer, userId: string, at: number, pairId: string, written: Partial<WrittenFields>): readonly string[] =>
  keepWritten(writer, userId, at, pairId, written) ? placeNotesOf(writer, userId, pairId) : []

/** The same for many pairs, none of which is removed or restored: settles their notes once. */
export const saveEdits = (writer: Writer, userId: string, at: number, edits: ReadonlyMap<string, Partial<WrittenFields>>): void => {
  const changed = [...edits].filter(([pairId, written]) => keepWritten(writer, userId, at, pairId, written))
  placeNotesOfAll(writer, userId, changed.map(([pairId]) => pairId))
}

/**
 * Saves the user's annotations of a gone fill pair in its existing record; a field that differs from what the client saw
 * keeps both values; `no-room` if that is not possible, and nothing is saved. Returns the pair that shows it; null if it is left over.
 */
export const saveEditOfGonePair = (writer: Writer, userId: string, at: number, pairId: string, written: Partial<WrittenFields>, seen: EditValues, place: NotePlace): Result<string | null, 'no-room'> => {
  const { fields: kept } = editOf(writer, userId, pairId)
  const { notes, tags, drawings } = written
  const areBothKept = notes !== undefined && kept.notes !== '' && notes !== '' && kept.notes !== seen.notes && kept.notes !== notes
  const both = areBothKept ? joinAnnotations([{ id: 'kept', annotations: { ...noAnnotations, notes: kept.notes } }, { id: 'written', annotations: { ...noAnnotations, notes } }]) : null
  const allTags = tags === undefined ? [] : mergedList(seen.tags as string[], JSON.parse(tags) as string[], JSON.parse(kept.tags) as string[])
  const allDrawings = drawings === undefined ? [] : mergedList(seen.drawings as unknown[], JSON.parse(drawings) as unknown[], JSON.parse(kept.drawings) as unknown[])
  if (both?.left.has('written') === true || allTags.length > mostTags || allDrawings.length > mostDrawings) return err('no-room')
  const values: Partial<WrittenFields> = {
    ...written,
    ...(both === null ? {} : { notes: both.annotations.notes }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(allTags) }),
    ...(drawings === undefined ? {} : { drawings: JSON.stringify(allDrawings) }),
  }
  const changed = writtenFields.filter((field) => values[field] !== undefined && values[field] !== kept[field])
  if (changed.length > 0) writeStamped(writer, userId, at, pairId, { ...Object.fromEntries(changed.map((field) => [field, values[field]])), ...(kept.place === null ? { place: JSON.stringify(place) } : {}) })
  placeNotesOf(writer, userId, pairId)
  // A pair that its user removed keeps its annotations.
  const pair = writer.orm.select({ id: fillPairs.id }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.id, pairId), eq(fillPairs.origin, 'synced'))).get()
  if (pair !== undefined) return ok(pairId)
  const shownOn = writer.orm
    .select({ id: shownNotes.pairId })
    .from(shownNotes)
    .crossJoin(sql`json_each(${shownNotes.sources}) AS field`)
    .crossJoin(sql`json_each(field.value) AS source`)
    .where(and(eq(shownNotes.userId, userId), sql`source.value ->> 0 = ${pairId}`))
    .limit(1)
    .get()
  return ok(shownOn?.id ?? null)
}

/** False if nothing differs from what the pair shows. */
const keepWritten = (writer: Writer, userId: string, at: number, pairId: string, written: Partial<WrittenFields>): boolean => {
  const shown = shownOf(writer, userId, pairId) ?? emptyEdit
  const changed = writtenFields.filter((field) => written[field] !== undefined && written[field] !== shown[field])
  if (changed.length === 0) return false
  const sources = sourcesOf(writer, userId, pairId)
  const { place, ...fields }: Partial<EditFields> = { ...Object.fromEntries(changed.map((field) => [field, written[field]])), ...placing(writer, userId, pairId) }
  const isMoved = place !== undefined && place !== editOf(writer, userId, pairId).fields.place
  writeStamped(writer, userId, at, pairId, isMoved ? { ...fields, place } : fields)
  for (const from of changed.flatMap((field) => sources[field] ?? [])) clearField(writer, userId, at, from, pairId)
  return true
}

/** An edit's annotations. */
export const annotationsOf = ({ notes, tags, stop, screenshot, screenshotHeadline, screenshot2, screenshot2Headline, drawings }: WrittenFields): Annotations => ({
  notes, tags: JSON.parse(tags) as string[], stop, screenshot, screenshotHeadline, screenshot2, screenshot2Headline,
  drawings: JSON.parse(drawings) as Annotations['drawings'],
})
