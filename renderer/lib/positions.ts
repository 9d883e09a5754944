import { positionRoutes, type PositionsLive } from '#shared/api/positions.ts'
import { queryOptions, replaceEqualDeep, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { apiQuery, type ApiFailure } from './api.ts'
import { createPaced } from './paced.ts'

/** Reading again keeps the lines of all accounts open at the program, and finds out where pushes have stopped. */
const readEveryMs = 5_000

// With the ages, which move by themselves once a second, fewer than ten paints a second.
const leastBetweenMs = 125

/** Whether `next` is newer than `known`: the number grows with every change, and restarts with the program. */
const isNewer = (known: PositionsLive, next: PositionsLive): boolean => next.seq > known.seq || next.at > known.at

/** What is shown after `next` was read or pushed: never an older state in the place of a newer one, and all that did not change as it was. */
export const newestPositions = (known: unknown, next: unknown): unknown => {
  const [before, after] = [known as PositionsLive | undefined, next as PositionsLive]
  return before === undefined || isNewer(before, after) ? replaceEqualDeep(before, after) : before
}

/** The reading of all open positions; being on screen, it is read again every few seconds, and at once where the page comes back into sight. */
export const positionsQuery = queryOptions<PositionsLive, ApiFailure>({
  ...apiQuery(positionRoutes.positions),
  structuralSharing: newestPositions,
  staleTime: 0,
  refetchInterval: readEveryMs,
  refetchOnWindowFocus: 'always',
})

/** Shows the positions that were pushed, at most eight times a second, and only where somebody looks at them. */
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
