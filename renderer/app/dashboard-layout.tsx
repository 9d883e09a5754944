import { SkipLink } from '#renderer/ui/skip-link.tsx'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet } from 'react-router-dom'
import { useQuery } from '@tanstack/react-query'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { apiQuery } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { tokenHealthQuery } from '#renderer/lib/token-health.ts'
import { standingQuery } from '#renderer/lib/standing.ts'
import { isKeptUnder, unsentDaysPrefix, unsentPrefix } from '#renderer/lib/unsent-prefix.ts'
import { Commands } from './commands/commands.tsx'
import { CopierAlerts } from './copier-alerts.tsx'
import { DamagedJournal } from './damaged-journal.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { fetched } from '#renderer/lib/fetched.ts'
import { Sidebar } from './sidebar.tsx'
import { SyncResult } from './sync-result.tsx'
import { ExpiredDialog } from './expired-dialog.tsx'

// It shows nothing until an alert arrives.
const RuleAlerts = fetched(['rules'], async () => (await import('./rule-alerts.tsx')).RuleAlerts)

const UnsentDays = lazy(async () => ({ default: (await import('./unsent-days.tsx')).UnsentDays }))

/** The sidebar beside the current page, and the account checks on every page. */
export const DashboardLayout = () => {
  useUnsentTrades()
  const [hasUnsentDays] = useState(() => isKeptUnder(unsentDaysPrefix))
  return (
    <TooltipProvider>
      <div className="flex h-screen overflow-hidden">
        <SkipLink />
        <Sidebar />
        <main id="content" tabIndex={-1} className="min-w-0 grow outline-none">
          <Outlet />
        </main>
        <AccountWatch />
        <SubscriptionWatch />
        <Suspense fallback={null}>
          <RuleAlerts />
        </Suspense>
        {hasUnsentDays && (
          <Suspense fallback={null}>
            <UnsentDays />
          </Suspense>
        )}
        <CopierAlerts />
        <DropAnywhere />
        <SyncResult />
        <DamagedJournal />
        <Commands />
      </div>
    </TooltipProvider>
  )
}

const hourly = { refetchInterval: 3_600_000, refetchIntervalInBackground: true } as const

/** Loads accounts and token health at start and every hour, and reports ended access. */
const AccountWatch = () => {
  const userId = useUserId()
  useQuery({ ...apiQuery(recordRoutes.getFinances, { query: { userId } }), ...hourly })
  useQuery({ ...apiQuery(brokerageRoutes.connectedAccounts), ...hourly })
  const { data, error } = useQuery({ ...tokenHealthQuery(userId), ...hourly })
  useEffect(() => {
    if (error !== null) logFailure(brokerageRoutes.tradovate.path, error)
  }, [error])
  return <ExpiredDialog expired={data?.needsReauth ? data.expiredAccounts : []} />
}

/** Makes the application check at sign-in and every hour, on any page. */
const SubscriptionWatch = () => {
  useQuery(standingQuery(useUserId()))
  return null
}

/** Saves changes of trades that closed pages left unsaved, whichever screen opens first. */
const useUnsentTrades = (): void => {
  const userId = useUserId()
  useEffect(() => {
    if (isKeptUnder(unsentPrefix)) void import('#renderer/features/trade-logbook/trade-saving.ts').then(({ startSaving }) => { startSaving(userId) })
  }, [userId])
}
