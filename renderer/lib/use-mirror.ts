import { mirrorStateRoutes, type MirrorState } from '#shared/api/mirror-state.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, callApi, invalidateRoutes } from './api.ts'

const { mirrorState, mirrorNow, mirrorToNewAccount } = mirrorStateRoutes

/** The state of the cloud mirror; null until loaded. */
export const useMirrorState = (): MirrorState | null => useQuery(apiQuery(mirrorState)).data ?? null

/** The same while a journal is being restored from the cloud, even if the cloud is unreachable before it is complete; otherwise null. */
export const useRestoring = (): MirrorState | null => {
  const mirror = useMirrorState()
  return mirror?.restoring ? mirror : null
}

/** Progress of restoring a journal from the cloud, as a share from 0 to 1; 0 while unknown. */
export const restoredShare = ({ restoring }: MirrorState): number => (restoring === null || restoring.total === 0 ? 0 : restoring.done / restoring.total)

/** The same for comparing this computer with the cloud. */
export const comparedShare = ({ comparing }: MirrorState): number => (comparing === null || comparing.total === 0 ? 0 : comparing.done / comparing.total)

/** Makes the mirror retry at once; the result comes as the event `mirror-changed`. */
export const useMirrorNow = (onFailure: (failure: unknown) => void) => {
  const client = useQueryClient()
  return useMutation({ mutationFn: () => callApi(mirrorNow), onError: onFailure, onSettled: () => invalidateRoutes(client, mirrorState) })
}

/** Sends the whole journal to the user's current cloud account, after the previous one was deleted. */
export const useMirrorToNewAccount = () => {
  const client = useQueryClient()
  return useMutation({ mutationFn: () => callApi(mirrorToNewAccount), onSettled: () => invalidateRoutes(client, mirrorState) })
}
