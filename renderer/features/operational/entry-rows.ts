import { compareText } from '#shared/base/compare-text.ts'
import type { BookEntry, BookKind } from '#shared/stats/books-filter.ts'

/** The columns that sort the list of entries. */
export const entryColumns = ['date', 'kind', 'name', 'whose', 'amount'] as const
export type EntryColumn = (typeof entryColumns)[number]
export type EntryOrder = { readonly column: EntryColumn; readonly direction: 'asc' | 'desc' }

/** An entry's texts to sort by. */
export type EntryWords = { readonly kind: string; readonly whose: string }

/** An entry's kind. */
export const kindOf = ({ type, category }: Pick<BookEntry, 'type' | 'category'>): BookKind => `${type}/${category}` as BookKind

/** What an entry adds to the net, for sorting. */
export const signed = ({ type, amount }: BookEntry): number => (type === 'expense' ? -amount : amount)

/** Sorts entries; ties keep their order. */
export const sortEntries = <T extends { readonly entry: BookEntry; readonly words: EntryWords }>(rows: readonly T[], { column, direction }: EntryOrder): T[] => {
  const compare: Record<EntryColumn, (one: T, other: T) => number> = {
    date: ({ entry: one }, { entry: other }) => compareText(one.date, other.date),
    kind: ({ words: one }, { words: other }) => one.kind.localeCompare(other.kind),
    name: ({ entry: one }, { entry: other }) => one.name.localeCompare(other.name),
    whose: ({ words: one }, { words: other }) => one.whose.localeCompare(other.whose),
    amount: ({ entry: one }, { entry: other }) => (one.currency === other.currency ? signed(one) - signed(other) : one.currency.localeCompare(other.currency)),
  }
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => sign * compare[column](one, other))
}
