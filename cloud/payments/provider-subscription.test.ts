import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { Subscription } from '#shared/plans/subscription.ts'
import { newInvoice, newPrice, newSubscription } from '#tests/helpers/stripe/shapes.ts'
import { bestOf, detailsOf, keptOf, planOfPriceBy } from './provider-subscription.ts'

const day = 86_400
const now = Date.UTC(2026, 10, 21)
const today = now / 1_000
const [from, to] = [today - 10 * day, today + 20 * day]
const prices = { autosync: 'p_autosync', tradecopier: 'p_1', 'tradecopier-mid': 'p_2', 'tradecopier-enterprise': 'p_3' }
const planOf = planOfPriceBy({ prices, earlierPrices: { autosync: [], tradecopier: ['p_1_before', 'p_1_at_first'], 'tradecopier-mid': [], 'tradecopier-enterprise': [] } })
const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString()

type Changes = { readonly id?: string; readonly price?: string; readonly invoice?: Partial<Stripe.Invoice> | null } & Partial<Omit<Stripe.Subscription, 'id' | 'latest_invoice'>>

const sold = ({ id = 'sub_1', price = prices.tradecopier, invoice = { status: 'paid' }, ...changes }: Changes = {}): Stripe.Subscription => {
  const subscription = newSubscription({ id, itemId: `${id}_item`, customer: 'cus_1', price: newPrice(price, 2_900), metadata: { userId: 'ann' }, from, to })
  const latest = invoice === null ? null : { ...newInvoice({ id: `${id}_invoice`, subscription, reason: 'subscription_create', cents: 2_900, at: from }), ...invoice }
  return { ...subscription, ...changes, latest_invoice: latest }
}
const kept = (changes: Changes, before: Subscription | null = null): Subscription => {
  const standing = bestOf([sold(changes)], planOf, now)
  if (standing === null) throw new Error('Nothing was sold')
  return keptOf('ann', before, standing, now)
}

const whole = {
  userId: 'ann', status: 'active', firstPaymentDate: iso(from), cancelAtPeriodEnd: false, stripeCustomerId: 'cus_1', subscriptionType: 'tradecopier',
  currentPeriodStart: iso(from), currentPeriodEnd: iso(to), hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', active: true,
}
const lapsed = { subscriptionStatus: 'expired', active: false }
const ended = { ...lapsed, hasSubscription: false }

test.each<[string, Changes, object]>([
  ['active and paid', {}, {}],
  ['its end announced', { cancel_at_period_end: true, cancel_at: to }, { cancelAtPeriodEnd: true }],
  ['its end announced by the date alone', { cancel_at: to }, { cancelAtPeriodEnd: true }],
  ['an end within the period', { cancel_at: to - day }, { cancelAtPeriodEnd: true, currentPeriodEnd: iso(to - day) }],
  ['an end in a later period', { cancel_at: to + 40 * day }, {}],
  ['canceled, and its announced end still to come', { status: 'canceled', cancel_at_period_end: true, cancel_at: to }, { cancelAtPeriodEnd: true }],
  ['canceled, and its announced end is past', { status: 'canceled', cancel_at_period_end: true, cancel_at: today - 1 }, { ...ended, status: 'canceled', cancelAtPeriodEnd: true, currentPeriodEnd: iso(today - 1) }],
  ['canceled at this very second', { status: 'canceled', cancel_at_period_end: true, cancel_at: today }, { ...ended, status: 'canceled', cancelAtPeriodEnd: true, currentPeriodEnd: iso(today) }],
  ['canceled at once', { status: 'canceled' }, { ...ended, status: 'canceled' }],
  ['a renewal that failed', { status: 'past_due', invoice: { status: 'open', attempted: true } }, { ...lapsed, status: 'past_due', paymentStatus: 'open' }],
  ['given up on', { status: 'unpaid', invoice: { status: 'uncollectible' } }, { ...lapsed, status: 'unpaid', paymentStatus: 'uncollectible' }],
  ['paused', { status: 'paused' }, { ...lapsed, status: 'paused' }],
  ['a first payment under way', { status: 'incomplete', invoice: { status: 'open' } }, { ...ended, status: 'incomplete', paymentStatus: 'open' }],
  ['a first payment that never came', { status: 'incomplete_expired', invoice: { status: 'void' } }, { ...ended, status: 'incomplete_expired', paymentStatus: 'void' }],
  ['a renewal that was tried and takes days to arrive, as from a bank account', { invoice: { status: 'open', attempted: true, billing_reason: 'subscription_cycle' } }, {}],
  ['a larger plan whose difference takes days to arrive', { invoice: { status: 'open', attempted: true, billing_reason: 'subscription_update' } }, {}],
  ['a first payment that takes days to arrive', { invoice: { status: 'open', attempted: true } }, { paymentStatus: 'open' }],
  ['a renewal that was given up on, though it is active', { invoice: { status: 'uncollectible', attempted: true, billing_reason: 'subscription_cycle' } }, { paymentStatus: 'uncollectible' }],
  ['a larger plan whose difference is owed', { status: 'past_due', invoice: { status: 'open', attempted: true, billing_reason: 'subscription_update' } }, { ...lapsed, status: 'past_due', paymentStatus: 'open' }],
  ['active with a first bill nobody tried', { invoice: { status: 'open' } }, { paymentStatus: 'open' }],
  ['the hour in which the renewal is a draft', { invoice: { status: 'draft', billing_reason: 'subscription_cycle' } }, {}],
  ['the moment in which the renewal is about to be tried', { invoice: { status: 'open', billing_reason: 'subscription_cycle' } }, {}],
  ['a draft of a renewal of what is not active', { status: 'unpaid', invoice: { status: 'draft', billing_reason: 'subscription_cycle' } }, { ...lapsed, status: 'unpaid', paymentStatus: 'draft' }],
  ['a bill that nobody has seen', { invoice: null }, { paymentStatus: 'unpaid' }],
  ['a price at which the plan is sold no more', { price: 'p_1_at_first' }, {}],
  ['a price that is none of ours', { price: 'p_of_another_product' }, { subscriptionType: undefined }],
])('%s', (_what, changes, expected) => {
  expect(kept(changes)).toEqual({ ...whole, ...expected })
})

