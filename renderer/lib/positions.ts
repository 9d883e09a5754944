import { positionRoutes, type PositionsLive } from '#shared/api/positions.ts'
import { queryOptions, replaceEqualDeep, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { apiQuery, type ApiFailure } from './api.ts'

/** Refetching keeps all accounts' connections open at the program, and detects when pushes have stopped. */
const readEveryMs = 5_000

// Together with the ages, which update once a second, fewer than ten paints a second.
const leastBetweenMs = 125

/** Whether `next` is newer than `known`: the number grows with every change, and restarts with the program. */
const isNewer = (known: PositionsLive, next: PositionsLive): boolean => next.seq > known.seq || next.at > known.at

/** The state to show after `next` was fetched or pushed: never replaces a newer state by an older one, and keeps unchanged parts identical. */
export const newestPositions = (known: unknown, next: unknown): unknown => {
  const [before, after] = [known as PositionsLive | undefined, next as PositionsLive]
  return before === undefined || isNewer(before, after) ? replaceEqualDeep(before, after) : before
}

/** The query of all open positions; while visible, it is refetched every few seconds, and at once when the page becomes visible again. */
export const positionsQuery = queryOptions<PositionsLive, ApiFailure>({
  ...apiQuery(positionRoutes.positions),
  structuralSharing: newestPositions,
  staleTime: 0,
  refetchInterval: readEveryMs,
  refetchOnWindowFocus: 'always',
})

/** Shows pushed positions, at most eight times a second, and only while something displays them. */
export const useShowPositions = (): ((live: PositionsLive) => void) => {
  const client = useQueryClient()
  const paced = useMemo(
    () =>
      createPaced<PositionsLive>(leastBetweenMs, (live) => {
        if (client.getQueryCache().find({ queryKey: positionsQuery.queryKey })?.isActive() === true) client.setQueryData(positionsQuery.queryKey, (known) => known && live)
      }),
    [client],
  )
  useEffect(() => paced.stop, [paced])
  return paced.give
}

/** Throttles: passes on what it gets immediately or once `leastMs` have passed since the last time; of what comes in between only the newest. */
export const createPaced = <T>(leastMs: number, handOn: (value: T) => void): { readonly give: (value: T) => void; readonly stop: () => void } => {
  let waiting: { readonly value: T } | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = null
      if (waiting === null) return
      const { value } = waiting
      waiting = null
      handOn(value)
      rest()
    }, leastMs)
  }
  return {
    give: (value) => {
      if (timer !== null) {
        waiting = { value }
        return
      }
      handOn(value)
      rest()
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      waiting = null
    },
  }
}
