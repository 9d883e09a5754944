import { localDate } from '#shared/market/zone-clock.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes, type ApiFailure } from './api.ts'
import { useSession } from './session.ts'
import { useFormat } from './use-format.ts'

/** The sync state: the running sync, how the last one ended, and when the next is due; null until loaded. */
export const useSyncState = (): AnswerOf<typeof syncRoutes.syncState> | null => useQuery(apiQuery(syncRoutes.syncState)).data ?? null

/** Starts a run or joins the current one; its end comes as a pushed event. */
export const useStartSync = (onFailure: (failure: ApiFailure) => void): { readonly start: () => void; readonly starting: boolean } => {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(syncRoutes.syncNow),
    onSuccess: () => invalidateRoutes(client, syncRoutes.syncState),
    onError: onFailure,
  })
  return { start: () => { mutate() }, starting: isPending }
}

/** A short time: `14:58` if it is today in the profile's time zone, otherwise `Feb 13, 14:58`. */
export const useShortMoment = (): ((iso: string) => string) => {
  const format = useFormat()
  const zone = useSession().session?.timeZone ?? 'UTC'
  return (iso) => {
    const day = localDate(Date.parse(iso), zone)
    return day === localDate(Date.now(), zone) ? format.time(iso) : `${format.day(day)}, ${format.time(iso)}`
  }
}
