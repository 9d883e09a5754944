import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { developmentIssuer } from '#cloud/dev-issuer.ts'
import { deleteCloudAccount } from '#shared/api/cloud.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { cloudUser, type CloudClient } from '#tests/helpers/cloud-client.ts'
import { queryRows, sharedPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'
import type { Delivery, Message } from '#tests/helpers/stripe/post.ts'
import { startStripe, type StripeStandIn } from '#tests/helpers/stripe/stripe.ts'
import { until } from '#tests/helpers/until.ts'
import { buy, ended, first, happening, kept, openShop, paid, webhookOf } from './shop.ts'

let postgres: PostgresServer
let databaseUrl: string
let stripe: StripeStandIn
let one: RunningCloud
let other: RunningCloud
let people = 0

beforeAll(async () => {
  postgres = await sharedPostgres()
  databaseUrl = await postgres.newDatabase()
  stripe = await startStripe()
  // Messages come one by one, when a test sends them.
  stripe.post.hold()
  one = await startCloud({ databaseUrl, env: stripe.env })
  other = await startCloud({ databaseUrl, env: { ...stripe.env, FILLBOOK_CLOUD_JWKS_URL: `${one.url}/.well-known/jwks.json`, FILLBOOK_CLOUD_ISSUER: developmentIssuer.issuer, FILLBOOK_CLOUD_AUDIENCE: developmentIssuer.audience } })
  stripe.post.sendTo(webhookOf(one))
})
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await stripe.stop()
  await postgres.stop()
})

const newUser = (): Promise<CloudClient> => cloudUser(one, `payer-${String((people += 1))}@example.com`)
const tablesOf = (): Promise<object[]> =>
  queryRows(databaseUrl, "SELECT to_jsonb(s) AS row FROM subscriptions s UNION ALL SELECT to_jsonb(p) FROM payers p UNION ALL SELECT to_jsonb(e) FROM payment_events e UNION ALL SELECT to_jsonb(t) FROM (SELECT last_value FROM payment_tickets) t ORDER BY row")

test('a payment whose window was closed counts by its messages alone, in any order', async () => {
  for (const turned of [false, true]) {
    const user = await newUser()
    const { messages } = buy(stripe, user)
    expect(messages).toHaveLength(3)
    for (const message of turned ? messages.toReversed() : messages) {
      expect(await stripe.post.deliver(message)).toBe(200)
      expect(await kept(user)).toMatchObject({ ...paid, subscriptionType: 'tradecopier' })
    }
  }
})

test('a duplicate message is handled once, without a call to the provider', async () => {
  const user = await newUser()
  const { messages, subscription } = buy(stripe, user)
  const message = first(messages)
  await stripe.post.deliver(message)
  stripe.books.cancelNow(subscription)
  const [asked, tables] = [stripe.asked().length, await tablesOf()]
  expect(await stripe.post.deliver(message, { to: webhookOf(other) })).toBe(200)
  expect(stripe.asked()).toHaveLength(asked)
  expect(await tablesOf()).toEqual(tables)
})

test('an old message after a newer one restores no old state', async () => {
  const user = await newUser()
  const { messages, subscription } = buy(stripe, user)
  const end = happening(stripe, () => stripe.books.announceEnd(subscription))
  const kill = happening(stripe, () => stripe.books.passPeriod(subscription))
  await stripe.post.deliverAll([...kill, ...end, ...messages.toReversed()])
  expect(await kept(user)).toMatchObject({ ...ended, status: 'canceled' })
})

test('a slow answer loses against one requested later', async () => {
  const user = await newUser()
  const { messages, subscription } = buy(stripe, user)
  const asked = stripe.asked().length
  const { promise: held, resolve: letGo } = Promise.withResolvers<null>()
  stripe.delayAnswers(async () => void (await held))
  onTestFinished(() => stripe.delayAnswers(null))
  const slow = stripe.post.deliver(first(messages))
  await until(() => stripe.asked().length > asked || null, 'the first to ask')
  stripe.delayAnswers(null)
  const end = happening(stripe, () => stripe.books.cancelNow(subscription))
  expect(await stripe.post.deliver(first(end), { to: webhookOf(other) })).toBe(200)
  expect(await kept(user)).toMatchObject(ended)
  letGo(null)
  expect(await slow).toBe(200)
  expect(await kept(user)).toMatchObject({ ...ended, status: 'canceled' })
})

