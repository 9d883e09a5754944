import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router-dom'
import { AccountWatch } from './account-watch.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { RuleAlerts } from './rule-alerts.tsx'
import { Sidebar } from './sidebar.tsx'
import { SubscriptionWatch } from './subscription-watch.tsx'

/** The sidebar beside the page of the moment, and the watch over the accounts on every page. */
export const DashboardLayout = () => {
  const { t } = useTranslation('app')
  return (
    <div className="flex h-screen overflow-hidden">
      <a
        href="#content"
        onClick={(event) => {
          // The hash is the router's, so the browser may not follow it.
          event.preventDefault()
          document.getElementById('content')?.focus()
        }}
        className="sr-only z-50 rounded-md bg-accent px-3 py-1.5 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('skip')}
      </a>
      <Sidebar />
      <main id="content" tabIndex={-1} className="min-w-0 grow outline-none">
        <Outlet />
      </main>
      <AccountWatch />
      <SubscriptionWatch />
      <RuleAlerts />
      <DropAnywhere />
    </div>
  )
}
