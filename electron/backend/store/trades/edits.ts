import { and, eq } from 'drizzle-orm'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import type { Reader, Writer } from '../database.ts'
import { noteChange } from '../mirror/outbox.ts'
import { tradeEdits as table } from '../schema/journal.ts'
import { mintStamp } from '../stamps.ts'

type EditRow = typeof table.$inferSelect

/** What the user says of a trade, as its row keeps it: tags are a JSON list, `removedAt` is UTC ms. */
export type EditFields = Pick<EditRow, 'notes' | 'tags' | 'stop' | 'screenshot' | 'screenshotHeadline' | 'screenshot2' | 'screenshot2Headline' | 'removedAt'>
export type EditField = keyof EditFields
/** When each field was last changed; a field that never was has none. */
export type EditStamps = Readonly<Partial<Record<EditField, Stamp>>>

/** What nobody said anything of. */
const unsaid: EditFields = { notes: '', tags: '[]', stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '', removedAt: null }

/** The fields of an edit, in the order in which their stamps are kept. */
export const editFields = Object.keys(unsaid) as EditField[]

const one = (userId: string, tradeId: string) => and(eq(table.userId, userId), eq(table.tradeId, tradeId))

/** What is kept of a trade's edit, and its stamps. */
export const editOf = ({ orm }: Reader, userId: string, tradeId: string): { readonly fields: EditFields; readonly stamps: EditStamps } => {
  const row = orm.select().from(table).where(one(userId, tradeId)).get()
  return row === undefined ? { fields: unsaid, stamps: {} } : { fields: row, stamps: JSON.parse(row.stamps) as EditStamps }
}

/** Writes fields of an edit with their stamps, and leaves the others alone. */
export const writeEdit = (writer: Writer, userId: string, tradeId: string, fields: Partial<EditFields>, stamps: EditStamps): void => {
  const all = { ...editOf(writer, userId, tradeId).stamps, ...stamps }
  const ordered = Object.fromEntries(editFields.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]])))
  const set = { ...fields, stamps: JSON.stringify(ordered) }
  writer.orm.insert(table).values({ userId, tradeId, ...set }).onConflictDoUpdate({ target: [table.userId, table.tradeId], set }).run()
}

/** Keeps what the user says at `at` (UTC ms). Only fields that differ are changed, so that the others don't win over another computer's. */
export const saveEdit = (writer: Writer, userId: string, at: number, tradeId: string, said: Partial<EditFields>): void => {
  const { fields } = editOf(writer, userId, tradeId)
  const changed = editFields.filter((field) => said[field] !== undefined && said[field] !== fields[field])
  if (changed.length === 0) return
  const stamp = mintStamp(writer, at)
  const pick = <T>(valueOf: (field: EditField) => T) => Object.fromEntries(changed.map((field) => [field, valueOf(field)]))
  writeEdit(writer, userId, tradeId, pick((field) => said[field]), pick(() => stamp))
  noteChange(writer, userId, at, 'edit', tradeId)
}

/** The record of an edit that travels: every field that was ever changed. */
export const editContent = (fields: EditFields, stamps: EditStamps): ContentOf<'edit'> => {
  const told = editFields.flatMap((field) => {
    const stamp = stamps[field]
    return stamp === undefined ? [] : [[field, { value: field === 'tags' ? (JSON.parse(fields.tags) as string[]) : fields[field], stamp }]]
  })
  return Object.fromEntries(told) as ContentOf<'edit'>
}
