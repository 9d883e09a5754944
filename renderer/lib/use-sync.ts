import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { syncRoutes, type SyncProgress, type SyncReceipt } from '#shared/api/sync.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes, type ApiFailure } from './api.ts'
import { usePushed } from './events.ts'

const stateQuery = apiQuery(syncRoutes.syncState)

/** What is known of syncing: the run under way, how the last one ended, and when the next is due. */
export type SyncView = {
  readonly running: SyncProgress | null
  readonly last: SyncReceipt | null
  /** ISO 8601; null before the first good run. */
  readonly lastGoodAt: string | null
  /** ISO 8601; null where nothing is connected. */
  readonly nextAt: string | null
}

const nothingKnown: SyncView = { running: null, last: null, lastGoodAt: null, nextAt: null }

/** The state of syncing, as it changes. */
export const useSyncView = (): SyncView => {
  const client = useQueryClient()
  const { data } = useQuery(stateQuery)
  usePushed('sync-progress', ({ progress }) => {
    client.setQueryData(stateQuery.queryKey, (known) => (known ? { ...known, running: progress } : known))
  })
  usePushed('sync-ended', ({ receipt }) => {
    client.setQueryData(stateQuery.queryKey, (known) => (known ? { ...known, running: null, last: receipt } : known))
    void invalidateRoutes(client, syncRoutes.syncState, brokerageRoutes.connectedAccounts)
  })
  return data ?? nothingKnown
}

/** Starts a run or joins the one under way; its end comes as a pushed event. */
export const useStartSync = (onFailure: (failure: ApiFailure) => void): { readonly start: () => void; readonly starting: boolean } => {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(syncRoutes.syncNow),
    networkMode: 'always',
    onSuccess: () => invalidateRoutes(client, syncRoutes.syncState),
    onError: onFailure,
  })
  return { start: () => { mutate() }, starting: isPending }
}
