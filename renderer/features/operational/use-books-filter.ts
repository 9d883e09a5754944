import { useSearch } from '#renderer/lib/use-search.ts'
import { booksParameters, everyEntry, readBooksFilter, writeBooksFilter, type BooksFilter } from '#shared/stats/books-filter.ts'
import { useMemo } from 'react'

/** Changes a part of the filter; with `replace` without a history entry. */
export type ChangeBooks = (part: Partial<BooksFilter>, how?: { readonly replace?: boolean }) => void

/** The filter in the address, and how to change it: each change is an address of its own for Back and Forward. */
export const useBooksFilter = (): { readonly filter: BooksFilter; readonly change: ChangeBooks; readonly clear: () => void } => {
  const [params, setParams] = useSearch()
  const filter = useMemo(() => readBooksFilter(params), [params])
  const change: ChangeBooks = (part, { replace = false } = {}) => {
    setParams((now) => {
      const rest = [...now].filter(([name]) => !(booksParameters as readonly string[]).includes(name))
      return new URLSearchParams([...rest, ...writeBooksFilter({ ...readBooksFilter(now), ...part })])
    }, { replace })
  }
  return { filter, change, clear: () => { change(everyEntry) } }
}
