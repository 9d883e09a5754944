import type { BookEntry, BookKind } from '#shared/stats/books-filter.ts'

/** What the list of entries can be sorted by. */
export const entryColumns = ['date', 'kind', 'name', 'whose', 'amount'] as const
export type EntryColumn = (typeof entryColumns)[number]
export type EntryOrder = { readonly column: EntryColumn; readonly direction: 'asc' | 'desc' }

/** The words of an entry that its list is sorted by. */
export type EntryWords = { readonly kind: string; readonly whose: string }

/** What an entry was for. */
export const kindOf = ({ type, category }: Pick<BookEntry, 'type' | 'category'>): BookKind => `${type}/${category}` as BookKind

/** What an entry adds to the net, for its place in the list. */
export const signed = ({ type, amount }: BookEntry): number => (type === 'expense' ? -amount : amount)

/** Sorts entries; those that are equal in a column stay as they were. */
export const sortEntries = <T extends { readonly entry: BookEntry; readonly words: EntryWords }>(rows: readonly T[], { column, direction }: EntryOrder): T[] => {
  const compare: Record<EntryColumn, (one: T, other: T) => number> = {
    date: ({ entry: one }, { entry: other }) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0),
    kind: ({ words: one }, { words: other }) => one.kind.localeCompare(other.kind),
    name: ({ entry: one }, { entry: other }) => one.name.localeCompare(other.name),
    whose: ({ words: one }, { words: other }) => one.whose.localeCompare(other.whose),
    amount: ({ entry: one }, { entry: other }) => (one.currency === other.currency ? signed(one) - signed(other) : one.currency.localeCompare(other.currency)),
  }
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => sign * compare[column](one, other))
}
