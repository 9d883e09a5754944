import { apiQuery } from '#renderer/lib/api.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { filterGiven } from '#shared/api/statistics.ts'
import { useQueries } from '@tanstack/react-query'
import type { LogbookView } from './address.ts'

/** Rows are fetched in windows of this many. */
export const windowSize = 200

// A long scroll passes hundreds of windows: those out of sight are let go soon.
const keptMs = 30_000
const none: ReadonlySet<number> = new Set()

/** The rows of the list as far as they are fetched. */
export type Windows = {
  /** Null until the first window is there. */
  readonly total: number | null
  readonly tradeAt: (index: number) => Trade | null
  readonly tripAt: (index: number) => ListedTrip | null
  /** Where fetched rows with one of these ids stand. */
  readonly positionsOf: (ids: ReadonlySet<string>) => ReadonlySet<number>
  readonly failure: unknown
  readonly retry: () => void
}

/** Fetches the `wanted` windows of a list, counted from 0, and always the first, which knows how long the list is. */
export const useWindows = (view: LogbookView, wanted: readonly number[]): Windows => {
  const { unit, filter, sort, direction } = view
  const numbers = [0, ...wanted.filter((number) => number !== 0)]
  const query = (number: number) => ({ ...filterGiven(filter), sort, direction, offset: number * windowSize, limit: windowSize })
  const trades = useQueries({ queries: unit === 'pairs' ? numbers.map((number) => ({ ...apiQuery(journalRoutes.tradePage, { query: query(number) }), gcTime: keptMs })) : [] })
  const trips = useQueries({ queries: unit === 'trips' ? numbers.map((number) => ({ ...apiQuery(journalRoutes.tripPage, { query: query(number) }), gcTime: keptMs })) : [] })
  const results = unit === 'pairs' ? trades : trips

  const place = (index: number): { readonly at: number; readonly offset: number } => ({ at: numbers.indexOf(Math.floor(index / windowSize)), offset: index % windowSize })
  return {
    total: results[0]?.data?.total ?? null,
    tradeAt: (index) => {
      const { at, offset } = place(index)
      return trades[at]?.data?.rows[offset] ?? null
    },
    tripAt: (index) => {
      const { at, offset } = place(index)
      return trips[at]?.data?.rows[offset] ?? null
    },
    positionsOf: (ids) => {
      if (ids.size === 0) return none
      const found = numbers.flatMap((number, at) => (results[at]?.data?.rows ?? []).flatMap((row, offset) => (ids.has(row.id) ? [number * windowSize + offset] : [])))
      return new Set(found)
    },
    failure: results.find((result) => result.error !== null)?.error ?? null,
    retry: () => {
      for (const result of results) if (result.error !== null) void result.refetch()
    },
  }
}

/** The windows that hold the rows from `first` to `last`. */
export const windowsOf = (first: number, last: number): number[] => {
  const from = Math.floor(first / windowSize)
  return Array.from({ length: Math.floor(last / windowSize) - from + 1 }, (_, step) => from + step)
}
