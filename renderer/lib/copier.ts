import { copierRoutes, type CopierLive } from '#shared/api/copier.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { queryOptions, replaceEqualDeep, useQueryClient } from '@tanstack/react-query'
import { apiQuery, type ApiFailure } from './api.ts'

type CopierReading = AnswerOf<typeof copierRoutes.copier>

/** Whether `next` is newer than `known`: the number grows with every change, and restarts with the program. */
const isNewer = (known: CopierLive, next: CopierLive): boolean => next.seq > known.seq || next.at > known.at

/** What is shown after `next` was read or pushed: never an older state in the place of a newer one, and all that did not change as it was. */
export const newestCopier = (known: unknown, next: unknown): unknown => {
  const [before, after] = [known as CopierReading | undefined, next as CopierReading]
  if (before === undefined) return after
  return replaceEqualDeep(before, isNewer(before.live, after.live) ? after : { ...after, live: before.live })
}

/** The reading of the copier: its groups as they are kept, and as they stand now. */
export const copierQuery = queryOptions<CopierReading, ApiFailure>({ ...apiQuery(copierRoutes.copier), structuralSharing: newestCopier })

/** Shows a state that was pushed or answered, unless a newer one is shown already. */
export const useShowLive = (): ((live: CopierLive) => void) => {
  const client = useQueryClient()
  return (live) => {
    client.setQueryData(copierQuery.queryKey, (known) => known && { ...known, live })
  }
}
