import { booksParameters, everyEntry, readBooksFilter, writeBooksFilter, type BooksFilter } from '#shared/stats/books-filter.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Changes a part of the filter; with `replace` going back passes over it. */
export type ChangeBooks = (part: Partial<BooksFilter>, how?: { readonly replace?: boolean }) => void

/** The filter that the address says, and how it is changed: by an address of its own, that back and forward go through. */
export const useBooksFilter = (): { readonly filter: BooksFilter; readonly change: ChangeBooks; readonly clear: () => void } => {
  const [params, setParams] = useSearchParams()
  const filter = useMemo(() => readBooksFilter(params), [params])
  const change: ChangeBooks = (part, { replace = false } = {}) => {
    setParams((now) => {
      const rest = [...now].filter(([name]) => !(booksParameters as readonly string[]).includes(name))
      return new URLSearchParams([...rest, ...writeBooksFilter({ ...readBooksFilter(now), ...part })])
    }, { replace })
  }
  return { filter, change, clear: () => { change(everyEntry) } }
}
