import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Role } from '#shared/plans/checks.ts'
import { holdingPlan, offerOf } from '#shared/plans/offer.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { metadataOf, type PaymentService } from './service.ts'
import { isRunning, keptOf, type ProviderSubscription } from './provider-subscription.ts'
import { asked, isMissing } from './stripe-client.ts'

/** Who wants to buy which plan, and where their browser returns to. */
export type CheckoutRequest = { readonly userId: string; readonly role: Role; readonly plan: Plan; readonly returnTo: string }

// The provider's limit of this field; the buyer is read from the metadata.
const longestReference = 200

/** A return URL with the outcome of a payment added to its parameters. */
const returnWith = (returnTo: string, payment: 'success' | 'cancelled' | 'changed'): URL => {
  const url = new URL(returnTo)
  url.searchParams.set('payment', payment)
  return url
}

/** The same after success; the provider replaces this exact text by the checkout's id. */
const successUrl = (returnTo: string): string => {
  const url = returnWith(returnTo, 'success')
  const { hash } = url
  url.hash = ''
  return `${url.href}&session_id={CHECKOUT_SESSION_ID}${hash}`
}

const refusedOffer = (plan: Plan, role: Role, holding: Plan | null): Refused | null => {
  const offer = offerOf(plan, { role, holding })
  if (offer === 'subscribe') return null
  return { code: offer === 'not-sold' ? 'not-sold' : 'already-subscribed' }
}

/**
 * The URL for buying a plan. A user with a running subscription confirms its change there instead, or pays for it
 * first, so that no one pays for two. Decides by the provider's current state, not by what is stored.
 */
export const beginCheckout = async (service: PaymentService, request: CheckoutRequest): Promise<Result<{ url: string }, Refused>> => {
  const { userId, role, plan } = request
  const kept = await service.subscriptions.get(userId)
  const customers = await service.customersOf(userId)
  const answer = await asked(service.log, async () => {
    const current = await service.standingOf(userId, customers)
    const refused = refusedOffer(plan, role, current === null ? null : holdingPlan(keptOf(userId, kept, current, service.now()), null, service.now()))
    if (refused !== null) return refused
    if (current !== null && isRunning(current)) return { url: await changeUrl(service, current, request) }
    return { url: await checkoutUrl(service, request, customers[0] ?? null) }
  })
  if (!answer.ok) return answer
  if ('code' in answer.value) return { ok: false, error: answer.value }
  return answer.value.url === null ? refuse('payments-unreachable') : ok({ url: answer.value.url })
}

const changeUrl = async ({ stripe, settings }: PaymentService, { subscription, item, plan: before }: ProviderSubscription, { plan, returnTo }: CheckoutRequest): Promise<string> => {
  const customer = typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id
  // The one-step page only takes a change of a subscription that is paid and continues; anything else needs the whole portal.
  const canConfirm = subscription.status === 'active' && subscription.cancel_at === null && !subscription.cancel_at_period_end && before !== plan
  const flow: Stripe.BillingPortal.SessionCreateParams.FlowData = {
    type: 'subscription_update_confirm',
    subscription_update_confirm: { subscription: subscription.id, items: [{ id: item.id, price: settings.prices[plan], quantity: 1 }] },
    after_completion: { type: 'redirect', redirect: { return_url: returnWith(returnTo, 'changed').href } },
  }
  const session = await stripe.billingPortal.sessions.create({ customer, return_url: returnWith(returnTo, canConfirm ? 'cancelled' : 'changed').href, ...(canConfirm ? { flow_data: flow } : {}) })
  return session.url
}

const checkoutUrl = async (service: PaymentService, request: CheckoutRequest, known: string | null): Promise<string | null> => {
  const customer = known ?? (await newCustomer(service, request.userId, null))
  try {
    return await newCheckout(service, request, customer)
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error
    // Deleted there, or from the time of another key.
    return newCheckout(service, request, await newCustomer(service, request.userId, customer))
  }
}

/** Creates a customer for a user; `before` is a deleted one. Idempotent within a day. */
const newCustomer = async ({ stripe, payments }: PaymentService, userId: string, before: string | null): Promise<string> => {
  const idempotencyKey = `customer-${createHash('sha256').update(JSON.stringify([userId, before])).digest('hex')}`
  const { id } = await stripe.customers.create({ metadata: { userId } }, { idempotencyKey })
  return payments.nameCustomer(userId, id, before)
}

const newCheckout = async ({ stripe, settings }: PaymentService, { userId, plan, returnTo }: CheckoutRequest, customer: string): Promise<string | null> => {
  // An abandoned window must not become a second subscription.
  await closeCheckouts(stripe, customer)
  const metadata = metadataOf(userId, plan)
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    ...(userId.length > longestReference ? {} : { client_reference_id: userId }),
    line_items: [{ price: settings.prices[plan], quantity: 1 }],
    metadata,
    subscription_data: { metadata },
    success_url: successUrl(returnTo),
    cancel_url: returnWith(returnTo, 'cancelled').href,
  })
  return session.url
}

/** Expires every unpaid checkout of a customer; throws if one was paid meanwhile, or the customer does not exist. */
export const closeCheckouts = async (stripe: Stripe, customer: string): Promise<void> => {
  const { data: open } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  for (const { id } of open) await closeCheckout(stripe, id)
}

const closeCheckout = async (stripe: Stripe, id: string): Promise<void> => {
  try {
    await stripe.checkout.sessions.expire(id)
  } catch (error) {
    // A concurrent checkout of the user may have closed it; one that was paid meanwhile is an error.
    if ((await stripe.checkout.sessions.retrieve(id)).status !== 'expired') throw error
  }
}
