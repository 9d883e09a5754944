import { ownAddress } from '#renderer/lib/address-owner.ts'
import { paths } from '#renderer/lib/paths.ts'
import { FullScreenSpinner, LoadingImage } from '#renderer/ui/spinner.tsx'
import { dismissOfPage } from '#renderer/ui/toast-store.ts'
import type { GatedPage } from '#shared/plans/plan.ts'
import { Suspense, type ComponentType } from 'react'
import { createHashRouter, Navigate, Outlet, type RouteObject } from 'react-router-dom'
import { desktop } from '#renderer/lib/desktop.ts'
import { useSession } from '#renderer/lib/session.ts'
import { AuthLayout } from './auth-layout.tsx'
import { ErrorScreen } from './error-screen.tsx'
import { fetched, fetchPart } from '#renderer/lib/fetched.ts'
import { RequireUser } from './require-user.tsx'

/** A screen in its own file, loaded with its locale namespaces when first shown; the key makes it show its own loading state instead of the previous screen. */
const screen = (path: string, sentences: readonly string[], load: () => Promise<ComponentType>): RouteObject => {
  const Screen = fetched(sentences, load)
  const element = (
    <Suspense key={path} fallback={<LoadingImage />}>
      <Screen />
    </Suspense>
  )
  return { path, element }
}

/** The frame around a signed-in user's screens. */
const dashboard = async () => ({ Component: await fetchPart(['expired', 'sync'], async () => (await import('./dashboard-layout.tsx')).DashboardLayout) })

/** A screen behind its gate; the key gives each gate its own state. */
const gated = (page: GatedPage, behind: RouteObject): RouteObject => ({
  lazy: async () => {
    const SubscriptionGate = await fetchPart([], async () => (await import('./subscription-gate.tsx')).SubscriptionGate)
    return {
      element: (
        <SubscriptionGate key={page} page={page}>
          <Outlet />
        </SubscriptionGate>
      ),
    }
  },
  children: [behind],
})

