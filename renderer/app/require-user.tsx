import { setAccountDeleted, useAccountDeleted } from '#renderer/lib/account-deleted.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { FullScreenSpinner } from '#renderer/ui/spinner.tsx'
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { useQueryEvents } from './query-events.ts'
import { SessionFailure } from './session-failure.tsx'
import { useCameBack } from './use-came-back.ts'

const SignedIn = () => {
  useQueryEvents()
  useCameBack()
  useEffect(() => {
    setAccountDeleted(false)
  }, [])
  return <Outlet />
}

/** Lets a signed-in user through, waits while that is unknown, and sends everybody else to sign in and back here afterwards; whoever deleted the account goes to sign up. */
export const RequireUser = () => {
  const { loading, currentUser, failure, retry } = useSession()
  const { pathname, search } = useLocation()
  const deleted = useAccountDeleted((known) => known.deleted)
  if (loading) return <FullScreenSpinner />
  if (failure) return <SessionFailure failure={failure} onRetry={retry} />
  if (!currentUser && deleted) return <Navigate to={paths.signUp} replace />
  if (!currentUser) return <Navigate to={paths.signIn} replace state={{ from: pathname + search }} />
  return <SignedIn key={currentUser.uid} />
}
