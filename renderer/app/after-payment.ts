import { paths } from '#renderer/lib/paths.ts'
import type { CameBack } from '#shared/api/sync.ts'

/** The place, inside the hash, that tells what came of a payment: where the address would have led that the provider's page came back to. */
export const afterPayment = ({ payment, sessionId }: Pick<CameBack, 'payment' | 'sessionId'>): string => {
  const query = new URLSearchParams()
  if (payment !== null) query.set('payment', payment)
  if (sessionId !== null) query.set('session_id', sessionId)
  return query.size === 0 ? paths.manageSubscription : `${paths.manageSubscription}?${query.toString()}`
}
