import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiFailure, invalidateRoutes } from './api.ts'
import { useUserId } from './session.ts'
import { standingQuery, type Entitlement } from './entitlement.ts'

/** While a page that shows it is open, purchases and changes made elsewhere show soon. */
const watched = { refetchInterval: 30_000, refetchIntervalInBackground: false, refetchOnWindowFocus: 'always' } as const

/** The signed-in user's standing: null until the first answer, then the standing or, if the check failed, its text. `watch` polls it. */
export const useEntitlement = ({ watch = false } = {}): { readonly entitlement: Entitlement | null; readonly failure: string | null; readonly retry: () => void } => {
  const { t } = useTranslation('plans')
  // The first failure's text shows while retries continue.
  const { data, failureReason: error, refetch } = useQuery({ ...standingQuery(useUserId()), ...(watch ? watched : {}) })
  // A known standing survives a program that does not answer, but not one that refuses.
  const isCurrent = error === null || (data !== undefined && error instanceof ApiFailure && error.status === 0)
  return {
    entitlement: isCurrent ? (data ?? null) : null,
    failure: isCurrent ? null : error instanceof ApiFailure ? error.message : t('check-failed'),
    retry: () => void refetch(),
  }
}

/** Refetches the user's standing; resolves once the screen shows the answer. */
export const useRenewEntitlement = (): (() => Promise<void>) => {
  const client = useQueryClient()
  return () => invalidateRoutes(client, subscriptionRoutes.getSubscription)
}
