import { momentMs } from './moment-ms.ts'
import type { Plan } from './plan.ts'

/** A stored subscription: the default has only the first four fields, payments write the others. Times are ISO 8601. */
export type Subscription = {
  readonly userId?: string | undefined
  readonly status?: string | undefined
  readonly firstPaymentDate?: string | undefined
  readonly cancelAtPeriodEnd?: boolean | undefined
  readonly stripeCustomerId?: string | undefined
  readonly subscriptionType?: Plan | undefined
  readonly currentPeriodStart?: string | undefined
  readonly currentPeriodEnd?: string | undefined
  readonly hasSubscription?: boolean | undefined
  readonly subscriptionStatus?: 'complete' | 'expired' | undefined
  readonly paymentStatus?: string | undefined
  readonly active?: boolean | undefined
}

/** A subscription as the payment provider reports it; times are Unix seconds. */
export type ProviderDetails = {
  readonly status: string
  readonly cancel_at_period_end: boolean
  readonly billing_cycle_anchor: number | null
  readonly start_date: number | null
  readonly cancel_at: number | null
}

/** The subscription of a user who never paid: it opens the application and no paid page. `at` is ISO 8601. */
export const defaultSubscription = (userId: string, at: string): Subscription => ({ userId, status: 'active', firstPaymentDate: at, cancelAtPeriodEnd: false })

/** Whether the provider's subscription includes its plan at `now` (UTC ms): it is active, or canceled with cancel-at-period-end and that end still ahead. */
export const isActive = ({ status, cancel_at_period_end: atPeriodEnd, cancel_at: cancelAt }: ProviderDetails, now: number): boolean =>
  status === 'active' || (status === 'canceled' && atPeriodEnd && cancelAt !== null && cancelAt * 1_000 > now)

/** Whether a subscription that ends with its period is past that end at `now` (UTC ms), but still stored as active. */
export const hasRunOut = ({ cancelAtPeriodEnd, currentPeriodEnd, hasSubscription }: Subscription, now: number): boolean =>
  cancelAtPeriodEnd === true && hasSubscription === true && currentPeriodEnd !== undefined && momentMs(currentPeriodEnd) <= now

/** The stored fields of an expired subscription. */
export const runOut = { hasSubscription: false, subscriptionStatus: 'expired' } as const satisfies Subscription

/**
 * A stored subscription at `now` (UTC ms): by the provider's details if available, otherwise (null) by what is stored;
 * expired if its period is over.
 */
export const effectiveAt = (kept: Subscription, details: ProviderDetails | null, now: number): Subscription => {
  const merged: Subscription =
    details === null ? kept : { ...kept, active: isActive(details, now), subscriptionStatus: isActive(details, now) ? 'complete' : 'expired', cancelAtPeriodEnd: details.cancel_at_period_end }
  return hasRunOut(merged, now) ? { ...merged, ...runOut } : merged
}
