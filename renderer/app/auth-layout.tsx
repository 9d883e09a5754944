import { markOf } from '#renderer/lib/address-owner.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { LegalLinks } from '#renderer/ui/legal-links.tsx'
import { FullScreenSpinner } from '#renderer/ui/spinner.tsx'
import { Wordmark } from '#renderer/ui/wordmark.tsx'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { SessionFailure } from './session-failure.tsx'

// An address that was shown to another user belongs to them.
const cameFrom = (state: unknown, mark: string): string => {
  const { from, shownTo = null } = (state ?? {}) as { from?: unknown; shownTo?: unknown }
  return typeof from === 'string' && from.startsWith('/') && (shownTo === null || shownTo === mark) ? from : paths.overview
}

/** The narrow page around signing in; a signed-in user continues to where they came from. */
export const AuthLayout = () => {
  const { t } = useTranslation('app')
  const { loading, currentUser, failure, retry } = useSession()
  const { state } = useLocation()
  if (loading) return <FullScreenSpinner />
  if (failure) return <SessionFailure failure={failure} onRetry={retry} />
  if (currentUser) return <Navigate to={cameFrom(state, markOf(currentUser))} replace />
  return (
    <div className="flex min-h-screen flex-col items-center justify-center gap-6 bg-ground px-4 py-10">
      <header className="flex flex-col items-center gap-1.5">
        <Wordmark large />
        <p className="text-muted">{t('description')}</p>
      </header>
      <main className="w-full max-w-92">
        <Outlet />
      </main>
      <footer>
        <LegalLinks className="justify-center" />
      </footer>
    </div>
  )
}
