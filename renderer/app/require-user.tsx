import { addressOwner, markOf, ownAddress } from '#renderer/lib/address-owner.ts'
import { setAccountDeleted, useAccountDeleted } from '#renderer/lib/account-deleted.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { leavesThisWindow } from '#renderer/lib/open-elsewhere.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useRenewEntitlement } from '#renderer/lib/use-entitlement.ts'
import { useDialogTurn } from '#renderer/ui/dialog-turns.ts'
import { FullScreenSpinner } from '#renderer/ui/spinner.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import type { ReturnedAccount } from '#shared/api/sync.ts'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Location, Navigate, Outlet, useLocation, useMatch, useNavigate } from 'react-router-dom'
import { useQueryEvents } from './query-events.ts'
import { SessionFailure } from './session-failure.tsx'

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

/**
 * Goes to the outcome of a payment after the system's browser returned from it. Leaves only the plans page for it,
 * because any other may hold unsaved changes: there a toast has a link, once no dialog covers it. A window that goes to
 * the payment provider comes back without this.
 */
const useCameBack = (): void => {
  const { t } = useTranslation('plans')
  const onPlans = useMatch(paths.manageSubscription) !== null
  const navigate = useNavigate()
  const renew = useRenewEntitlement()
  const [pending, setPending] = useState<ReturnedAccount | null>(null)
  const mayTell = useDialogTurn(pending !== null)

  usePushed('came-back', (back) => {
    if (leavesThisWindow) return
    void renew()
    if (onPlans) void navigate(afterPayment(back), { replace: true })
    else setPending(back)
  })
  const announce = useEffectEvent((back: ReturnedAccount) => {
    toast({ title: t('came-back.title'), text: t(`came-back.${back.to}`), action: { label: t('came-back.show'), run: () => void navigate(afterPayment(back)) } })
    setPending(null)
  })
  useEffect(() => {
    if (mayTell && pending !== null) announce(pending)
  }, [mayTell, pending])
}

/** The route in the hash for the outcome of a payment: the payment provider's page redirects to an address of the program, which continues here. */
export const afterPayment = ({ payment, sessionId }: Pick<ReturnedAccount, 'payment' | 'sessionId'>): string => {
  const query = new URLSearchParams()
  if (payment !== null) query.set('payment', payment)
  if (sessionId !== null) query.set('session_id', sessionId)
  return query.size === 0 ? paths.manageSubscription : `${paths.manageSubscription}?${query.toString()}`
}