test('saved fields stay, except those from the provider', () => {
  const before = { userId: 'ann', status: 'active', firstPaymentDate: '2025-01-01T00:00:00.000Z', cancelAtPeriodEnd: true, subscriptionType: 'autosync', hasSubscription: false, subscriptionStatus: 'expired' } as const
  expect(kept({}, before)).toEqual({ ...whole, firstPaymentDate: before.firstPaymentDate })
  expect(kept({ price: 'p_of_another_product' }, before).subscriptionType).toBeUndefined()
})

test.each<[string, readonly Changes[], string | null]>([
  ['none at all', [], null],
  ['the larger of two plans', [{ id: 'small', price: prices.autosync }, { id: 'large', price: prices['tradecopier-mid'] }], 'large'],
  ['the one that runs, though it is smaller', [{ id: 'ended', price: prices['tradecopier-enterprise'], status: 'canceled' }, { id: 'runs', price: prices.autosync }], 'runs'],
  ['the one that is paid, though it is smaller', [{ id: 'owing', price: prices['tradecopier-enterprise'], status: 'past_due', invoice: { status: 'open' } }, { id: 'paid', price: prices.autosync }], 'paid'],
  ['the one of ours, though the other runs', [{ id: 'strange', price: 'p_x' }, { id: 'ours', price: prices.autosync }], 'ours'],
  ['what owes before what ended', [{ id: 'ended', status: 'canceled' }, { id: 'owing', status: 'past_due', invoice: { status: 'open' } }], 'owing'],
  ['the newer of two that ended', [{ id: 'newer', status: 'canceled', created: 2 }, { id: 'older', status: 'canceled', created: 1 }], 'newer'],
])('of several counts %s', (_what, several, expected) => {
  for (const order of [several, several.toReversed()]) expect(bestOf(order.map(sold), planOf, now)?.subscription.id ?? null).toBe(expected)
})

test('of several items the largest plan counts', () => {
  const [one, other] = [sold(), sold({ id: 'sub_2', price: prices['tradecopier-enterprise'] })]
  one.items.data.push(...other.items.data)
  expect(bestOf([one], planOf, now)).toMatchObject({ plan: 'tradecopier-enterprise', item: { id: 'sub_2_item' } })
})

test('the details are the provider’s, with an end by date shown as one by the flag', () => {
  const standing = bestOf([sold({ cancel_at: to })], planOf, now)
  expect(standing === null ? null : detailsOf(standing)).toEqual({ status: 'active', cancel_at_period_end: true, billing_cycle_anchor: from, start_date: from, cancel_at: to })
})
