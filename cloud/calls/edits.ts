import { isDeepStrictEqual } from 'node:util'
import type { ContentOf, MirrorRecord } from '#shared/mirror/record.ts'
import { noWords, type Shown } from '#shared/notes/show.ts'
import type { JournalChange } from '../store/journals.ts'

export type Edit = ContentOf<'edit'>
type Field = Exclude<keyof Edit, 'place'>
type Values = { readonly [Name in Field]?: NonNullable<Edit[Name]>['value'] | undefined }

/** User fields without any value. */
const emptyEdit: Required<Values> = { ...noWords, tags: [], drawings: [], removedAt: null }
const fields = Object.keys(emptyEdit) as Field[]

/** Whether the user removed the trade. */
export const isRemoved = (edit: Edit | null | undefined): boolean => typeof edit?.removedAt?.value === 'number'

/** A trade's notes: its own and those that followed their fills to it. */
const shownOn = (notes: ReadonlyMap<string, Shown>, id: string): Required<Values> => {
  const { words, removedAt } = notes.get(id) ?? { words: noWords, removedAt: null }
  return { ...words, tags: [...words.tags], drawings: [...words.drawings], removedAt }
}

/**
 * The records that change a trade's annotations to the given ones now (UTC ms); none if the trade already shows all of
 * them. Only fields that differ are stamped, so that the others do not win over another computer's. What the trade
 * showed from other records becomes its own: it is cleared there, and other trades that showed it keep it as their own.
 */
export const editRecords = (journal: Pick<JournalChange, 'stamp'>, id: string, edits: ReadonlyMap<string, Edit>, notes: ReadonlyMap<string, Shown>, values: Values, now: number): MirrorRecord[] => {
  const before = shownOn(notes, id)
  const changed = fields.filter((name) => values[name] !== undefined && !isDeepStrictEqual(values[name], before[name]))
  if (changed.length === 0) return []
  const stamp = journal.stamp(now)
  const written = new Map<string, Edit>()
  const write = (record: string, name: Field, value: unknown): void => {
    written.set(record, { ...(written.get(record) ?? edits.get(record)), [name]: { value, stamp } })
  }
  for (const name of changed) {
    for (const from of notes.get(id)?.from.get(name) ?? []) {
      const showing = [...notes].filter(([other, shown]) => other !== id && shown.from.get(name)?.some(({ record, field }) => record === from.record && field === from.field))
      for (const [other] of showing) write(other, name, shownOn(notes, other)[name])
      if (!showing.some(([other]) => other === from.record)) write(from.record, from.field, emptyEdit[from.field])
    }
    write(id, name, values[name])
  }
  return [...written].map(([record, content]) => ({ entity: 'edit', id: record, content }))
}
