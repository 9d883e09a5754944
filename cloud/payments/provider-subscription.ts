import type Stripe from 'stripe'
import type { Plan } from '#shared/plans/plan.ts'
import { planTypes } from '#shared/plans/plan.ts'
import { isActive } from '#shared/plans/subscription.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import type { PaymentSettings } from '../settings.ts'

/** A subscription at the payment provider, with the item that names its plan. */
export type ProviderSubscription = {
  readonly subscription: Stripe.Subscription
  readonly item: Stripe.SubscriptionItem
  /** Null if its price is not one of ours. */
  readonly plan: Plan | null
}

/** The plan of a price. */
export type PlanOfPrice = (priceId: string) => Plan | null

/** Maps prices by the settings, including earlier ones. */
export const planOfPriceBy =
  ({ prices, earlierPrices }: Pick<PaymentSettings, 'prices' | 'earlierPrices'>): PlanOfPrice =>
  (priceId) =>
    planTypes.find((plan) => prices[plan] === priceId || earlierPrices[plan].includes(priceId)) ?? null

/** Whether a subscription ends with the current period. Newer accounts only report the date. */
const endsWithPeriod = ({ cancel_at_period_end: flag, cancel_at: at }: Stripe.Subscription, { current_period_end: periodEnd }: Stripe.SubscriptionItem): boolean => flag || (at !== null && at <= periodEnd)

/** A subscription in the contract's five fields; times are Unix seconds. */
export const detailsOf = ({ subscription, item }: ProviderSubscription): ProviderDetails => ({
  status: subscription.status,
  cancel_at_period_end: endsWithPeriod(subscription, item),
  billing_cycle_anchor: subscription.billing_cycle_anchor,
  start_date: subscription.start_date,
  cancel_at: subscription.cancel_at,
})

/** Whether a subscription is running at the provider, paid or not: a second one would be charged too. */
export const isRunning = ({ subscription: { status } }: ProviderSubscription): boolean => ['active', 'trialing', 'past_due', 'unpaid', 'paused'].includes(status)

/** Whether a subscription keeps being charged unless canceled. */
export const goesOn = (current: ProviderSubscription): boolean => isRunning(current) && !detailsOf(current).cancel_at_period_end

const paymentStatusOf = ({ status, latest_invoice: invoice }: Stripe.Subscription): string => {
  if (invoice === null || typeof invoice === 'string') return 'unpaid'
  // For an hour a renewal is a draft that no one has tried to charge, and a bank debit takes days to arrive. While the
  // provider expects it, the earlier payment counts; if the charge fails, the subscription is no longer active.
  const follows = invoice.billing_reason === 'subscription_cycle' || invoice.billing_reason === 'subscription_update'
  const onItsWay = status === 'active' && follows && (invoice.status === 'draft' || invoice.status === 'open')
  return onItsWay ? 'paid' : (invoice.status ?? 'unpaid')
}

/** Whether a subscription includes its plan at `now` (UTC ms): one of ours that is active and paid. */
export const givesPlan = (current: ProviderSubscription, now: number): boolean => current.plan !== null && isActive(detailsOf(current), now) && paymentStatusOf(current.subscription) === 'paid'

const rankOf = (current: ProviderSubscription, now: number): readonly number[] => {
  const { subscription, plan } = current
  return [Number(givesPlan(current, now)), Number(isRunning(current)), sizeOf(plan), subscription.created]
}

const sizeOf = (plan: Plan | null): number => (plan === null ? -1 : planTypes.indexOf(plan))

/** The subscription of a user that counts at `now` (UTC ms): one with an active plan before one that is only running, then the larger plan, then the newer one. */
export const bestOf = (subscriptions: readonly Stripe.Subscription[], planOf: PlanOfPrice, now: number): ProviderSubscription | null =>
  standingsOf(subscriptions, planOf).toSorted((one, other) => compare(rankOf(other, now), rankOf(one, now)))[0] ?? null

/** Each subscription with the item that names its plan, of several items the largest plan. */
export const standingsOf = (subscriptions: readonly Stripe.Subscription[], planOf: PlanOfPrice): readonly ProviderSubscription[] =>
  subscriptions.flatMap((subscription): ProviderSubscription[] => {
    const items = subscription.items.data.map((item) => ({ item, plan: planOf(item.price.id) }))
    const [first] = items.toSorted((one, other) => sizeOf(other.plan) - sizeOf(one.plan))
    return first === undefined ? [] : [{ subscription, ...first }]
  })

const compare = (one: readonly number[], other: readonly number[]): number => one.map((rank, index) => rank - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0

const moment = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** The id of something that may be expanded. */
export const idOf = (given: string | { readonly id: string } | null): string | null => (typeof given === 'string' ? given : (given?.id ?? null))

/** The subscription to save for a user at `now` (UTC ms); `kept` is the previous one. */
export const keptOf = (userId: string, kept: Subscription | null, current: ProviderSubscription, now: number): Subscription => {
  const { subscription, item, plan } = current
  const details = detailsOf(current)
  const active = isActive(details, now)
  const endsAt = details.cancel_at_period_end && subscription.cancel_at !== null ? subscription.cancel_at : item.current_period_end
  return {
    ...kept,
    userId,
    status: active ? 'active' : subscription.status,
    firstPaymentDate: kept?.firstPaymentDate ?? moment(subscription.start_date),
    cancelAtPeriodEnd: details.cancel_at_period_end,
    stripeCustomerId: idOf(subscription.customer) ?? kept?.stripeCustomerId,
    subscriptionType: plan ?? undefined,
    currentPeriodStart: moment(item.current_period_start),
    currentPeriodEnd: moment(endsAt),
    hasSubscription: active || isRunning(current),
    subscriptionStatus: active ? 'complete' : 'expired',
    paymentStatus: paymentStatusOf(subscription),
    active,
  }
}