test('two instances that get every message at once, twice, agree with the provider', { tags: 'long' }, async () => {
  const users = await Promise.all(Array.from({ length: 4 }, newUser))
  const bought = users.map((user) => buy(stripe, user))
  const more = bought.flatMap(({ subscription }, index) => happening(stripe, () => (index % 2 === 0 ? stripe.books.cancelNow(subscription) : stripe.books.changePrice(subscription, stripe.prices['tradecopier-mid']))))
  const all = [...bought.flatMap(({ messages }) => messages), ...more]
  const statuses = await Promise.all([one, other].flatMap((cloud) => all.flatMap((message) => [message, message].map((again) => stripe.post.deliver(again, { to: webhookOf(cloud) })))))
  expect(new Set(statuses)).toEqual(new Set([200]))
  for (const [index, user] of users.entries()) expect(await kept(user)).toMatchObject(index % 2 === 0 ? ended : { ...paid, subscriptionType: 'tradecopier-mid' })
  const rows = await queryRows(databaseUrl, 'SELECT id FROM payment_events WHERE id = ANY($1)', [all.map(({ id }) => id)])
  expect(rows).toHaveLength(all.length)
})

test('a service killed while it handles a message gets it again, and then saves it', { tags: 'long' }, async () => {
  const { provider, cloud, user } = await openShop(databaseUrl, 'unlucky@example.com')
  provider.post.hold()
  const message = first(buy(provider, user, 'autosync').messages)
  provider.delayAnswers(() => new Promise(() => undefined))
  const lost = provider.post.deliver(message)
  await until(() => provider.asked().includes('GET /v1/subscriptions') || null, 'the service to ask the provider')
  await cloud.kill()
  expect(await lost).toBe(0)
  provider.delayAnswers(null)
  const keptOf = (userId: string) => queryRows<{ content: object }>(databaseUrl, 'SELECT content FROM subscriptions WHERE user_id = $1', [userId])
  expect([await keptOf(user.userId), await queryRows(databaseUrl, 'SELECT 1 FROM payment_events WHERE id = $1', [message.id])]).toEqual([[], []])
  const next = await startCloud({ databaseUrl, env: provider.env })
  onTestFinished(async () => void (await next.stop()))
  provider.post.sendTo(webhookOf(next))
  await provider.post.release()
  expect(await keptOf(user.userId)).toMatchObject([{ content: { ...paid, subscriptionType: 'autosync' } }])
})

test.each<[string, (message: Message) => Delivery]>([
  ['another secret', () => ({ secret: 'whsec_somebody_else' })],
  ['an old signature', () => ({ timestamp: Math.floor(Date.now() / 1_000) - 400 })],
  ['other words', ({ payload }) => ({ payload: payload.replace('"livemode":false', '"livemode":true') })],
  ['one space more', ({ payload }) => ({ payload: `${payload} ` })],
])('a message with %s is refused, and nothing is read or written', async (_what, how) => {
  const user = await newUser()
  const message = first(buy(stripe, user).messages)
  const [asked, tables] = [stripe.asked().length, await tablesOf()]
  expect(await stripe.post.deliver(message, how(message))).toBe(400)
  expect([stripe.asked().length, await tablesOf()]).toEqual([asked, tables])
})

test('a message without a signature is refused by its code, and unrelated ones are accepted and ignored', async () => {
  const answer = await fetch(webhookOf(one), { method: 'POST', body: '{}' })
  expect([answer.status, await answer.json()]).toEqual([400, { success: false, error: 'wrong-signature', code: 'wrong-signature' }])
  const [asked, tables] = [stripe.asked().length, await tablesOf()]
  const strange = happening(stripe, () => stripe.post.publish('customer.updated', stripe.books.addCustomer({})))
  expect(await stripe.post.deliverAll(strange)).toEqual([200])
  expect([stripe.asked().length, await tablesOf()]).toEqual([asked, tables])
  const unnamed = stripe.books.addCustomer({})
  expect(await stripe.post.deliverAll(happening(stripe, () => stripe.post.publish('invoice.paid', { id: 'in_1', object: 'invoice', customer: unnamed.id })))).toEqual([200])
  expect((await tablesOf()).filter((row) => JSON.stringify(row).includes(unnamed.id))).toEqual([])
})

test('the life of a subscription: canceled and resumed, renewed, past due, paid, canceled for a date, over', async () => {
  const user = await newUser()
  const { messages, subscription: id } = buy(stripe, user)
  await stripe.post.deliverAll(messages)
  const began = await kept(user)
  const then = async (what: () => void): Promise<typeof began> => {
    expect(new Set(await stripe.post.deliverAll(happening(stripe, what)))).toEqual(new Set([200]))
    return kept(user)
  }
  const { books } = stripe
  expect(await then(() => books.announceEnd(id))).toEqual({ ...began, cancelAtPeriodEnd: true })
  expect(await then(() => books.resume(id))).toEqual(began)
  const renewing = await then(() => books.passPeriod(id, 'pending'))
  expect(renewing).toMatchObject({ ...paid, firstPaymentDate: began?.firstPaymentDate })
  expect(await then(() => books.charge(id, 'paid'))).toEqual(renewing)
  expect(await then(() => books.passPeriod(id, 'failed'))).toMatchObject({ status: 'past_due', hasSubscription: true, subscriptionStatus: 'expired', paymentStatus: 'open', active: false })
  expect(await then(() => books.charge(id, 'paid'))).toMatchObject(paid)
  expect(await then(() => books.announceEnd(id, 'date'))).toMatchObject({ ...paid, cancelAtPeriodEnd: true })
  expect(await then(() => books.passPeriod(id))).toMatchObject({ ...ended, status: 'canceled', firstPaymentDate: began?.firstPaymentDate })
})

