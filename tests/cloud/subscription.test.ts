import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloudBrokerageRoutes } from '#shared/api/cloud.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { giveConsent } from '#tests/demo-broker/give-consent.ts'
import { startCloud } from '#tests/helpers/cloud.ts'
import { cloudUser, type CloudClient } from '#tests/helpers/cloud-client.ts'
import { startOwnCloud, type OwnCloud } from '#tests/helpers/own-cloud.ts'
import { queryRows } from '#tests/helpers/postgres.ts'

const { getSubscription, createSubscription, saveSubscription } = subscriptionRoutes

let broker: TestBroker
let cloud: OwnCloud
let people = 0

beforeAll(async () => {
  broker = await startTestBroker({ anchor: '2026-11-20' })
  cloud = await startOwnCloud({
    env: { FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: broker.clientId, FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: broker.clientSecret, FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: broker.origins.tokenUrls[0] },
  })
})
afterAll(async () => {
  await cloud.stop()
  await broker.stop()
})

const newUser = (): Promise<CloudClient> => cloudUser(cloud, `subscriber-${String((people += 1))}@example.com`)
const kept = async ({ call, userId }: CloudClient) => (await call(getSubscription, { query: { userId } })).subscription
/** What only the payment provider's side writes, put there past the service. */
const paid = { status: 'active', cancelAtPeriodEnd: false, subscriptionType: 'tradecopier', stripeCustomerId: 'cus_1', currentPeriodEnd: '2026-12-01T00:00:00.000Z', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid' }
const pay = (userId: string, more: object = {}): Promise<unknown> =>
  queryRows(cloud.databaseUrl, 'INSERT INTO subscriptions VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET content = excluded.content', [userId, JSON.stringify({ userId, ...paid, ...more })])

test('there is no subscription at first; the default is created once and opens no paid page', async () => {
  const user = await newUser()
  const { userId, call } = user
  expect(await kept(user)).toBeNull()
  const subscription = { userId, status: 'active', firstPaymentDate: '2026-11-02T15:00:00.000Z', cancelAtPeriodEnd: false }
  await call(createSubscription, { body: { userId, subscription } })
  expect(await kept(user)).toEqual(subscription)
  await call(createSubscription, { body: { userId, subscription: { ...subscription, firstPaymentDate: '2030-01-01T00:00:00.000Z', cancelAtPeriodEnd: true } } })
  expect(await kept(user)).toEqual(subscription)
})

test('an incomplete default is completed', async () => {
  const user = await newUser()
  await user.call(createSubscription, { body: { userId: user.userId, subscription: {} } })
  expect(await kept(user)).toEqual({ userId: user.userId, status: 'active', firstPaymentDate: expect.stringMatching(/^\d{4}-.*Z$/) as string, cancelAtPeriodEnd: false })
})

test.each([
  ['subscriptionType', 'tradecopier'],
  ['hasSubscription', true],
  ['subscriptionStatus', 'complete'],
  ['paymentStatus', 'paid'],
  ['currentPeriodEnd', '2030-01-01T00:00:00.000Z'],
  ['stripeCustomerId', 'cus_1'],
  ['active', true],
  ['status', 'trialing'],
])('a default with %s is refused', async (name, value) => {
  const user = await newUser()
  const { userId } = user
  const subscription = { userId, status: 'active', [name]: value }
  expect(await user.fail(createSubscription, { body: { userId, subscription } })).toMatchObject({ status: 409, error: 'Failed to create default subscription', code: 'read-only-field', fields: [{ path: `subscription.${name}` }] })
  expect(await kept(user)).toBeNull()
})

test('creating a default lowers and overwrites no paid plan', async () => {
  const user = await newUser()
  const { userId } = user
  await pay(userId)
  await user.call(createSubscription, { body: { userId, subscription: { userId, status: 'active' } } })
  expect(await kept(user)).toEqual({ userId, ...paid })
})

test('an ended period is saved, with the other fields unchanged', async () => {
  const user = await newUser()
  const { userId } = user
  await pay(userId, { cancelAtPeriodEnd: true })
  const before = await kept(user)
  await user.call(saveSubscription, { body: { userId, subscription: { ...before, hasSubscription: false, subscriptionStatus: 'expired' } } })
  expect(await kept(user)).toEqual({ ...before, hasSubscription: false, subscriptionStatus: 'expired' })
  await user.call(saveSubscription, { body: { userId, subscription: { hasSubscription: false } } })
  await pay(userId)
  await user.call(saveSubscription, { body: { userId, subscription: { cancelAtPeriodEnd: true } } })
  expect(await kept(user)).toEqual({ userId, ...paid, cancelAtPeriodEnd: true })
})

test.each<[string, object, object]>([
  ['the plan', {}, { subscriptionType: 'tradecopier-enterprise' }],
  ['what was paid', { paymentStatus: 'open' }, { paymentStatus: 'paid' }],
  ['the period', {}, { currentPeriodEnd: '2030-01-01T00:00:00.000Z' }],
  ['the subscription itself', { hasSubscription: false }, { hasSubscription: true }],
  ['its completeness', { subscriptionStatus: 'expired' }, { subscriptionStatus: 'complete' }],
  ['its status', { status: 'past_due' }, { status: 'active' }],
  ['whether it is active', {}, { active: true }],
  ['whose customer it is', {}, { stripeCustomerId: 'cus_2' }],
  ['an end that was announced', { cancelAtPeriodEnd: true }, { cancelAtPeriodEnd: false }],
  ['the end of a canceled one', { status: 'canceled' }, { cancelAtPeriodEnd: true }],
])('saving never raises %s, nor lowers any other field', async (_, stored, raised) => {
  const user = await newUser()
  const { userId } = user
  await pay(userId, stored)
  const before = await kept(user)
  const sent = { subscriptionStatus: 'expired', ...raised }
  expect(await user.fail(saveSubscription, { body: { userId, subscription: sent } })).toMatchObject({ status: 409, error: 'Failed to save subscription', code: 'read-only-field', fields: [{ path: `subscription.${Object.keys(raised)[0] ?? ''}` }] })
  expect(await kept(user)).toEqual(before)
})

test("every refusal has the error text of the specification, and no user reaches another's subscription", async () => {
  const [ann, bob] = [await newUser(), await newUser()]
  await pay(ann.userId)
  const [userId, subscription] = [ann.userId, { hasSubscription: false }]
  expect(await bob.fail(getSubscription, { query: { userId } })).toMatchObject({ status: 403, error: 'Failed to fetch or create subscription', code: 'not-this-user' })
  expect(await bob.fail(createSubscription, { body: { userId, subscription } })).toMatchObject({ status: 403, error: 'Failed to create default subscription', code: 'not-this-user' })
  expect(await bob.fail(saveSubscription, { body: { userId, subscription } })).toMatchObject({ status: 403, error: 'Failed to save subscription', code: 'not-this-user' })
  expect(await bob.fail(saveSubscription, { body: { userId: bob.userId, subscription: { ...subscription, userId } } })).toMatchObject({ status: 403 })
  expect(await bob.fail(saveSubscription, { body: { userId: bob.userId, subscription } })).toMatchObject({ status: 404, error: 'Failed to save subscription', code: 'not-found' })
  expect(await bob.fail(saveSubscription, { body: { userId: bob.userId } })).toMatchObject({ status: 400, error: 'Failed to save subscription', code: 'invalid-request' })
  expect([await kept(ann), await kept(bob)]).toEqual([{ userId, ...paid }, null])
})

test("codes and refresh tokens are exchanged with the cloud's secret, and leave no trace", async () => {
  const user = await newUser()
  const { userId } = user
  // Where a program on its standard port is led back to, which callers of the specification do not say.
  const redirectUri = 'http://127.0.0.1:47615/oauth/callback'
  const { clientId } = await user.call(cloudBrokerageRoutes.brokerageApp)
  const consent = { consentUrl: broker.origins.consentUrl, clientId: clientId ?? '', redirectUri, state: 's', login: broker.logins[0]?.name ?? '', decision: 'allow' } as const
  const code = (await giveConsent(consent)).searchParams.get('code') ?? ''
  expect(await user.fail(cloudBrokerageRoutes.tradovate, { body: { userId, code, redirectUri } })).toMatchObject({ status: 402, code: 'plan-needed' })
  // The code was not spent by that.
  await pay(userId)
  const { tokens } = await user.call(cloudBrokerageRoutes.tradovate, { body: { userId, code } })
  const refreshToken = tokens.refresh_token ?? ''
  // An ended plan blocks no refresh: connected logins keep their access.
  await pay(userId, { hasSubscription: false, subscriptionStatus: 'expired' })
  const renewed = await user.call(cloudBrokerageRoutes.tradovate, { body: { userId, action: 'refresh', refreshToken } })
  expect(renewed.tokens.refresh_token).not.toBe(refreshToken)
  expect(await user.fail(cloudBrokerageRoutes.tradovate, { body: { userId, action: 'refresh', refreshToken } })).toMatchObject({ status: 409, error: 'code-refused', code: 'code-refused', fields: [{ path: 'refreshToken' }] })
  expect(await user.fail(cloudBrokerageRoutes.tradovate, { body: { userId: 'somebody else', action: 'refresh', refreshToken } })).toMatchObject({ status: 403, code: 'not-this-user' })
  expect(await user.fail(cloudBrokerageRoutes.tradovate, { body: { userId, action: 'account' } })).toMatchObject({ status: 400, code: 'invalid-request' })

  const secrets = [code, refreshToken, tokens.access_token, renewed.tokens.access_token, renewed.tokens.refresh_token ?? '', broker.clientSecret]
  const everything = JSON.stringify(await queryRows(cloud.databaseUrl, 'SELECT to_jsonb(r) AS row FROM records r UNION ALL SELECT to_jsonb(j) FROM journals j UNION ALL SELECT to_jsonb(s) FROM subscriptions s'))
  for (const secret of secrets) expect([secret.length > 3, everything.includes(secret), cloud.stderr().includes(secret)]).toEqual([true, false, false])
})

test('a cloud without an application at the brokerage says so', { tags: 'long' }, async () => {
  const without = await startCloud({ databaseUrl: cloud.databaseUrl })
  try {
    const user = await cloudUser(without, 'nobody@example.com')
    expect(await user.call(cloudBrokerageRoutes.brokerageApp)).toEqual({ clientId: null })
    expect(await user.fail(cloudBrokerageRoutes.tradovate, { body: { userId: user.userId, action: 'refresh', refreshToken: 'r' } })).toMatchObject({ status: 409, code: 'brokerage-not-configured' })
  } finally {
    await without.stop()
  }
})