const landing = screen(paths.home, ['auth', 'landing'], async () => (await import('#renderer/features/landing/landing-page.tsx')).LandingPage)
const terms = screen(paths.terms, ['terms'], async () => (await import('#renderer/features/legal/terms-page.tsx')).TermsPage)
const policy = screen(paths.policy, ['policy'], async () => (await import('#renderer/features/legal/policy-page.tsx')).PolicyPage)
const licenses = screen(paths.licenses, ['licenses'], async () => (await import('#renderer/features/legal/licenses-page.tsx')).LicensesPage)
const overview = screen(paths.overview, ['compare', 'day-note', 'figures', 'filter', 'left-over', 'overview', 'rules', 'statistics', 'sync', 'what-if'], async () => (await import('#renderer/features/overview/overview-page.tsx')).OverviewPage)
const tradeLogbook = screen(paths.tradeLogbook, ['day-note', 'figures', 'filter', 'left-over', 'sync', 'trade-logbook'], async () => (await import('#renderer/features/trade-logbook/trade-logbook-page.tsx')).TradeLogbookPage)
const tradeChart = screen(paths.tradeChart, ['trade-chart', 'trade-logbook'], async () => (await import('#renderer/features/trade-logbook/chart/trade-chart-page.tsx')).TradeChartPage)
const reconciliation = screen(paths.reconciliation, ['filter', 'reconciliation'], async () => (await import('#renderer/features/reconciliation/reconciliation-page.tsx')).ReconciliationPage)
const operational = screen(paths.operational, ['filter', 'operational'], async () => (await import('#renderer/features/operational/operational-page.tsx')).OperationalPage)
const autoSync = gated('AutoSync', screen(paths.autoSync, ['auto-sync', 'history', 'rules', 'sync'], async () => (await import('#renderer/features/auto-sync/auto-sync-page.tsx')).AutoSyncPage))
const aiReport = gated('AIreport', screen(paths.aiReport, ['ai-report'], async () => (await import('#renderer/features/ai-report/ai-report-page.tsx')).AiReportPage))
const positionScanner = gated('PositionScanner', screen(paths.positionScanner, ['position-scanner', 'rules'], async () => (await import('#renderer/features/position-scanner/position-scanner-page.tsx')).PositionScannerPage))
const tradeCopier = gated('TradeCopier', screen(paths.tradeCopier, ['trade-copier'], async () => (await import('#renderer/features/trade-copier/trade-copier-page.tsx')).TradeCopierPage))
const manageSubscription = screen(paths.manageSubscription, [], async () => (await import('#renderer/features/manage-subscription/manage-subscription-page.tsx')).ManageSubscriptionPage)
const settings = screen(paths.settings, ['account', 'backups', 'journal-file', 'prices', 'recovery', 'settings'], async () => (await import('#renderer/features/settings/settings-page.tsx')).SettingsPage)
const importScreen = screen(paths.import, ['import', 'prices'], async () => (await import('#renderer/features/imports/import-page.tsx')).ImportPage)
const sampleForm = screen(paths.form, ['sample-form'], async () => (await import('#renderer/features/sample-form/sample-form-page.tsx')).SampleFormPage)
const oauthCallback = screen(paths.oauthCallback, ['oauth-callback'], async () => (await import('#renderer/features/oauth-callback/oauth-callback-page.tsx')).OauthCallbackPage)
const signIn = screen(paths.signIn, ['auth'], async () => (await import('#renderer/features/auth/sign-in-page.tsx')).SignInPage)
const signUp = screen(paths.signUp, ['auth', 'recovery'], async () => (await import('#renderer/features/auth/sign-up-page.tsx')).SignUpPage)
const forgotPassword = screen(paths.forgotPassword, ['auth', 'recovery'], async () => (await import('#renderer/features/auth/forgot-password-page.tsx')).ForgotPasswordPage)
const emailLink = screen(paths.emailLink, ['auth'], async () => (await import('#renderer/features/auth/email-link-page.tsx')).EmailLinkPage)
const notFound = screen(paths.notFound, ['not-found'], async () => (await import('#renderer/features/not-found/not-found-page.tsx')).NotFoundPage)

/** The product's routes, in the hash; paths match in any case. */
export const createRouter = () => {
  const router = createHashRouter([
    {
      // If even that screen crashes, the router's own error screen shows.
      HydrateFallback: FullScreenSpinner,
      children: [
        {
          errorElement: <ErrorScreen />,
          children: [
            { element: <Launch />, children: [landing] },
            terms,
            policy,
            licenses,
            {
              element: <AuthLayout />,
              children: [signIn, signUp, forgotPassword, emailLink],
            },
            {
              element: <RequireUser />,
              children: [
                oauthCallback,
                tradeChart,
                {
                  lazy: dashboard,
                  children: [overview, tradeLogbook, operational, autoSync, aiReport, positionScanner, tradeCopier, reconciliation, importScreen, manageSubscription, settings, sampleForm],
                },
              ],
            },
            notFound,
            { path: '*', element: <Navigate to={paths.notFound} replace /> },
          ],
        },
      ],
    },
  ])
  // At once: the next address may come before this one is rendered.
  router.subscribe(({ location }) => { ownAddress(location.key) })
  let page = router.state.location.pathname
  router.subscribe(({ location: { pathname } }) => {
    if (pathname !== page) dismissOfPage()
    page = pathname
  })
  return router
}

/**
 * The program's bare address, as it is printed and bookmarked: leads returning users and the desktop to the journal or
 * the sign-in. Everyone else, and anyone who navigates to it within the page, sees the landing page.
 */
const Launch = () => {
  const { loading, session, currentUser } = useSession()
  // The router puts every route behind a hash; only an address from outside has none.
  if (window.location.hash !== '') return <Outlet />
  if (loading) return <FullScreenSpinner />
  if (currentUser) return <Navigate to={paths.overview} replace />
  if (desktop !== null || session?.hasProfiles === true) return <Navigate to={paths.signIn} replace />
  return <Outlet />
}
