import type Stripe from 'stripe'
import type { Log } from '#shared/base/log.ts'
import type { PaymentSettings } from '../settings.ts'
import type { Payments } from '../store/payments.ts'
import type { Subscriptions } from '../store/subscriptions.ts'
import { bestOf, goesOn, idOf, keptOf, planOfPriceBy, standingsOf, type ProviderSubscription } from './provider-subscription.ts'
import { openStripe, subscriptionsOf } from './stripe-client.ts'

/** Dependencies of payments; `now` returns UTC ms. */
export type PaymentDeps = {
  readonly settings: PaymentSettings
  readonly payments: Payments
  readonly subscriptions: Subscriptions
  readonly now: () => number
  readonly log: Log
}

/** The service's calls to the payment provider. */
export type PaymentService = PaymentDeps & {
  readonly stripe: Stripe
  /** A user's subscription at the provider, over these customers; null if there never was one. Writes nothing. */
  readonly standingOf: (userId: string, customers: readonly string[]) => Promise<ProviderSubscription | null>
  /** Whether any subscription of these customers keeps being charged. */
  readonly isCharged: (userId: string, customers: readonly string[]) => Promise<boolean>
  /** A user's customer ids, the current one first; none before the first checkout. */
  readonly customersOf: (userId: string) => Promise<readonly string[]>
  /**
   * Fetches a customer's subscriptions from the provider and saves the result, for the user named in their metadata, or
   * only for `userId` if given. Returns the current subscription; null if nothing was bought.
   */
  readonly catchUp: (customer: string, by: { readonly userId: string | null; readonly eventId: string | null }) => Promise<ProviderSubscription | null>
}

/** Metadata on every purchase that identifies its user. */
export const metadataOf = (userId: string, plan: string): Stripe.MetadataParam => ({ userId, plan })

/** Opens the service; the first call contacts the provider. */
export const openPaymentService = (deps: PaymentDeps): PaymentService => {
  const { settings, payments, subscriptions, now, log } = deps
  const stripe = openStripe(settings)
  const planOf = planOfPriceBy(settings)
  const listed = async (customers: readonly string[]): Promise<readonly Stripe.Subscription[]> => (await Promise.all(customers.map((customer) => subscriptionsOf(stripe, customer)))).flat()
  const ownOf = (userId: string, all: readonly Stripe.Subscription[]): readonly Stripe.Subscription[] => all.filter(({ metadata }) => metadata['userId'] === userId)
  const customersOf = async (userId: string): Promise<readonly string[]> => {
    const named = [...(await payments.customersOf(userId)), (await subscriptions.get(userId))?.stripeCustomerId]
    return [...new Set(named.filter((customer) => customer !== undefined))]
  }

  return {
    ...deps,
    stripe,
    customersOf,
    standingOf: async (userId, customers) => bestOf(ownOf(userId, await listed(customers)), planOf, now()),
    isCharged: async (userId, customers) => standingsOf(ownOf(userId, await listed(customers)), planOf).some(goesOn),
    catchUp: async (customer, { userId: wanted, eventId }) => {
      // Taken before the request: of two answers the one with the higher ticket cannot be the older.
      const ticket = await payments.nextTicket()
      const bought = await listed([customer])
      const userId = wanted ?? bought.map(({ metadata }) => metadata['userId']).find((named) => named !== undefined)
      if (userId === undefined) return null
      const others = (await customersOf(userId)).filter((known) => known !== customer)
      const own = ownOf(userId, [...bought, ...(await listed(others))])
      const current = bestOf(own, planOf, now())
      if (current === null) return null
      // The user pays twice but has one: the operator must cancel and refund the other.
      if (standingsOf(own, planOf).filter(goesOn).length > 1) log.error({ event: eventId }, 'user has several subscriptions')
      const customers = [...new Set([idOf(current.subscription.customer) ?? customer, customer, ...others])]
      await payments.keep(userId, { ticket, customers, eventId, now: now(), change: (kept) => keptOf(userId, kept, current, now()) })
      return current
    },
  }
}
