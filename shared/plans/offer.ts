import type { Role } from './checks.ts'
import { hasCopier, type Plan } from './plan.ts'
import { effectiveAt, type ProviderDetails, type Subscription } from './subscription.ts'

/** What a plan's button offers: `current` is the active plan, `included` the smaller one beside a copier plan, `not-sold` applies to everyone except the user who may buy. */
export type Offer = 'subscribe' | 'current' | 'included' | 'not-sold'

/** The plan that is active at `now` (UTC ms); null if none is. */
export const holdingPlan = (subscription: Subscription | null, details: ProviderDetails | null, now: number): Plan | null => {
  if (subscription === null) return null
  const { hasSubscription, subscriptionStatus, paymentStatus, subscriptionType } = effectiveAt(subscription, details, now)
  return hasSubscription === true && subscriptionStatus === 'complete' && paymentStatus === 'paid' ? (subscriptionType ?? null) : null
}

/** What a plan's button offers to a user whose plan is `holding`: the same on the screen and at checkout. */
export const offerOf = (plan: Plan, { role, holding }: { readonly role: Role; readonly holding: Plan | null }): Offer => {
  if (plan === holding) return 'current'
  if (plan === 'autosync' && holding !== null && hasCopier(holding)) return 'included'
  return role.subscriber ? 'subscribe' : 'not-sold'
}
