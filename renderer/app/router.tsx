import { paths } from '#renderer/lib/paths.ts'
import { FullScreenSpinner, LoadingImage } from '#renderer/ui/spinner.tsx'
import { lazy, Suspense, type ComponentType } from 'react'
import { createHashRouter, Navigate } from 'react-router-dom'
import { AuthLayout } from './auth-layout.tsx'
import { DashboardLayout } from './dashboard-layout.tsx'
import { ErrorScreen } from './error-screen.tsx'
import { RequireUser } from './require-user.tsx'

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

const overview = screen(paths.overview, async () => (await import('#renderer/features/overview/overview-page.tsx')).OverviewPage)
const tradeLogbook = screen(paths.tradeLogbook, async () => (await import('#renderer/features/trade-logbook/trade-logbook-page.tsx')).TradeLogbookPage)
const reconciliation = screen(paths.reconciliation, async () => (await import('#renderer/features/reconciliation/reconciliation-page.tsx')).ReconciliationPage)
const autoSync = screen(paths.autoSync, async () => (await import('#renderer/features/auto-sync/auto-sync-page.tsx')).AutoSyncPage)
const settings = screen(paths.settings, async () => (await import('#renderer/features/settings/settings-page.tsx')).SettingsPage)
const importScreen = screen(paths.import, async () => (await import('#renderer/features/imports/import-page.tsx')).ImportPage)
const oauthCallback = screen(paths.oauthCallback, async () => (await import('#renderer/features/oauth-callback/oauth-callback-page.tsx')).OauthCallbackPage)
const signIn = screen(paths.signIn, async () => (await import('#renderer/features/auth/sign-in-page.tsx')).SignInPage)
const signUp = screen(paths.signUp, async () => (await import('#renderer/features/auth/sign-up-page.tsx')).SignUpPage)
const forgotPassword = screen(paths.forgotPassword, async () => (await import('#renderer/features/auth/forgot-password-page.tsx')).ForgotPasswordPage)
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
          children: [signIn, signUp, forgotPassword],
        },
        {
          element: <RequireUser />,
          children: [
            oauthCallback,
            {
              element: <DashboardLayout />,
              children: [overview, tradeLogbook, autoSync, reconciliation, importScreen, settings],
            },
          ],
        },
        notFound,
        { path: '*', element: <Navigate to={paths.notFound} replace /> },
      ],
    },
  ])