test('a subscription canceled for a later date is valid until then', async () => {
  const user = await newUser()
  const { messages, subscription } = buy(stripe, user)
  const rest = happening(stripe, () => {
    stripe.books.announceEnd(subscription)
    stripe.books.cancelNow(subscription)
  })
  await stripe.post.deliverAll([...messages, ...rest])
  expect(stripe.books.subscriptions.get(subscription)?.status).toBe('canceled')
  expect(await kept(user)).toMatchObject({ ...paid, cancelAtPeriodEnd: true })
})

test('of two plans the larger counts, and the other takes over when it ends', async () => {
  const user = await newUser()
  const [small, large] = [buy(stripe, user, 'autosync'), buy(stripe, user, 'tradecopier-mid')]
  await stripe.post.deliverAll(small.messages)
  expect(one.stderr()).not.toContain('user has several subscriptions')
  await stripe.post.deliverAll(large.messages)
  expect(await kept(user)).toMatchObject({ ...paid, subscriptionType: 'tradecopier-mid', stripeCustomerId: large.customer })
  // A double payment is not visible here: the operator has to look.
  expect(one.stderr()).toContain('user has several subscriptions')
  await stripe.post.deliverAll(happening(stripe, () => stripe.books.cancelNow(large.subscription)))
  expect(await kept(user)).toMatchObject({ ...paid, subscriptionType: 'autosync', stripeCustomerId: small.customer })
})

test('an account cannot be deleted while any subscription continues, even if the one that counts ends', async () => {
  const user = await newUser()
  const [small, large] = [buy(stripe, user, 'autosync'), buy(stripe, user, 'tradecopier-mid')]
  await stripe.post.deliverAll([...small.messages, ...large.messages, ...happening(stripe, () => stripe.books.announceEnd(large.subscription))])
  expect(await kept(user)).toMatchObject({ subscriptionType: 'tradecopier-mid', cancelAtPeriodEnd: true })
  const body = { userId: user.userId }
  expect(await user.fail(deleteCloudAccount, { body })).toMatchObject({ status: 409, code: 'subscription-runs' })
  await stripe.post.deliverAll(happening(stripe, () => stripe.books.announceEnd(small.subscription)))
  expect(await user.call(deleteCloudAccount, { body })).toEqual({ success: true })
})

test('a user’s own downgrade stays until the provider reports otherwise', async () => {
  const user = await newUser()
  const { messages, subscription } = buy(stripe, user)
  await stripe.post.deliverAll(messages)
  await user.call(subscriptionRoutes.saveSubscription, { body: { userId: user.userId, subscription: { hasSubscription: false, subscriptionStatus: 'expired' } } })
  await stripe.post.deliverAll(messages)
  expect(await kept(user)).toMatchObject({ hasSubscription: false, subscriptionStatus: 'expired' })
  await stripe.post.deliverAll(happening(stripe, () => stripe.books.passPeriod(subscription)))
  expect(await kept(user)).toMatchObject(paid)
})

test('a late message does not restore a deleted account', async () => {
  const user = await newUser()
  const { messages, subscription } = buy(stripe, user)
  await stripe.post.deliverAll([...messages, ...happening(stripe, () => stripe.books.cancelNow(subscription))])
  await user.call(deleteCloudAccount, { body: { userId: user.userId } })
  expect(await stripe.post.deliverAll(happening(stripe, () => stripe.post.publish('invoice.paid', { id: 'in_late', object: 'invoice', customer: stripe.books.subscriptions.get(subscription)?.customer })))).toEqual([200])
  expect((await tablesOf()).filter((row) => JSON.stringify(row).includes(user.userId))).toEqual([])
  // A deleted user was charged: the operator has to refund it.
  expect(one.stderr()).toContain('money was taken for a deleted account')
  expect(one.stderr()).toContain(stripe.post.messages('invoice.paid').at(-1)?.id)
  expect(one.stderr()).not.toContain(user.userId)
})

test('message ids are stored for ninety days', async () => {
  await queryRows(databaseUrl, "INSERT INTO payment_events VALUES ('evt_old', now() - interval '91 days'), ('evt_younger', now() - interval '89 days')")
  await stripe.post.deliverAll(buy(stripe, await newUser()).messages)
  expect(await queryRows(databaseUrl, "SELECT id FROM payment_events WHERE id IN ('evt_old', 'evt_younger')")).toEqual([{ id: 'evt_younger' }])
})
