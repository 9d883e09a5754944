import type { Role } from '#shared/plans/checks.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import { serveLoopback, type Seen, type Served } from './loopback.ts'

/** The user that this cloud knows every caller as. */
export const cloudUserId = 'cloud-user'

/** A cloud that answers what a test wants of subscriptions and payments, and nothing else. */
export type RightsCloud = {
  readonly url: string
  /** Every request except those for a token, with its user. */
  readonly seen: () => readonly Seen[]
  subscription: Subscription | null
  /** Null where the payment provider cannot be reached. */
  details: ProviderDetails | null
  role: Role
  /** What it says the time is, UTC ms. */
  verifiedAt: number
  /** What it answers instead, to every call about subscriptions; null for the truth. */
  instead: Served | null
  /** What a payment call answers; null for the details that were asked for. */
  payment: Served | null
}

/** Starts a cloud that lives as long as the test. */
export const startRightsCloud = async (given: Partial<Pick<RightsCloud, 'subscription' | 'role' | 'verifiedAt'>> = {}): Promise<RightsCloud> => {
  const answer = ({ path, method, fields }: Seen): Served => {
    if (path === '/dev/token') return { json: { token: 'token', userId: 'ignored', expiresAt: '' } }
    if (path === '/api/whoami') return { json: { userId: cloudUserId } }
    if (!path.includes('subscription') && !path.includes('stripe')) return { status: 503 }
    if (cloud.instead !== null) return cloud.instead
    if (path === '/api/firestore-all-subscription' && method === 'GET') {
      return { json: { subscription: cloud.subscription, role: cloud.role, verifiedAt: new Date(cloud.verifiedAt).toISOString() } }
    }
    if (path !== '/api/stripe/payments') {
      cloud.subscription = { ...cloud.subscription, ...(fields['subscription'] as Subscription) }
      return { json: { success: true } }
    }
    if (cloud.payment !== null) return cloud.payment
    return cloud.details === null ? { status: 502, json: { success: false, error: '', code: 'payments-unreachable' } } : { json: { success: true, subscription: cloud.details } }
  }
  const { url, seen } = await serveLoopback(answer)
  const cloud: RightsCloud = {
    url,
    seen: () => seen.filter(({ path }) => path.includes('subscription') || path.includes('stripe')),
    subscription: null, details: null, role: { admin: false, subscriber: false }, verifiedAt: Date.now(), instead: null, payment: null, ...given,
  }
  return cloud
}
