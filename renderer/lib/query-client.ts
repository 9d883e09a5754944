import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { SessionAnswer } from '#shared/api/session.ts'
import { showAddressesTo } from './address-owner.ts'
import { ApiFailure, invalidateRoutes, onWrongUser, type FailureCode } from './api.ts'
import { drawFor } from './browser-key.ts'
import { showTo } from './of-user.ts'
import { sessionQuery } from './session.ts'

const mostRetries = 3
const firstPauseMs = 1_000
const longestPauseMs = 30_000
const keptUnusedMs = 5 * 60_000

const planFailures: readonly FailureCode[] = ['plan-needed', 'already-subscribed', 'not-sold']

/** Whether to retry a failed fetch: never if the program refused the request itself. */
export const worthRetry = (failures: number, error: unknown): boolean => {
  const refused = error instanceof ApiFailure && error.status >= 400 && error.status < 500
  return !refused && failures < mostRetries
}

/** Milliseconds before try number `attempt` (from 0): one second, doubled each time, at most thirty. */
export const retryPauseMs = (attempt: number): number => Math.min(firstPauseMs * 2 ** attempt, longestPauseMs)

/** The cache of everything that the page has loaded, with the product's rules for retries and caching. */
export const createQueryClient = (): QueryClient => {
  const isSession = (queryKey: QueryKey): boolean => queryKey[0] === sessionQuery.queryKey[0]
  const askWhoIsSignedIn = (): void => void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  const client = new QueryClient({
    queryCache: new QueryCache({
      // A session can end elsewhere: a refused call refetches the session, and the guard does the rest.
      onError: (error, { queryKey }) => {
        const refused = error instanceof ApiFailure && error.status === 401
        if (refused && !isSession(queryKey)) askWhoIsSignedIn()
      },
      onSuccess: (answer, { queryKey }) => {
        if (!isSession(queryKey)) return
        const user = (answer as SessionAnswer).currentUser
        const userId = user?.uid ?? null
        showAddressesTo(user)
        const before = drawFor(userId)
        const isAnother = user !== null && showTo(user)
        // Another tab signed in another user: never show them the previous user's data.
        if (before !== null && isAnother) client.removeQueries({ predicate: (query) => !isSession(query.queryKey) })
      },
    }),
    mutationCache: new MutationCache({
      // A plan can end while a page is open: a call refused without it closes the page's gate.
      onError: (error) => {
        if (error instanceof ApiFailure && planFailures.includes(error.code)) void invalidateRoutes(client, subscriptionRoutes.getSubscription)
      },
    }),
    defaultOptions: {
      // The program is on this computer: it answers without a network too.
      queries: { networkMode: 'always', retry: worthRetry, retryDelay: retryPauseMs, gcTime: keptUnusedMs, staleTime: 30_000, refetchOnWindowFocus: false },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  onWrongUser(askWhoIsSignedIn)
  return client
}
