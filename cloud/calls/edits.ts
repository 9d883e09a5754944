import { isDeepStrictEqual } from 'node:util'
import type { ContentOf, MirrorRecord } from '#shared/mirror/record.ts'
import type { JournalChange } from '../store/journals.ts'

export type Edit = ContentOf<'edit'>
type Field = Exclude<keyof Edit, 'place'>
type Values = { readonly [Name in Field]?: NonNullable<Edit[Name]>['value'] | undefined }

/** What nobody said anything of. */
const unsaid: Required<Values> = { notes: '', tags: [], stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '', removedAt: null }
const fields = Object.keys(unsaid) as Field[]

/** Whether its user took the trade out of view. */
export const isRemoved = (edit: Edit | null | undefined): boolean => typeof edit?.removedAt?.value === 'number'

/**
 * The record that keeps what the user says of a trade now (UTC ms); none where all of it was said before. Only fields
 * that differ are stamped, so that the others don't win over another computer's.
 */
export const editRecords = (journal: Pick<JournalChange, 'stamp'>, id: string, edit: Edit | null, said: Values, now: number): MirrorRecord[] => {
  const changed = fields.filter((name) => said[name] !== undefined && !isDeepStrictEqual(said[name], edit?.[name]?.value ?? unsaid[name]))
  if (changed.length === 0) return []
  const stamp = journal.stamp(now)
  return [{ entity: 'edit', id, content: { ...edit, ...Object.fromEntries(changed.map((name) => [name, { value: said[name], stamp }])) } }]
}
