import type { Standing } from '#renderer/lib/standing.ts'
import { holdingPlan } from '#shared/plans/offer.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { effectiveAt } from '#shared/plans/subscription.ts'

/** The state of a user's plan, and until when; `at` is ISO 8601, null if unknown. */
export type PlanState =
  | { readonly kind: 'renews' | 'ends'; readonly plan: Plan; readonly at: string | null }
  | { readonly kind: 'unpaid' | 'ended'; readonly plan: Plan | null }
  | { readonly kind: 'none' }

/** The state of a plan at `now` (UTC ms), from a standing. */
export const planStateOf = ({ subscription, details }: Standing, now: number): PlanState => {
  if (subscription === null) return { kind: 'none' }
  const plan = holdingPlan(subscription, details, now)
  const effective = effectiveAt(subscription, details, now)
  if (plan !== null) {
    const cancelAt = details?.cancel_at ?? null
    const end = effective.currentPeriodEnd ?? null
    if (effective.cancelAtPeriodEnd !== true) return { kind: 'renews', plan, at: end }
    return { kind: 'ends', plan, at: cancelAt === null ? end : new Date(cancelAt * 1_000).toISOString() }
  }
  const last = effective.subscriptionType ?? null
  const owes = effective.paymentStatus !== 'paid' || details?.status === 'past_due'
  if (effective.hasSubscription === true && owes) return { kind: 'unpaid', plan: last }
  return last === null ? { kind: 'none' } : { kind: 'ended', plan: last }
}
