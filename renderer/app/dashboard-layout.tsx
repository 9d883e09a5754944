import { SkipLink } from '#renderer/ui/skip-link.tsx'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { AccountWatch } from './account-watch.tsx'
import { Commands } from './commands/commands.tsx'
import { CopierAlerts } from './copier-alerts.tsx'
import { DamagedJournal } from './damaged-journal.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { fetched } from './fetched.ts'
import { Sidebar } from './sidebar.tsx'
import { SubscriptionWatch } from './subscription-watch.tsx'
import { SyncResult } from './sync-result.tsx'
import { useUnsentTrades } from './use-unsent-trades.ts'

// It shows nothing until an alert comes.
const RuleAlerts = fetched(['rules'], async () => (await import('./rule-alerts.tsx')).RuleAlerts)

/** The sidebar beside the page of the moment, and the watch over the accounts on every page. */
export const DashboardLayout = () => {
  useUnsentTrades()
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
        <CopierAlerts />
        <DropAnywhere />
        <SyncResult />
        <DamagedJournal />
        <Commands />
      </div>
    </TooltipProvider>
  )
}
