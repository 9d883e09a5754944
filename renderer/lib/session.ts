import { sessionRoutes, type SessionAnswer, type SignedInUser } from '#shared/api/session.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, type ApiFailure } from './api.ts'

/** The query of the signed-in user and this installation's capabilities. */
export const sessionQuery = apiQuery(sessionRoutes.session)

/** The signed-in user: `loading` until the first answer, then the session or the failure. */
export const useSession = (): {
  readonly loading: boolean
  readonly session: SessionAnswer | null
  readonly currentUser: SignedInUser | null
  readonly failure: ApiFailure | null
  readonly retry: () => void
} => {
  // The screen for a failed session reads this too: a refetch would set it to loading, and the screen would never show.
  const { data, error, isPending, refetch } = useQuery({ ...sessionQuery, staleTime: Infinity, retryOnMount: false })
  return {
    loading: isPending,
    session: data ?? null,
    currentUser: data?.currentUser ?? null,
    // A known session survives a program that does not answer, but not one that refuses.
    failure: data && error?.status !== 401 ? null : error,
    retry: () => void refetch(),
  }
}

/** The signed-in user's id, for screens behind the guard; throws 'No authenticated user' if there is none. */
export const useUserId = (): string => {
  const { currentUser } = useSession()
  if (!currentUser) throw new Error('No authenticated user')
  return currentUser.uid
}

/** Caches a new answer about the signed-in user. */
export const useKnowUser = (): ((currentUser: SignedInUser) => void) => {
  const client = useQueryClient()
  return (currentUser) => {
    client.setQueryData(sessionQuery.queryKey, (known) => known && { ...known, currentUser })
  }
}

/** Clears everything of the last user and refetches the session. */
export const useRenewSession = (): (() => Promise<void>) => {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}
