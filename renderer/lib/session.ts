import { sessionRoutes, type SessionAnswer, type SignedInUser } from '#shared/api/session.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, type ApiFailure } from './api.ts'

/** The reading of who is signed in and what this installation offers. */
export const sessionQuery = apiQuery(sessionRoutes.session)

/** Who is signed in: `loading` until the first answer, then the session or the failure. */
export const useSession = (): {
  readonly loading: boolean
  readonly session: SessionAnswer | null
  readonly currentUser: SignedInUser | null
  readonly failure: ApiFailure | null
  readonly retry: () => void
} => {
  // What is shown because the session failed reads it too: if it were asked for again, it would be loading, and never be shown.
  const { data, error, isPending, refetch } = useQuery({ ...sessionQuery, staleTime: Infinity, retryOnMount: false })
  return {
    loading: isPending,
    session: data ?? null,
    currentUser: data?.currentUser ?? null,
    // A known session outlives a program that does not answer, but not one that refuses.
    failure: data && error?.status !== 401 ? null : error,
    retry: () => void refetch(),
  }
}

/** The signed-in user's id, for screens behind the guard; throws 'No authenticated user' where nobody is. */
export const useUserId = (): string => {
  const { currentUser } = useSession()
  if (!currentUser) throw new Error('No authenticated user')
  return currentUser.uid
}

/** Adopts a new answer on the signed-in user. */
export const useKnowUser = (): ((currentUser: SignedInUser) => void) => {
  const client = useQueryClient()
  return (currentUser) => {
    client.setQueryData(sessionQuery.queryKey, (known) => known && { ...known, currentUser })
  }
}

/** Forgets everything that belonged to the last user and asks again who is signed in. */
export const useRenewSession = (): (() => Promise<void>) => {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}
