import { paths } from '#renderer/lib/paths.ts'
import { FullScreenSpinner } from '#renderer/ui/spinner.tsx'
import { lazy, type ComponentType } from 'react'
import { createHashRouter, Navigate, Outlet } from 'react-router-dom'
import { AuthLayout } from './auth-layout.tsx'
import { DashboardLayout } from './dashboard-layout.tsx'
import { ErrorScreen } from './error-screen.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { RequireUser } from './require-user.tsx'

/** A screen in a file of its own, fetched when it is first shown. */
const screen = (load: () => Promise<ComponentType>) => {
  const Screen = lazy(async () => ({ default: await load() }))
  return <Screen />
}

const overview = screen(async () => (await import('#renderer/features/overview/overview-page.tsx')).OverviewPage)
const tradeLogbook = screen(async () => (await import('#renderer/features/trade-logbook/trade-logbook-page.tsx')).TradeLogbookPage)
const reconciliation = screen(async () => (await import('#renderer/features/reconciliation/reconciliation-page.tsx')).ReconciliationPage)
const autoSync = screen(async () => (await import('#renderer/features/auto-sync/auto-sync-page.tsx')).AutoSyncPage)
const settings = screen(async () => (await import('#renderer/features/settings/settings-page.tsx')).SettingsPage)
const importScreen = screen(async () => (await import('#renderer/features/imports/import-page.tsx')).ImportPage)
const oauthCallback = screen(async () => (await import('#renderer/features/oauth-callback/oauth-callback-page.tsx')).OauthCallbackPage)
const signIn = screen(async () => (await import('#renderer/features/auth/sign-in-page.tsx')).SignInPage)
const signUp = screen(async () => (await import('#renderer/features/auth/sign-up-page.tsx')).SignUpPage)
const forgotPassword = screen(async () => (await import('#renderer/features/auth/forgot-password-page.tsx')).ForgotPasswordPage)
const notFound = screen(async () => (await import('#renderer/features/not-found/not-found-page.tsx')).NotFoundPage)

/** The product's routes, in the hash; paths match without regard to case. */
export const createRouter = () =>
  createHashRouter([
    {
      element: (
        <PageBoundary>
          <Outlet />
        </PageBoundary>
      ),
      errorElement: <ErrorScreen />,
      HydrateFallback: FullScreenSpinner,
      children: [
        { path: paths.home, element: <Navigate to={paths.overview} replace /> },
        {
          element: <AuthLayout />,
          children: [
            { path: paths.signIn, element: signIn },
            { path: paths.signUp, element: signUp },
            { path: paths.forgotPassword, element: forgotPassword },
          ],
        },
        {
          element: <RequireUser />,
          children: [
            { path: paths.oauthCallback, element: oauthCallback },
            {
              element: <DashboardLayout />,
              children: [
                { path: paths.overview, element: overview },
                { path: paths.tradeLogbook, element: tradeLogbook },
                { path: paths.autoSync, element: autoSync },
                { path: paths.reconciliation, element: reconciliation },
                { path: paths.import, element: importScreen },
                { path: paths.settings, element: settings },
              ],
            },
          ],
        },
        { path: paths.notFound, element: notFound },
        { path: '*', element: <Navigate to={paths.notFound} replace /> },
      ],
    },
  ])
