import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiFailure, invalidateRoutes } from './api.ts'
import { useUserId } from './session.ts'
import { standingQuery, type Standing } from './standing.ts'

/** While the page that shows it is open, what was bought or changed elsewhere shows soon. */
const watched = { refetchInterval: 30_000, refetchIntervalInBackground: false, refetchOnWindowFocus: 'always' } as const

/** The signed-in user's standing: null until the first answer, then the standing or, where the check failed, its text. `watch` asks for it again and again. */
export const useStanding = ({ watch = false } = {}): { readonly standing: Standing | null; readonly failure: string | null; readonly retry: () => void } => {
  const { t } = useTranslation('plans')
  // The words of the first failure show while further tries go on.
  const { data, failureReason: error, refetch } = useQuery({ ...standingQuery(useUserId()), ...(watch ? watched : {}) })
  // A known standing outlives a program that does not answer, but not one that refuses.
  const stands = error === null || (data !== undefined && error instanceof ApiFailure && error.status === 0)
  return {
    standing: stands ? (data ?? null) : null,
    failure: stands ? null : error instanceof ApiFailure ? error.message : t('check-failed'),
    retry: () => void refetch(),
  }
}

/** Asks again what the user has paid for; resolves once what is on screen is as the answer says. */
export const useRenewStanding = (): (() => Promise<void>) => {
  const client = useQueryClient()
  return () => invalidateRoutes(client, subscriptionRoutes.getSubscription)
}
