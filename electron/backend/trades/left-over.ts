import { and, between, eq, type SQL } from 'drizzle-orm'
import type { LeftOverNote } from '#shared/api/left-over.ts'
import { neverStamped, stampedAt, type Stamp } from '#shared/mirror/stamp.ts'
import type { NotePlace } from '#shared/notes/place.ts'
import { joinAnnotations, noAnnotations, filledFields, type AnnotationField, type Annotations } from '#shared/notes/show.ts'
import type { Reader, Writer } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { leftOverNotes as table } from '../db/schema/journal.ts'
import { deriveTradesOf } from '../fills/derive-contract.ts'
import { isoTime } from '../db/iso-time.ts'
import { editOf, saveEdit, clearField, annotationsOf } from '../notes/edits.ts'
import { pairById } from './queries.ts'
import { placeNotesOf, shownOf } from '../notes/place-notes.ts'
import type { At, OfUser } from '../db/rows.ts'

type Field = AnnotationField | 'removedAt'

/** A removed account's data is hidden, but not that of an account that an undone import left behind. */
const inView = ({ removedAt, stamp }: { readonly removedAt: number | null; readonly stamp: Stamp | null }): boolean => removedAt === null || (stamp !== null && stamp > neverStamped && stampedAt(stamp) < removedAt)

const rowsInView = ({ orm }: Reader, userId: string, which: SQL | undefined) =>
  orm
    .select({ id: table.editId, account: table.account, name: accounts.name, tradingDay: table.tradingDay, fields: table.fields, pairId: table.pairId, removedAt: accounts.removedAt, stamp: accounts.stamp })
    .from(table)
    .leftJoin(accounts, and(eq(accounts.userId, table.userId), eq(accounts.key, table.account)))
    .where(and(eq(table.userId, userId), which))
    .orderBy(table.tradingDay, table.editId)
    .all()
    .filter(inView)

type ShownRow = ReturnType<typeof rowsInView>[number]

const fieldsOf = ({ fields }: ShownRow): readonly Field[] => JSON.parse(fields) as Field[]

const only = (annotations: Annotations, fields: readonly Field[]): Annotations => ({ ...noAnnotations, ...Object.fromEntries(filledFields(annotations).flatMap((field) => (fields.includes(field) ? [[field, annotations[field]]] : []))) })

const toNote = (reader: Reader, userId: string, row: ShownRow): LeftOverNote => {
  const { fields } = editOf(reader, userId, row.id)
  const place = JSON.parse(fields.place ?? 'null') as NotePlace | null
  const time = (at: number | null | undefined): string | null => (at === null || at === undefined ? null : isoTime(at))
  const { notes, tags, stop, screenshot, screenshotHeadline, screenshot2, screenshot2Headline, drawings } = only(annotationsOf(fields), fieldsOf(row))
  return {
    id: row.id, tradingDay: row.tradingDay, accountId: row.account, account: row.name ?? row.account,
    symbol: place?.contract ?? null, side: place?.side ?? null, qty: place?.qty ?? null, entryTime: time(place?.opening.time), exitTime: time(place?.closing.time),
    entryPrice: place?.opening.price ?? null, exitPrice: place?.closing.price ?? null,
    notes, tags: [...tags], stop, screenshot, screenshotHeadline, screenshot2, screenshot2Headline,
    ...(drawings.length === 0 ? {} : { drawings: [...drawings] }),
    removal: fieldsOf(row).includes('removedAt'), pairId: row.pairId,
  }
}

const find = (reader: Reader, userId: string, id: string): ShownRow | null => rowsInView(reader, userId, eq(table.editId, id))[0] ?? null

/** Annotations that no fill pair shows any more, by day from the first to the last, inclusive, oldest first. */
export const leftOverNotes = (reader: Reader, { userId, from = '', to = '9999-12-31' }: OfUser & { readonly from?: string | undefined; readonly to?: string | undefined }): LeftOverNote[] =>
  rowsInView(reader, userId, between(table.tradingDay, from, to)).map((row) => toNote(reader, userId, row))

/** Moves one edit's leftovers to a fill pair, beside its existing annotations; what has no room stays left over. Null if either does not exist. */
export const moveLeftOver = (writer: Writer, { userId, at, id, pairId }: OfUser & At & { readonly id: string; readonly pairId: string }): { readonly left: LeftOverNote | null } | null => {
  const row = find(writer, userId, id)
  if (row === null || id === pairId || pairById(writer, { userId, id: pairId }) === null) return null
  const moving = only(annotationsOf(editOf(writer, userId, id).fields), fieldsOf(row))
  const shown = shownOf(writer, userId, pairId)
  const { annotations, left } = joinAnnotations([{ id: pairId, annotations: shown === undefined ? noAnnotations : annotationsOf(shown) }, { id, annotations: moving }])
  const stays = left.get(id) ?? []
  const moved = [...filledFields(moving).filter((field) => !stays.includes(field)), ...(fieldsOf(row).includes('removedAt') ? (['removedAt'] as const) : [])]
  for (const field of moved) clearField(writer, userId, at, { record: id, field }, null)
  const toggled = saveEdit(writer, userId, at, pairId, { ...annotations, tags: JSON.stringify(annotations.tags), drawings: JSON.stringify(annotations.drawings), ...(moved.includes('removedAt') ? { removedAt: at } : {}) })
  deriveTradesOf(writer, userId, at, [...toggled, ...placeNotesOf(writer, userId, id)])
  const rest = find(writer, userId, id)
  return { left: rest === null ? null : toNote(writer, userId, rest) }
}

/** Discards one edit's leftovers; false if there are none. */
export const discardLeftOver = (writer: Writer, { userId, at, id }: OfUser & At & { readonly id: string }): boolean => {
  const row = find(writer, userId, id)
  if (row === null) return false
  for (const field of fieldsOf(row)) clearField(writer, userId, at, { record: id, field }, null)
  deriveTradesOf(writer, userId, at, placeNotesOf(writer, userId, id))
  return true
}
