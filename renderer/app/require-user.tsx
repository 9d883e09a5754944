import { addressOwner, markOf, ownAddress } from '#renderer/lib/address-owner.ts'
import { setAccountDeleted, useAccountDeleted } from '#renderer/lib/account-deleted.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { FullScreenSpinner } from '#renderer/ui/spinner.tsx'
import { useEffect, useLayoutEffect } from 'react'
import { Navigate, Outlet, useLocation, type Location } from 'react-router-dom'
import { useQueryEvents } from './query-events.ts'
import { SessionFailure } from './session-failure.tsx'
import { useCameBack } from './use-came-back.ts'

const SignedIn = () => {
  useQueryEvents()
  useCameBack()
  useEffect(() => {
    setAccountDeleted(null)
  }, [])
  return <Outlet />
}

/**
 * Lets a signed-in user through, waits while that is unknown, and sends everyone else to sign in and back here
 * afterward, unless another user signs in; after deleting the account, to sign up.
 */
export const RequireUser = () => {
  const { loading, currentUser, failure, retry } = useSession()
  const location = useLocation() as Location<unknown>
  const { pathname, search, state, key } = location
  const deleted = useAccountDeleted((known) => known.deleted)
  const owner = addressOwner(key)
  const mark = currentUser === null ? null : markOf(currentUser)
  const isForeign = owner !== null && mark !== null && owner !== mark && (search !== '' || state !== null)
  useLayoutEffect(() => {
    if (mark !== null) ownAddress(key)
    // A typed address has the key of the previous one. The router notes later ones.
  }, [location, key, mark])
  if (loading) return <FullScreenSpinner />
  if (failure) return <SessionFailure failure={failure} onRetry={retry} />
  if (!currentUser && deleted !== null) return <Navigate to={deleted === 'demo' ? paths.signIn : paths.signUp} replace />
  if (!currentUser) return <Navigate to={paths.signIn} replace state={{ from: pathname + search, shownTo: owner }} />
  // The filter, the trade, and the accounts in an address are its user's, even if another user goes Back to it.
  if (isForeign) return <Navigate to={pathname} replace />
  return <SignedIn key={mark} />
}
