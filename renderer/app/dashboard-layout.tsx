import { apiQuery } from '#renderer/lib/api.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { fetched } from '#renderer/lib/fetched.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { paths } from '#renderer/lib/paths.ts'
import { receiptParts } from '#renderer/lib/receipt-words.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { standingQuery } from '#renderer/lib/entitlement.ts'
import { tokenHealthQuery } from '#renderer/lib/token-health.ts'
import { isKeptUnder, unsentDaysPrefix, unsentPrefix } from '#renderer/lib/unsent-prefix.ts'
import { SkipLink } from '#renderer/ui/skip-link.tsx'
import { toast, useToasts } from '#renderer/ui/toast-store.ts'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { type CopierAlert, copierTrouble } from '#shared/api/copier.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useNavigate } from 'react-router-dom'
import { Commands } from './commands/commands.tsx'
import { DamagedJournal } from './damaged-journal.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { ExpiredDialog } from './expired-dialog.tsx'
import { Sidebar } from './sidebar.tsx'

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

/** On every page, reports the result of a sync that the user started. */
const SyncResult = () => {
  const { t } = useTranslation('sync')
  const announce = (receipt: SyncReceipt): void => {
    const counts = receiptParts(receipt).map(({ key, count, platform }) => t(`part.${key}`, { count, platform }))
    const text = receipt.outcome === 'complete' ? counts.join(' · ') : `${counts.join(' · ')}. ${t('see-auto-sync')}`
    toast({ title: t(`outcome.${receipt.outcome}`), text, tone: receipt.outcome === 'failed' ? 'error' : 'info' })
  }
  usePushed('sync-ended', ({ receipt }) => {
    // The user did not ask for a scheduled run: its result is in the chip.
    if (receipt.trigger === 'manual' || receipt.trigger === 'connect') announce(receipt)
  })
  return null
}

const severity = ({ trouble }: CopierAlert): number => copierTrouble.options.indexOf(trouble)

/** Shows copier alerts as a toast on every page; new ones share the open toast, worst first. */
const CopierAlerts = () => {
  const { t } = useTranslation('app')
  const navigate = useNavigate()
  const shown = useRef<{ readonly alerts: readonly CopierAlert[]; readonly toastId: number | null }>({ alerts: [], toastId: null })

  usePushed('copier-alert', ({ alert }) => {
    const stillShows = useToasts.getState().toasts.some(({ id, open }) => open && id === shown.current.toastId)
    const alerts = stillShows ? [...shown.current.alerts, alert] : [alert]
    const worst = alerts.reduce((one, other) => (severity(other) < severity(one) ? other : one))
    const { trouble, accountName, group, unprotected, brokerText } = worst
    const others = new Set(alerts.map(({ account }) => account)).size - 1
    toast({
      title: t(`copier-alert.${trouble}`, { account: accountName }),
      text: [
        t(trouble === 'unprotected' ? `copier-alert.unprotected-${unprotected}` : `copier-alert.${trouble}-text`, { group }),
        ...(brokerText === null ? [] : [t('copier-alert.broker-said', { text: brokerText })]),
        ...(others > 0 ? [t('copier-alert.more', { count: others })] : []),
      ].join(' · '),
      tone: 'error',
      action: { label: t('copier-alert.show'), run: () => void navigate(paths.tradeCopier) },
    })
    shown.current = { alerts, toastId: useToasts.getState().toasts.at(-1)?.id ?? null }
  })
  return null
}
