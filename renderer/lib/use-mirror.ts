import { mirrorStateRoutes, type MirrorState } from '#shared/api/mirror.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes } from './api.ts'

const { mirrorState, mirrorNow, mirrorToNewAccount } = mirrorStateRoutes

/** How things stand with the copy in the cloud; null until it is read. */
export const useMirrorState = (): MirrorState | null => useQuery(apiQuery(mirrorState)).data ?? null

/** The same while a journal is on its way back from the cloud, also where the cloud is away before it is whole; otherwise null. */
export const useRestoring = (): MirrorState | null => {
  const mirror = useMirrorState()
  return mirror?.restoring ? mirror : null
}

/** How far a journal is that is being brought back from the cloud, as a share from 0 to 1; 0 where nothing is known of it yet. */
export const restoredShare = ({ restoring }: MirrorState): number => (restoring === null || restoring.total === 0 ? 0 : restoring.done / restoring.total)

/** The same of a comparison of this computer with the cloud. */
export const comparedShare = ({ comparing }: MirrorState): number => (comparing === null || comparing.total === 0 ? 0 : comparing.done / comparing.total)

/** Asks the mirror to try again at once; how it goes comes as the event `mirror-changed`. */
export const useMirrorNow = (onFailure: (failure: unknown) => void) => {
  const client = useQueryClient()
  return useMutation({ mutationFn: () => callApi(mirrorNow), onError: onFailure, onSettled: () => invalidateRoutes(client, mirrorState) })
}

/** Sends the whole journal to the account that its user has in the cloud now, after the one before is gone. */
export const useMirrorToNewAccount = () => {
  const client = useQueryClient()
  return useMutation({ mutationFn: () => callApi(mirrorToNewAccount), onSettled: () => invalidateRoutes(client, mirrorState) })
}
