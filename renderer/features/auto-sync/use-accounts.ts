import { apiQuery } from '#renderer/lib/api.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { useQuery } from '@tanstack/react-query'
import { accountRows, type AccountRow } from './account-rows.ts'

/** The accounts of the user, which the dashboard reads at start and every hour; `rows` is null until they are there. */
export const useAccounts = (): { readonly rows: readonly AccountRow[] | null; readonly failure: unknown; readonly retry: () => void } => {
  const userId = useUserId()
  const finances = useQuery(apiQuery(recordRoutes.getFinances, { query: { userId } }))
  const connected = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  return {
    rows: finances.data && connected.data ? accountRows(finances.data.finances, connected.data.accounts) : null,
    failure: finances.error ?? connected.error,
    retry: () => {
      void finances.refetch()
      void connected.refetch()
    },
  }
}
