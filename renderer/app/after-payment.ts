import { paths } from '#renderer/lib/paths.ts'
import type { CameBack } from '#shared/api/sync.ts'

/** The route in the hash for the outcome of a payment: the payment provider's page redirects to an address of the program, which continues here. */
export const afterPayment = ({ payment, sessionId }: Pick<CameBack, 'payment' | 'sessionId'>): string => {
  const query = new URLSearchParams()
  if (payment !== null) query.set('payment', payment)
  if (sessionId !== null) query.set('session_id', sessionId)
  return query.size === 0 ? paths.manageSubscription : `${paths.manageSubscription}?${query.toString()}`
}
