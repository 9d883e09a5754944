import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { webhookPath } from '#shared/api/cloud.ts'
import type { BodyGiven } from '#shared/api/route.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { cloudUser, type CloudClient } from '#tests/helpers/cloud-client.ts'
import type { Message } from '#tests/helpers/stripe/post.ts'
import { startStripe, type StripeStandIn } from '#tests/helpers/stripe/stripe.ts'

/** Where a browser goes after a checkout. */
export const returnTo = 'http://127.0.0.1:47615/checkout/return'
/** What is kept of a plan that holds. */
export const paid = { status: 'active', cancelAtPeriodEnd: false, hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', active: true }
/** What is kept of a subscription that is over. */
export const ended = { hasSubscription: false, subscriptionStatus: 'expired', active: false }

/** The address where a cloud receives the provider's messages. */
export const webhookOf = ({ url }: RunningCloud): string => `${url}${webhookPath}`

/** What the cloud says of a user's subscription. */
export const kept = async ({ call, userId }: CloudClient) => (await call(subscriptionRoutes.getSubscription, { query: { userId } })).subscription

/** The provider's message about an event. */
export const happening = ({ post }: StripeStandIn, what: () => void): readonly Message[] => {
  const before = post.messages().length
  what()
  return post.messages().slice(before)
}

/** The one of several that must be there. */
export const first = <T>(several: readonly T[]): T => {
  const [one] = several
  if (one === undefined) throw new Error('There is none')
  return one
}

/** Buys past the service, as if the user had had a checkout of their own; returns its id, and the provider's message. */
export const buy = (stripe: StripeStandIn, { userId }: Pick<CloudClient, 'userId'>, plan: Plan = 'tradecopier') => {
  const { books, prices } = stripe
  const customer = books.addCustomer({ userId })
  const metadata = { userId, plan }
  const checkout = books.addCheckout({ customer: customer.id, reference: userId, price: books.priceOf(prices[plan]), metadata, subscriptionMetadata: metadata, successUrl: returnTo, cancelUrl: returnTo })
  const messages = happening(stripe, () => void books.pay(checkout))
  return { customer: customer.id, checkout: checkout.id, subscription: String(checkout.subscription), messages }
}

/** A cloud of its own in which one user may buy, with its own provider that sends every message at once; both live as long as the test. */
export const openShop = async (databaseUrl: string, email: string) => {
  const provider = await startStripe()
  const subscriberId = `dev-${createHash('sha256').update(email).digest('hex').slice(0, 32)}`
  const cloud = await startCloud({ databaseUrl, env: { ...provider.env, FILLBOOK_CLOUD_SUBSCRIBER_USER_ID: subscriberId } })
  onTestFinished(async () => {
    await provider.stop()
    await cloud.stop()
  })
  provider.post.sendTo(webhookOf(cloud))
  const user = await cloudUser(cloud, email)
  const { userId } = user
  const urlOf = async (body: BodyGiven<typeof subscriptionRoutes.payments>): Promise<string> => {
    const answer = await user.call(subscriptionRoutes.payments, { body })
    return 'url' in answer ? answer.url : ''
  }
  return {
    provider,
    cloud,
    user,
    /** The page on which a plan is bought, or its change confirmed; it leads back to a program on its standard port, `returnTo`, unless another place is given. */
    checkoutUrl: (subscriptionType: Plan, back?: string) => urlOf({ userId, action: 'create-checkout-session', subscriptionType, ...(back === undefined ? {} : { returnTo: back }) }),
    portalUrl: () => urlOf({ userId, action: 'create-portal-session', returnTo }),
  }
}
