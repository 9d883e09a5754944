import { apiQuery } from '#renderer/lib/api.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import type { Finance } from '#shared/api/records.ts'
import { entriesOf, type BookEntry } from '#shared/stats/books-filter.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

/** The user's earnings and expenses, newest first, and the connected accounts; null until loaded. */
export type Books = { readonly entries: readonly BookEntry[]; readonly accounts: readonly Finance[] }

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Shares the query that the dashboard loads at start and every hour; contains only what the program has confirmed. */
export const useBooks = (): { readonly books: Books | null; readonly failure: unknown; readonly retry: () => void } => {
  const userId = useUserId()
  const { data, error, refetch } = useQuery(apiQuery(recordRoutes.getFinances, { query: { userId } }))
  const books = useMemo(() => {
    if (data === undefined) return null
    const entries = entriesOf(data.finances).toSorted((one, other) => compareText(other.date, one.date) || compareText(one.id, other.id))
    return { entries, accounts: data.finances.filter(({ type }) => type !== 'earning' && type !== 'expense') }
  }, [data])
  return { books, failure: error, retry: () => void refetch() }
}
