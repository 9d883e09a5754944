import { paths } from '#renderer/lib/paths.ts'
import { FullScreenSpinner, LoadingImage } from '#renderer/ui/spinner.tsx'
import type { GatedPage } from '#shared/plans/plan.ts'
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { createHashRouter, Navigate } from 'react-router-dom'
import { AuthLayout } from './auth-layout.tsx'
import { DashboardLayout } from './dashboard-layout.tsx'
import { ErrorScreen } from './error-screen.tsx'
import { RequireUser } from './require-user.tsx'
import { SubscriptionGate } from './subscription-gate.tsx'

/** A screen in a file of its own, fetched when it is first shown; the key makes it wait for itself instead of for the screen before it. */
const screen = (path: string, load: () => Promise<ComponentType>) => {
  const Screen = lazy(async () => ({ default: await load() }))
  const element = (
    <Suspense key={path} fallback={<LoadingImage />}>
      <Screen />
    </Suspense>
  )
  return { path, element }
}

/** A screen behind its gate; the key gives each gate a state of its own. */
const gated = (page: GatedPage, { path, element }: { path: string; element: ReactNode }) => ({
  path,
  element: (
    <SubscriptionGate key={page} page={page}>
      {element}
    </SubscriptionGate>
  ),
})

const overview = screen(paths.overview, async () => (await import('#renderer/features/overview/overview-page.tsx')).OverviewPage)
const tradeLogbook = screen(paths.tradeLogbook, async () => (await import('#renderer/features/trade-logbook/trade-logbook-page.tsx')).TradeLogbookPage)
const reconciliation = screen(paths.reconciliation, async () => (await import('#renderer/features/reconciliation/reconciliation-page.tsx')).ReconciliationPage)
const operational = screen(paths.operational, async () => (await import('#renderer/features/operational/operational-page.tsx')).OperationalPage)
const autoSync = gated('AutoSync', screen(paths.autoSync, async () => (await import('#renderer/features/auto-sync/auto-sync-page.tsx')).AutoSyncPage))
const aiReport = gated('AIreport', screen(paths.aiReport, async () => (await import('#renderer/features/ai-report/ai-report-page.tsx')).AiReportPage))
const positionScanner = gated('PositionScanner', screen(paths.positionScanner, async () => (await import('#renderer/features/position-scanner/position-scanner-page.tsx')).PositionScannerPage))
const tradeCopier = gated('TradeCopier', screen(paths.tradeCopier, async () => (await import('#renderer/features/trade-copier/trade-copier-page.tsx')).TradeCopierPage))
const manageSubscription = screen(paths.manageSubscription, async () => (await import('#renderer/features/manage-subscription/manage-subscription-page.tsx')).ManageSubscriptionPage)
const settings = screen(paths.settings, async () => (await import('#renderer/features/settings/settings-page.tsx')).SettingsPage)
const importScreen = screen(paths.import, async () => (await import('#renderer/features/imports/import-page.tsx')).ImportPage)
const oauthCallback = screen(paths.oauthCallback, async () => (await import('#renderer/features/oauth-callback/oauth-callback-page.tsx')).OauthCallbackPage)
const signIn = screen(paths.signIn, async () => (await import('#renderer/features/auth/sign-in-page.tsx')).SignInPage)
const signUp = screen(paths.signUp, async () => (await import('#renderer/features/auth/sign-up-page.tsx')).SignUpPage)
const forgotPassword = screen(paths.forgotPassword, async () => (await import('#renderer/features/auth/forgot-password-page.tsx')).ForgotPasswordPage)
const emailLink = screen(paths.emailLink, async () => (await import('#renderer/features/auth/email-link-page.tsx')).EmailLinkPage)
const notFound = screen(paths.notFound, async () => (await import('#renderer/features/not-found/not-found-page.tsx')).NotFoundPage)

/** The product's routes, in the hash; paths match without regard to case. */
export const createRouter = () =>
  createHashRouter([
    {
      errorElement: <ErrorScreen />,
      HydrateFallback: FullScreenSpinner,
      children: [
        { path: paths.home, element: <Navigate to={paths.overview} replace /> },
        {
          element: <AuthLayout />,
          children: [signIn, signUp, forgotPassword, emailLink],
        },
        {
          element: <RequireUser />,
          children: [
            oauthCallback,
            {
              element: <DashboardLayout />,
              children: [overview, tradeLogbook, operational, autoSync, aiReport, positionScanner, tradeCopier, reconciliation, importScreen, manageSubscription, settings],
            },
          ],
        },
        notFound,
        { path: '*', element: <Navigate to={paths.notFound} replace /> },
      ],
    },
  ])
