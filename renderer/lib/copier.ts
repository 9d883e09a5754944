import { copierRoutes, type CopierLive } from '#shared/api/copier.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { queryOptions, replaceEqualDeep, useQueryClient } from '@tanstack/react-query'
import { apiQuery, type ApiFailure } from './api.ts'

type CopierReading = AnswerOf<typeof copierRoutes.copier>

/** Whether `next` is newer than `known`: the number grows with every change, and restarts with the program. */
const isNewer = (known: CopierLive, next: CopierLive): boolean => next.seq > known.seq || next.at > known.at

/** The state to show after `next` was fetched or pushed: never replaces a newer state by an older one, and keeps unchanged parts identical. */
export const newestCopier = (known: unknown, next: unknown): unknown => {
  const [before, after] = [known as CopierReading | undefined, next as CopierReading]
  if (before === undefined) return after
  return replaceEqualDeep(before, isNewer(before.live, after.live) ? after : { ...after, live: before.live })
}

/** The query of the copier: its saved groups with their live state. */
export const copierQuery = queryOptions<CopierReading, ApiFailure>({ ...apiQuery(copierRoutes.copier), structuralSharing: newestCopier })

/** Shows a state that was pushed or returned, unless a newer one already shows. */
export const useShowLive = (): ((live: CopierLive) => void) => {
  const client = useQueryClient()
  return (live) => {
    client.setQueryData(copierQuery.queryKey, (known) => known && { ...known, live })
  }
}
