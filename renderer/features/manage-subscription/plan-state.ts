import type { Standing } from '#renderer/lib/standing.ts'
import { holdingPlan } from '#shared/plans/offer.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { effectiveAt } from '#shared/plans/subscription.ts'

/** How it stands with a user's plan, and until when; `at` is ISO 8601, null where it is not known. */
export type PlanState =
  | { readonly kind: 'renews' | 'ends'; readonly plan: Plan; readonly at: string | null }
  | { readonly kind: 'unpaid' | 'ended'; readonly plan: Plan | null }
  | { readonly kind: 'none' }

/** Tells a plan's state at `now` (UTC ms) from a standing. */
export const planStateOf = ({ subscription, details }: Standing, now: number): PlanState => {
  if (subscription === null) return { kind: 'none' }
  const plan = holdingPlan(subscription, details, now)
  const stands = effectiveAt(subscription, details, now)
  if (plan !== null) {
    const cancelAt = details?.cancel_at ?? null
    const end = stands.currentPeriodEnd ?? null
    if (stands.cancelAtPeriodEnd !== true) return { kind: 'renews', plan, at: end }
    return { kind: 'ends', plan, at: cancelAt === null ? end : new Date(cancelAt * 1_000).toISOString() }
  }
  const last = stands.subscriptionType ?? null
  const owes = stands.paymentStatus !== 'paid' || details?.status === 'past_due'
  if (stands.hasSubscription === true && owes) return { kind: 'unpaid', plan: last }
  return last === null ? { kind: 'none' } : { kind: 'ended', plan: last }
}
