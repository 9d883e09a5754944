import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { newCheckout, newCustomer, newInvoice, newSubscription, planOf } from './shapes.ts'

/** Emits an event with the current state of an object. */
export type Publish = (type: string, object: object) => void

/** A page of the customer portal; `confirm` is there where it asks for one change only. */
export type Portal = {
  readonly id: string
  readonly customer: string
  readonly returnUrl: string | null
  readonly confirm: { readonly subscription: string; readonly item: string; readonly price: string; readonly doneUrl: string } | null
}

/** How the next payment of a subscription goes: `pending` is the hour in which the invoice is a draft. */
export type NextPayment = 'paid' | 'failed' | 'pending'

const month = 30 * 86_400
const seconds = (): number => Math.floor(Date.now() / 1_000)

/** All that the stand-in of the payment provider knows, and what can happen to it. */
export type Books = ReturnType<typeof openBooks>

/** Opens empty books; `pages` is where checkouts and portals are shown. */
export const openBooks = (prices: ReadonlyMap<string, Stripe.Price>, pages: () => string, publish: Publish) => {
  const customers = new Map<string, Stripe.Customer>()
  const checkouts = new Map<string, Stripe.Checkout.Session>()
  const bought = new Map<string, { price: Stripe.Price; metadata: Stripe.Metadata }>()
  const subscriptions = new Map<string, Stripe.Subscription>()
  const invoices = new Map<string, Stripe.Invoice>()
  const portals = new Map<string, Portal>()
  const mark = randomBytes(4).toString('hex')
  let made = 0
  const nextId = (kind: string): string => `${kind}_${mark}${String((made += 1)).padStart(4, '0')}`

  const kept = (id: string): Stripe.Subscription => {
    const found = subscriptions.get(id)
    if (found === undefined) throw new Error(`No subscription ${id}`)
    return found
  }
  const priceOf = (id: string): Stripe.Price => {
    const found = prices.get(id)
    if (found === undefined) throw new Error(`No price ${id}`)
    return found
  }
  const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem => {
    const [item] = subscription.items.data
    if (item === undefined) throw new Error(`Nothing is in ${subscription.id}`)
    return item
  }
  const latestInvoice = (subscription: Stripe.Subscription): Stripe.Invoice => {
    const found = typeof subscription.latest_invoice === 'string' ? invoices.get(subscription.latest_invoice) : undefined
    if (found === undefined) throw new Error(`No invoice of ${subscription.id}`)
    return found
  }

  const draft = (subscription: Stripe.Subscription, reason: Stripe.Invoice.BillingReason): Stripe.Invoice => {
    const invoice = newInvoice({ id: nextId('in'), subscription, reason, cents: itemOf(subscription).price.unit_amount ?? 0, at: seconds() })
    invoices.set(invoice.id, invoice)
    subscription.latest_invoice = invoice.id
    return invoice
  }
  const settle = (invoice: Stripe.Invoice): void => {
    Object.assign(invoice, { status: 'paid', attempted: true, attempt_count: invoice.attempt_count + 1, amount_paid: invoice.amount_due, amount_remaining: 0 })
    invoice.status_transitions.paid_at = seconds()
    publish('invoice.paid', invoice)
  }
  const updated = (subscription: Stripe.Subscription): void => publish('customer.subscription.updated', subscription)

  /** Moves all that is known of a subscription back in time, so that its period is over now: as if one had waited. */
  const waitForPeriodEnd = (subscription: Stripe.Subscription): void => {
    const item = itemOf(subscription)
    const waited = item.current_period_end - seconds()
    const back = (at: number | null): number | null => (at === null ? null : at - waited)
    Object.assign(subscription, { billing_cycle_anchor: subscription.billing_cycle_anchor - waited, created: subscription.created - waited, start_date: subscription.start_date - waited })
    Object.assign(subscription, { cancel_at: back(subscription.cancel_at), canceled_at: back(subscription.canceled_at) })
    Object.assign(item, { created: item.created - waited, current_period_start: item.current_period_start - waited, current_period_end: item.current_period_end - waited })
  }
  const end = (subscription: Stripe.Subscription): void => {
    Object.assign(subscription, { status: 'canceled', canceled_at: subscription.canceled_at ?? seconds(), ended_at: seconds() })
    publish('customer.subscription.deleted', subscription)
  }
  const charge = (subscription: Stripe.Subscription, how: NextPayment): void => {
    const invoice = latestInvoice(subscription)
    if (how === 'paid') {
      subscription.status = 'active'
      settle(invoice)
    }
    if (how === 'failed') {
      Object.assign(invoice, { status: 'open', attempted: true, attempt_count: invoice.attempt_count + 1 })
      subscription.status = 'past_due'
      publish('invoice.payment_failed', invoice)
    }
    updated(subscription)
  }

  return {
    customers,
    checkouts,
    subscriptions,
    invoices,
    portals,
    prices,
    priceOf,

    addCustomer: (metadata: Stripe.Metadata): Stripe.Customer => {
      const customer = newCustomer(nextId('cus'), metadata, seconds())
      customers.set(customer.id, customer)
      return customer
    },

    addCheckout: (wanted: { customer: string; reference: string | null; price: Stripe.Price; metadata: Stripe.Metadata; subscriptionMetadata: Stripe.Metadata; successUrl: string; cancelUrl: string | null }): Stripe.Checkout.Session => {
      const id = nextId('cs_test')
      const { customer, metadata, price } = wanted
      const checkout = newCheckout({ id, url: `${pages()}/pay/${id}`, customer, client_reference_id: wanted.reference, metadata, success_url: wanted.successUrl, cancel_url: wanted.cancelUrl, cents: price.unit_amount ?? 0, at: seconds() })
      checkouts.set(id, checkout)
      bought.set(id, { price, metadata: wanted.subscriptionMetadata })
      return checkout
    },

    /** Pays an open checkout; gives where the browser goes then. */
    pay: (checkout: Stripe.Checkout.Session): string => {
      const what = bought.get(checkout.id)
      if (checkout.status !== 'open' || what === undefined || typeof checkout.customer !== 'string') throw new Error(`${checkout.id} can not be paid`)
      const subscription = newSubscription({ id: nextId('sub'), itemId: nextId('si'), customer: checkout.customer, price: what.price, metadata: what.metadata, from: seconds(), to: seconds() + month })
      subscriptions.set(subscription.id, subscription)
      const invoice = draft(subscription, 'subscription_create')
      publish('customer.subscription.created', subscription)
      settle(invoice)
      Object.assign(checkout, { status: 'complete', payment_status: 'paid', subscription: subscription.id, invoice: invoice.id, url: null })
      publish('checkout.session.completed', checkout)
      return (checkout.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', checkout.id)
    },

    expire: (checkout: Stripe.Checkout.Session): void => {
      Object.assign(checkout, { status: 'expired', url: null })
      publish('checkout.session.expired', checkout)
    },

    addPortal: (wanted: Omit<Portal, 'id'>): Portal => {
      const portal = { ...wanted, id: nextId('bps') }
      portals.set(portal.id, portal)
      return portal
    },

    /** Says that a subscription ends with its period: by the flag, or by the date alone as newer accounts do. */
    announceEnd: (id: string, by: 'flag' | 'date' = 'flag'): void => {
      const subscription = kept(id)
      Object.assign(subscription, { cancel_at_period_end: by === 'flag', cancel_at: itemOf(subscription).current_period_end, canceled_at: seconds() })
      updated(subscription)
    },

    /** Takes an announced end back. */
    resume: (id: string): void => {
      const subscription = kept(id)
      Object.assign(subscription, { cancel_at_period_end: false, cancel_at: null, canceled_at: null })
      updated(subscription)
    },

    /** Ends a subscription at once, as the seller can. */
    cancelNow: (id: string): void => end(kept(id)),

    /** Moves a subscription to another price; the difference is paid. */
    changePrice: (id: string, priceId: string): void => {
      const [subscription, price] = [kept(id), priceOf(priceId)]
      Object.assign(itemOf(subscription), { price, plan: planOf(price) })
      settle(draft(subscription, 'subscription_update'))
      updated(subscription)
    },

    /** Lets the rest of a subscription's period pass: it ends where that was announced, else the next one begins and is paid or not. */
    passPeriod: (id: string, next: NextPayment = 'paid'): void => {
      const subscription = kept(id)
      waitForPeriodEnd(subscription)
      if (subscription.cancel_at !== null && subscription.cancel_at <= seconds()) return end(subscription)
      const item = itemOf(subscription)
      Object.assign(item, { current_period_start: item.current_period_end, current_period_end: item.current_period_end + month })
      draft(subscription, 'subscription_cycle')
      charge(subscription, next)
    },

    /** Tries the latest invoice of a subscription, again or for the first time. */
    charge: (id: string, how: NextPayment): void => charge(kept(id), how),
  }
}
