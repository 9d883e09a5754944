import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { apiQuery } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { tokenHealthQuery } from '#renderer/lib/token-health.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ExpiredDialog } from './expired-dialog.tsx'

const hourly = { refetchInterval: 3_600_000, refetchIntervalInBackground: true } as const

/** Reads what the accounts hold and whether their access lasts, at start and every hour, and tells of access that ended. */
export const AccountWatch = () => {
  const userId = useUserId()
  useQuery({ ...apiQuery(recordRoutes.getFinances, { query: { userId } }), ...hourly })
  useQuery({ ...apiQuery(brokerageRoutes.connectedAccounts), ...hourly })
  const { data, error } = useQuery({ ...tokenHealthQuery(userId), ...hourly })
  useEffect(() => {
    if (error !== null) logFailure(brokerageRoutes.tradovate.path, error)
  }, [error])
  return <ExpiredDialog expired={data?.needsReauth ? data.expiredAccounts : []} />
}
