import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deleteCloudAccount } from '#shared/api/cloud.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { cloudUser, type CloudClient } from '#tests/helpers/cloud-client.ts'
import { sharedPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'
import { startStripe, type StripeStandIn } from '#tests/helpers/stripe/stripe.ts'
import { buy, ended, first, happening, kept, openShop, paid, returnTo, webhookOf } from './shop.ts'

const { payments } = subscriptionRoutes

let postgres: PostgresServer
let databaseUrl: string
let stripe: StripeStandIn
let cloud: RunningCloud
let people = 0

beforeAll(async () => {
  postgres = await sharedPostgres()
  databaseUrl = await postgres.newDatabase()
  stripe = await startStripe()
  stripe.post.hold()
  cloud = await startCloud({ databaseUrl, env: stripe.env })
  stripe.post.sendTo(webhookOf(cloud))
})
afterAll(async () => {
  await cloud.stop()
  await stripe.stop()
  await postgres.stop()
})

const newUser = (): Promise<CloudClient> => cloudUser(cloud, `payer-${String((people += 1))}@example.com`)

test('buying a plan: the checkout names its user, and the plan is valid once the message has arrived', async () => {
  const { provider, user, checkoutUrl, portalUrl } = await openShop(databaseUrl, 'buys@example.com')
  const { userId } = user
  const url = await checkoutUrl('tradecopier')
  const [checkout] = [...provider.books.checkouts.values()]
  expect(checkout).toMatchObject({ url, mode: 'subscription', client_reference_id: userId, metadata: { userId, plan: 'tradecopier' }, amount_total: 2_900, cancel_url: `${returnTo}?payment=cancelled` })
  expect(await kept(user)).toBeNull()

  const goesTo = await provider.press(url, 'pay')
  expect(goesTo).toBe(`${returnTo}?payment=success&session_id=${checkout?.id ?? ''}`)
  await provider.post.settled()
  const [subscription] = [...provider.books.subscriptions.values()]
  const customer = String(subscription?.customer)
  const period = subscription?.items.data[0]
  const iso = (seconds = 0): string => new Date(seconds * 1_000).toISOString()
  expect(await kept(user)).toEqual({
    userId, ...paid, subscriptionType: 'tradecopier', stripeCustomerId: customer,
    firstPaymentDate: iso(subscription?.start_date), currentPeriodStart: iso(period?.current_period_start), currentPeriodEnd: iso(period?.current_period_end),
  })
  expect(provider.post.messages().map(({ statuses }) => statuses)).toEqual([[200], [200], [200]])
  expect(await user.call(payments, { body: { userId, action: 'check-subscription', sessionId: checkout?.id ?? '' } })).toEqual({ active: true, subscriptionType: 'tradecopier', stripeCustomerId: customer })
  expect(await user.call(payments, { body: { action: 'get-subscription-details', stripeCustomerId: customer } })).toEqual({
    success: true,
    subscription: { status: 'active', cancel_at_period_end: false, billing_cycle_anchor: subscription?.billing_cycle_anchor, start_date: subscription?.start_date, cancel_at: null },
  })
  expect((await fetch(await portalUrl())).status).toBe(200)
})

test('a user with a plan confirms another one instead of paying for two', { tags: 'long' }, async () => {
  const { provider, user, checkoutUrl } = await openShop(databaseUrl, 'moves-up@example.com')
  await provider.press(await checkoutUrl('tradecopier'), 'pay')
  await provider.post.settled()
  for (const subscriptionType of ['tradecopier', 'autosync'] as const) {
    expect(await user.fail(payments, { body: { userId: user.userId, action: 'create-checkout-session', subscriptionType, returnTo } })).toMatchObject({ status: 409, error: 'Failed to create checkout session', code: 'already-subscribed' })
  }
  expect(await provider.press(await checkoutUrl('tradecopier-enterprise'), 'confirm')).toBe(`${returnTo}?payment=changed`)
  await provider.post.settled()
  expect(await kept(user)).toMatchObject({ ...paid, subscriptionType: 'tradecopier-enterprise' })
  expect([provider.books.subscriptions.size, provider.books.customers.size]).toEqual([1, 1])
})

test('a past-due plan is paid before another is bought, and a canceled one can be resumed', { tags: 'long' }, async () => {
  const { provider, user, checkoutUrl, portalUrl } = await openShop(databaseUrl, 'owes@example.com')
  await provider.press(await checkoutUrl('autosync'), 'pay')
  const [id = ''] = [...provider.books.subscriptions.keys()]
  provider.books.passPeriod(id, 'failed')
  await provider.post.settled()
  expect(await kept(user)).toMatchObject({ status: 'past_due', hasSubscription: true, subscriptionStatus: 'expired', paymentStatus: 'open', active: false })
  await provider.press(await checkoutUrl('autosync'), `pay ${id}`)
  await provider.press(await portalUrl(), `cancel ${id}`)
  await provider.post.settled()
  expect(await kept(user)).toMatchObject({ ...paid, cancelAtPeriodEnd: true })
  await provider.press(await checkoutUrl('tradecopier'), `keep ${id}`)
  await provider.post.settled()
  expect(await kept(user)).toMatchObject({ ...paid, cancelAtPeriodEnd: false, subscriptionType: 'autosync' })
  expect(provider.books.subscriptions.size).toBe(1)
})

test('a late message does not let a user pay twice', { tags: 'long' }, async () => {
  const { provider, user, checkoutUrl } = await openShop(databaseUrl, 'impatient@example.com')
  provider.post.hold()
  const [left, second] = [await checkoutUrl('autosync'), await checkoutUrl('autosync')]
  expect([...provider.books.checkouts.values()].map(({ status }) => status)).toEqual(['expired', 'open'])
  expect(await provider.press(left, 'pay')).toBeNull()
  await provider.press(second, 'pay')
  expect(await kept(user)).toBeNull()
  expect(await user.fail(payments, { body: { userId: user.userId, action: 'create-checkout-session', subscriptionType: 'autosync', returnTo } })).toMatchObject({ status: 409, code: 'already-subscribed' })
  await provider.post.release()
  expect(await kept(user)).toMatchObject(paid)
})

test('a user is one customer, however often they start a checkout, and gets a new one if that was deleted', { tags: 'long' }, async () => {
  const { provider, checkoutUrl } = await openShop(databaseUrl, 'begins@example.com')
  const urls = await Promise.all([checkoutUrl('autosync'), checkoutUrl('tradecopier'), checkoutUrl('autosync')])
  expect(urls.every((url) => url.startsWith(provider.url))).toBe(true)
  expect(provider.books.customers.size).toBe(1)
  provider.books.customers.clear()
  await provider.press(await checkoutUrl('autosync'), 'pay')
  await provider.post.settled()
  const [customer] = [...provider.books.customers.keys()]
  expect([...provider.books.subscriptions.values()].map((subscription) => subscription.customer)).toEqual([customer])
})

test('an email that returns keeps its plan', { tags: 'long' }, async () => {
  const { provider, checkoutUrl } = await openShop(databaseUrl, 'has-query@example.com')
  const back = 'http://127.0.0.1:47615/checkout/return?a=%7B1%7D#/place?b=2'
  const goesTo = new URL((await provider.press(await checkoutUrl('autosync', back), 'pay')) ?? '')
  expect([goesTo.searchParams.get('a'), goesTo.searchParams.get('payment'), goesTo.searchParams.get('session_id')?.startsWith('cs_test_'), goesTo.hash]).toEqual(['{1}', 'success', true, '#/place?b=2'])
})

test.each(['before', 'after', 'without'] as const)('the check of a checkout %s its messages gives the same', async (order) => {
  const user = await newUser()
  const { messages, checkout, customer } = buy(stripe, user, 'autosync')
  if (order === 'after') await stripe.post.deliverAll(messages)
  expect(await user.call(payments, { body: { userId: user.userId, action: 'check-subscription', sessionId: checkout } })).toEqual({ active: true, subscriptionType: 'autosync', stripeCustomerId: customer })
  const checked = await kept(user)
  expect(checked).toMatchObject({ ...paid, subscriptionType: 'autosync' })
  if (order === 'before') expect(await stripe.post.deliverAll(messages)).toEqual([200, 200, 200])
  expect(await kept(user)).toEqual(checked)
})

test('a first payment that takes days to arrive does not count as paid', async () => {
  const user = await newUser()
  const { checkout, customer, subscription, messages } = buy(stripe, user, 'autosync')
  const invoice = stripe.books.invoices.get(String(stripe.books.subscriptions.get(subscription)?.latest_invoice))
  if (invoice === undefined) throw new Error('There is no invoice')
  Object.assign(invoice, { status: 'open', attempted: true })
  const check = () => user.call(payments, { body: { userId: user.userId, action: 'check-subscription', sessionId: checkout } })
  expect(await check()).toEqual({ active: false, subscriptionType: 'autosync', stripeCustomerId: customer })
  expect(await kept(user)).toMatchObject({ status: 'active', paymentStatus: 'open' })
  invoice.status = 'paid'
  await stripe.post.deliverAll(messages)
  expect([await kept(user), (await check())]).toMatchObject([paid, { active: true }])
})

test('a deleted account cannot complete an earlier checkout', async () => {
  const { provider, user, checkoutUrl } = await openShop(databaseUrl, 'leaves@example.com')
  const left = await checkoutUrl('autosync')
  expect(await user.call(deleteCloudAccount, { body: { userId: user.userId } })).toEqual({ success: true })
  expect(await provider.press(left, 'pay')).toBeNull()
  expect(provider.books.subscriptions.size).toBe(0)
})

test("no user gets a plan by another's payment, or by an unpaid one", async () => {
  const [ann, bob] = [await newUser(), await newUser()]
  const { checkout, customer, messages } = buy(stripe, ann)
  await stripe.post.deliverAll(messages)
  const failures = [
    [{ userId: bob.userId, action: 'check-subscription', sessionId: checkout }, { status: 404, code: 'unknown-checkout', error: 'Subscription check failed' }],
    [{ userId: bob.userId, action: 'check-subscription', sessionId: 'cs_test_made_up' }, { status: 404, code: 'unknown-checkout', error: 'Subscription check failed' }],
    [{ userId: ann.userId, action: 'check-subscription', sessionId: checkout }, { status: 403, code: 'not-this-user', error: 'Subscription check failed' }],
    [{ action: 'get-subscription-details', stripeCustomerId: customer }, { status: 403, code: 'not-this-user', error: 'Subscription check failed' }],
    [{ userId: bob.userId, action: 'create-portal-session', returnTo }, { status: 404, code: 'not-found', error: 'Failed to create checkout session' }],
    [{ userId: bob.userId, action: 'create-checkout-session', subscriptionType: 'autosync', returnTo }, { status: 403, code: 'not-sold', error: 'Failed to create checkout session' }],
    [{ userId: bob.userId, action: 'create-checkout-session', subscriptionType: 'autosync', returnTo: 'https://somewhere.example/' }, { status: 400, code: 'invalid-request' }],
    // The host is the part after the @.
    [{ userId: bob.userId, action: 'create-checkout-session', subscriptionType: 'autosync', returnTo: 'http://127.0.0.1:47615@somewhere.example/' }, { status: 400, code: 'invalid-request' }],
  ] as const
  for (const [body, expected] of failures) expect(await bob.fail(payments, { body })).toMatchObject(expected)
  const metadata = { userId: bob.userId, plan: 'autosync' }
  const price = stripe.books.priceOf(stripe.prices.autosync)
  // Even with the customer id of a paying user.
  const open = stripe.books.addCheckout({ customer, reference: bob.userId, price, metadata, subscriptionMetadata: metadata, successUrl: returnTo, cancelUrl: null })
  expect(await bob.call(payments, { body: { userId: bob.userId, action: 'check-subscription', sessionId: open.id } })).toEqual({ active: false, subscriptionType: null, stripeCustomerId: open.customer })
  // The field that a link may carry is no proof: the metadata is.
  const lent = stripe.books.addCheckout({ customer, reference: bob.userId, price, metadata: { userId: ann.userId }, subscriptionMetadata: {}, successUrl: returnTo, cancelUrl: null })
  expect(await bob.fail(payments, { body: { userId: bob.userId, action: 'check-subscription', sessionId: lent.id } })).toMatchObject({ code: 'unknown-checkout' })
  expect(await kept(bob)).toBeNull()
})

test.each(['refused', 'failing'] as const)('where the provider is away (%s), calls say so and messages come again', { tags: ['long', 'nightly'] }, async (how) => {
  const { provider, cloud, user, checkoutUrl } = await openShop(databaseUrl, `away-${how}@example.com`)
  provider.post.hold()
  await provider.press(await checkoutUrl('autosync'), 'pay')
  await provider.goAway(how)
  const [checkout = ''] = [...provider.books.checkouts.keys()]
  expect(await user.fail(payments, { body: { userId: user.userId, action: 'create-checkout-session', subscriptionType: 'autosync', returnTo } })).toMatchObject({ status: 502, code: 'payments-unreachable', error: 'Failed to create checkout session' })
  expect(await user.fail(payments, { body: { userId: user.userId, action: 'check-subscription', sessionId: checkout } })).toMatchObject({ status: 502, code: 'payments-unreachable', error: 'Subscription check failed' })
  expect(await provider.post.deliver(first(provider.post.messages()))).toBe(503)
  expect(await kept(user)).toBeNull()
  await provider.comeBack()
  await provider.post.release()
  expect(await kept(user)).toMatchObject(paid)
  expect([provider.env['FILLBOOK_CLOUD_STRIPE_SECRET_KEY'] ?? '', provider.webhookSecret, user.userId, checkout].filter((secret) => cloud.stderr().includes(secret))).toEqual([])
})

test('a service that sells nothing says so', { tags: 'long' }, async () => {
  const without = await startCloud({ databaseUrl })
  onTestFinished(async () => void (await without.stop()))
  const user = await cloudUser(without, 'nobody@example.com')
  const { userId } = user
  expect(await user.fail(payments, { body: { userId, action: 'create-checkout-session', subscriptionType: 'autosync', returnTo } })).toMatchObject({ status: 409, code: 'payments-not-configured', error: 'Failed to create checkout session' })
  expect(await user.fail(payments, { body: { userId, action: 'check-subscription', sessionId: 's' } })).toMatchObject({ status: 409, code: 'payments-not-configured', error: 'Subscription check failed' })
  expect((await fetch(webhookOf(without), { method: 'POST', body: '{}' })).status).toBe(409)
})

test('the embedded database stores payments like a server does', { tags: ['long', 'nightly'] }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fillbook-payments-'))
  const embedded = await startCloud({ dataDir, env: stripe.env })
  onTestFinished(async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true })
  })
  const user = await cloudUser(embedded, 'tries@example.com')
  const { messages, checkout, customer, subscription } = buy(stripe, user, 'autosync')
  const there = { to: webhookOf(embedded) }
  expect(await stripe.post.deliver(first(messages), there)).toBe(200)
  expect(await kept(user)).toMatchObject({ ...paid, subscriptionType: 'autosync' })
  expect(await stripe.post.deliver(first(happening(stripe, () => stripe.books.cancelNow(subscription))), there)).toBe(200)
  expect(await user.call(payments, { body: { userId: user.userId, action: 'check-subscription', sessionId: checkout } })).toEqual({ active: false, subscriptionType: 'autosync', stripeCustomerId: customer })
  expect(await kept(user)).toMatchObject(ended)
})
