import { expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { historyRoutes } from '#shared/api/history.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { defaultSubscription, type Subscription } from '#shared/plans/subscription.ts'
import { startApp, testFolder, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { cloudUserId, startRightsCloud, type RightsCloud } from '#tests/helpers/rights-cloud.ts'
import { rawRequest } from '#tests/helpers/raw-request.ts'
import { until } from '#tests/helpers/computer.ts'

const { getSubscription, createSubscription, saveSubscription, payments } = subscriptionRoutes
const { syncNow } = syncRoutes

const start = Date.UTC(2026, 10, 2, 15)
const hour = 3_600_000
const day = 24 * hour
const iso = (time: number): string => new Date(time).toISOString()
const paid: Subscription = {
  status: 'active', cancelAtPeriodEnd: false, subscriptionType: 'autosync', stripeCustomerId: 'cus_1', currentPeriodEnd: iso(start + 20 * day),
  hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', active: true,
}
const active = { status: 'active', cancel_at_period_end: false, billing_cycle_anchor: 1_700_000_000, start_date: null, cancel_at: null }
const noRights = { admin: false, subscriber: false }
const operator = { admin: true, subscriber: false }

const get = (browser: Browser, userId: string) => browser.call(getSubscription, { query: { userId } })
/** Whether a call that wants a plan is done, or with what it is refused. */
const gate = async (browser: Browser): Promise<string> => {
  const answer = await browser.send(syncNow.path, { method: 'POST', headers: { 'content-type': 'application/json', origin: browser.origin }, body: '{}' })
  return answer.status === 200 ? 'open' : `${String(answer.status)} ${(JSON.parse(answer.body) as { code: string }).code}`
}

/** What the cloud was sent last; the background only asks it what it says. */
const lastSent = (cloud: RightsCloud) => cloud.seen().findLast(({ method, fields }) => method === 'POST' && fields['action'] !== 'get-subscription-details')?.fields

/** A program on a clock of the test's, whose user is known to a cloud. */
const withCloud = async (given: Partial<RightsCloud> = {}): Promise<{ app: App; browser: Browser; userId: string; cloud: RightsCloud; clock: { now: number }; again: () => Promise<App & { readonly browser: Browser }> }> => {
  const clock = { now: start }
  const cloud = await startRightsCloud({ verifiedAt: start, ...given })
  const options = { dataDir: testFolder(), env: { FILLBOOK_CLOUD_URL: cloud.url }, now: () => clock.now, gates: 'as-the-cloud-says' } as const
  const app = await startApp(options)
  const { userId } = await app.browser.signUp()
  const again = async (): Promise<App> => {
    const next = await startApp(options)
    await next.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
    return next
  }
  return { app, browser: app.browser, userId, cloud, clock, again }
}

test('without a cloud there is only the default subscription, and every page is open to local profiles', { tags: 'long' }, async () => {
  const { browser } = await startApp({ gates: 'as-the-cloud-says' })
  const { userId } = await browser.signUp()
  expect(await get(browser, userId)).toEqual({ subscription: null, role: operator, verifiedAt: null })
  const subscription = defaultSubscription(userId, iso(start))
  expect(await browser.call(createSubscription, { body: { userId, subscription } })).toEqual({ success: true })
  expect(await get(browser, userId)).toEqual({ subscription, role: operator, verifiedAt: null })
  // A second one changes nothing.
  await browser.call(createSubscription, { body: { userId, subscription: { ...subscription, firstPaymentDate: iso(0) } } })
  expect((await get(browser, userId)).subscription).toEqual(subscription)
  expect(await gate(browser)).toBe('open')
  expect(await browser.fail(brokerageRoutes.beginConsent, { body: { returnTo: 'autosync' } })).toMatchObject({ code: 'brokerage-not-configured' })
  for (const action of [{ userId, action: 'create-checkout-session', subscriptionType: 'autosync' }, { userId, action: 'create-portal-session' }, { userId, action: 'check-subscription', sessionId: 'cs_1' }, { action: 'get-subscription-details', stripeCustomerId: 'cus_1' }]) {
    expect([action.action, await browser.fail(payments, { body: action })]).toMatchObject([action.action, { status: 409, code: 'payments-not-configured' }])
  }
})

test('no call of a user grants a right here either, whatever its body', async () => {
  const { browser } = await startApp({ gates: 'closed' })
  const { userId } = await browser.signUp()
  expect(await browser.fail(saveSubscription, { body: { userId, subscription: { hasSubscription: false } } })).toMatchObject({ status: 404, code: 'not-found', error: 'Failed to save subscription' })
  const failed = await browser.fail(createSubscription, { body: { userId, subscription: { ...paid, userId } } })
  expect(failed).toMatchObject({ status: 409, code: 'read-only-field', error: 'Failed to create default subscription' })
  expect(failed.fields?.map(({ path }) => path)).toContain('subscription.hasSubscription')
  expect((await get(browser, userId)).subscription).toBeNull()
  await browser.call(createSubscription, { body: { userId, subscription: defaultSubscription(userId, iso(start)) } })
  for (const [name, value] of Object.entries(paid)) {
    if (name === 'status' || name === 'cancelAtPeriodEnd') continue
    expect([name, await browser.fail(saveSubscription, { body: { userId, subscription: { [name]: value } } })]).toMatchObject([name, { status: 409, code: 'read-only-field', error: 'Failed to save subscription' }])
  }
  await browser.call(saveSubscription, { body: { userId, subscription: { hasSubscription: false, subscriptionStatus: 'expired' }, role: { admin: true } } as never })
  expect(await get(browser, userId)).toMatchObject({ subscription: { status: 'active', hasSubscription: false, subscriptionStatus: 'expired' }, role: noRights })
  expect(await gate(browser)).toBe('402 plan-needed')
})

test("the cloud's answer is passed on under the profile's id, and the cloud is called as its own user", async () => {
  const { browser, userId, cloud } = await withCloud({ subscription: { ...paid, userId: cloudUserId } })
  expect(await get(browser, userId)).toEqual({ subscription: { ...paid, userId }, role: noRights, verifiedAt: iso(start) })
  expect(await gate(browser)).toBe('open')
  expect(cloud.seen().every(({ bearer }) => bearer === 'token')).toBe(true)
  expect(cloud.seen().filter(({ method }) => method === 'GET').map(({ query }) => query.get('userId'))).toContain(cloudUserId)
  expect(JSON.stringify(cloud.seen().map(({ url, fields }) => [url, fields]))).not.toContain(userId)
})

test('the default and an expiry are sent to the cloud as its own user', { tags: 'long' }, async () => {
  const { browser, userId, cloud } = await withCloud()
  expect((await get(browser, userId)).subscription).toBeNull()
  await browser.call(createSubscription, { body: { userId, subscription: defaultSubscription(userId, iso(start)) } })
  expect(lastSent(cloud)).toEqual({ userId: cloudUserId, subscription: { ...defaultSubscription(cloudUserId, iso(start)) } })
  cloud.subscription = { ...paid, userId: cloudUserId }
  await get(browser, userId)
  await browser.call(saveSubscription, { body: { userId, subscription: { ...paid, userId, hasSubscription: false, subscriptionStatus: 'expired' } } })
  expect(lastSent(cloud)).toMatchObject({ userId: cloudUserId, subscription: { userId: cloudUserId, hasSubscription: false, subscriptionStatus: 'expired' } })
  expect(await gate(browser)).toBe('402 plan-needed')
})

test('a refusal by the cloud has its code and the text of the call', async () => {
  const { browser, userId, cloud } = await withCloud()
  const refuses = (status: number, code: string) => void (cloud.instead = { status, json: { success: false, error: code, code } })
  const checkout = { userId, action: 'create-checkout-session', subscriptionType: 'autosync' }
  refuses(403, 'not-sold')
  expect(await browser.fail(payments, { body: checkout })).toMatchObject({ status: 403, code: 'not-sold', error: 'Failed to create checkout session' })
  refuses(409, 'already-subscribed')
  expect(await browser.fail(payments, { body: checkout })).toMatchObject({ status: 409, code: 'already-subscribed' })
  refuses(404, 'unknown-checkout')
  expect(await browser.fail(payments, { body: { userId, action: 'check-subscription', sessionId: 'cs_2' } })).toMatchObject({ status: 404, code: 'unknown-checkout', error: 'Subscription check failed' })
  refuses(403, 'not-this-user')
  expect(await browser.fail(payments, { body: { action: 'get-subscription-details', stripeCustomerId: 'cus_of_bob' } })).toMatchObject({ status: 403, code: 'not-this-user' })
  refuses(502, 'payments-unreachable')
  expect(await browser.fail(payments, { body: checkout })).toMatchObject({ status: 502, code: 'payments-unreachable' })
  cloud.instead = { status: 429, json: { success: false, error: 'x', code: 'too-many-calls', retryAfterMs: 30_000 } }
  expect(await browser.fail(payments, { body: checkout })).toMatchObject({ status: 429, code: 'too-many-calls', retryAfterMs: 30_000 })
  refuses(409, 'read-only-field')
  expect(await browser.fail(saveSubscription, { body: { userId, subscription: { hasSubscription: false } } })).toMatchObject({ status: 409, code: 'read-only-field', error: 'Failed to save subscription' })
  cloud.instead = 'cut'
  expect(await browser.fail(payments, { body: checkout })).toMatchObject({ status: 502, code: 'cloud-unreachable', error: 'Failed to create checkout session' })
  expect(await browser.fail(createSubscription, { body: { userId, subscription: {} } })).toMatchObject({ status: 502, code: 'cloud-unreachable', error: 'Failed to create default subscription' })
  refuses(401, 'wrong-token')
  expect(await browser.fail(getSubscription, { query: { userId } })).toMatchObject({ status: 401, code: 'wrong-token', error: 'Failed to fetch or create subscription' })
})

test('the checkout and the portal lead back to this program, whatever address the page requested', { tags: 'long' }, async () => {
  const { app, browser, userId, cloud } = await withCloud()
  cloud.payment = { json: { url: 'https://checkout.example/c/1' } }
  expect(await browser.call(payments, { body: { userId, action: 'create-checkout-session', subscriptionType: 'tradecopier', returnTo: 'http://127.0.0.1:1/evil' } })).toEqual({ url: 'https://checkout.example/c/1' })
  const leadsBackTo = (path: string): unknown => expect.stringMatching(new RegExp(`^${app.backend.url}${path}\\?visit=[\\w-]{22}$`))
  expect(lastSent(cloud)).toEqual({ userId: cloudUserId, action: 'create-checkout-session', subscriptionType: 'tradecopier', returnTo: leadsBackTo('/checkout/return') })
  await browser.call(payments, { body: { userId, action: 'create-portal-session' } })
  expect(lastSent(cloud)).toEqual({ userId: cloudUserId, action: 'create-portal-session', returnTo: leadsBackTo('/portal/return') })
  // Whoever comes back brings no cookie.
  const back = await rawRequest(`${app.backend.url}/checkout/return?payment=success&session_id=cs_test_1`)
  expect([back.status, back.headers.location]).toEqual([302, '/#/dashboard/ManageSubscription?payment=success&session_id=cs_test_1'])
  expect((await rawRequest(`${app.backend.url}/portal/return`)).headers.location).toBe('/#/dashboard/ManageSubscription')
})

test('a plan opens as soon as it is paid', { tags: 'long' }, async () => {
  const { browser, userId, cloud } = await withCloud({ subscription: defaultSubscription(cloudUserId, iso(start)) })
  await get(browser, userId)
  expect(await gate(browser)).toBe('402 plan-needed')
  cloud.subscription = paid
  cloud.payment = { json: { active: true, subscriptionType: 'autosync', stripeCustomerId: 'cus_1' } }
  expect(await browser.call(payments, { body: { userId, action: 'check-subscription', sessionId: 'cs_1' } })).toEqual({ active: true, subscriptionType: 'autosync', stripeCustomerId: 'cus_1' })
  expect(await gate(browser)).toBe('open')
})

test('an answer of the payment provider closes a plan that is saved as open, on the screen and here', async () => {
  const { browser, userId, cloud } = await withCloud({ subscription: paid })
  await get(browser, userId)
  expect(await gate(browser)).toBe('open')
  cloud.details = { ...active, status: 'past_due' }
  expect(await browser.call(payments, { body: { action: 'get-subscription-details', stripeCustomerId: 'cus_1' } })).toEqual({ success: true, subscription: cloud.details })
  expect(await gate(browser)).toBe('402 plan-needed')
  cloud.details = active
  await browser.call(payments, { body: { action: 'get-subscription-details', stripeCustomerId: 'cus_1' } })
  expect(await gate(browser)).toBe('open')
  // While the cloud is unreachable, the last answer is repeated: the screen shows the same.
  cloud.instead = 'cut'
  expect(await browser.call(payments, { body: { action: 'get-subscription-details', stripeCustomerId: 'cus_1' } })).toEqual({ success: true, subscription: active })
  expect(await browser.fail(payments, { body: { action: 'get-subscription-details', stripeCustomerId: 'cus_of_bob' } })).toMatchObject({ code: 'cloud-unreachable' })
})

test('while the cloud is unreachable its last answer counts for seven days, over a restart too', { tags: 'long' }, async () => {
  const { app, browser, userId, cloud, clock, again } = await withCloud({ subscription: paid })
  await get(browser, userId)
  cloud.instead = 'cut'
  clock.now = start + 6 * day
  expect(await get(browser, userId)).toEqual({ subscription: { ...paid, userId }, role: noRights, verifiedAt: iso(start) })
  expect(await gate(browser)).toBe('open')
  await app.stop()
  const next = await again()
  expect(await gate(next.browser)).toBe('open')
  clock.now = start + 7 * day + hour
  expect(await next.browser.fail(getSubscription, { query: { userId } })).toMatchObject({ status: 502, code: 'cloud-unreachable', error: 'Failed to fetch or create subscription' })
  expect(await gate(next.browser)).toBe('502 cloud-unreachable')
  // The journal itself stays its owner's.
  expect((await next.browser.call(brokerageRoutes.connectedAccounts)).accounts).toEqual([])
  // A clock that is set back makes nothing younger.
  clock.now = start + day
  expect(await gate(next.browser)).toBe('502 cloud-unreachable')
  await next.stop()
  const last = await again()
  expect(await gate(last.browser)).toBe('502 cloud-unreachable')
  cloud.instead = null
  expect(await get(last.browser, userId)).toMatchObject({ verifiedAt: iso(start) })
  expect(await gate(last.browser)).toBe('open')
})

test('a proxy that answers in place of the cloud grants and removes nothing', { tags: 'long' }, async () => {
  const { browser, userId, cloud } = await withCloud({ subscription: paid })
  await get(browser, userId)
  for (const status of [403, 404, 407]) {
    cloud.instead = { status, json: { portal: 'Sign in to this network' } }
    expect([status, await get(browser, userId)]).toMatchObject([status, { subscription: paid, verifiedAt: iso(start) }])
    expect(await gate(browser)).toBe('open')
  }
})

test('an end that falls into an outage of the cloud closes the plan, is saved here, and is not sent in vain', { tags: 'long' }, async () => {
  const { browser, userId, cloud, clock } = await withCloud({ subscription: { ...paid, cancelAtPeriodEnd: true, currentPeriodEnd: iso(start + 2 * hour) } })
  await get(browser, userId)
  expect(await gate(browser)).toBe('open')
  cloud.instead = 'cut'
  clock.now = start + 2 * hour
  expect(await gate(browser)).toBe('402 plan-needed')
  await browser.call(saveSubscription, { body: { userId, subscription: { hasSubscription: false, subscriptionStatus: 'expired' } } })
  expect((await get(browser, userId)).subscription).toMatchObject({ hasSubscription: false, subscriptionStatus: 'expired' })
  expect(await browser.fail(saveSubscription, { body: { userId, subscription: { hasSubscription: true } } })).toMatchObject({ status: 409, code: 'read-only-field' })
})

test('before a call is refused the cloud is asked once more, but not repeatedly', { tags: 'long' }, async () => {
  const { browser, userId, cloud } = await withCloud({ subscription: defaultSubscription(cloudUserId, iso(start)) })
  await get(browser, userId)
  await until('asked in the background', () => cloud.seen().length >= 2)
  const asked = cloud.seen().length
  for (let press = 0; press < 5; press += 1) expect(await gate(browser)).toBe('402 plan-needed')
  expect(cloud.seen().length - asked).toBeLessThanOrEqual(1)
})

test('a silent cloud delays a call by a few seconds at most', { tags: ['long', 'nightly'] }, async () => {
  const { browser, cloud } = await withCloud()
  cloud.instead = 'silence'
  const from = performance.now()
  const answer = await gate(browser)
  expect(answer === '502 cloud-unreachable' || answer === '402 plan-needed').toBe(true)
  expect(performance.now() - from).toBeLessThan(20_000)
})

test('the answer of another cloud grants nothing, and without a cloud local profiles have full access again', { tags: ['long', 'nightly'] }, async () => {
  const { app, browser, userId, cloud } = await withCloud({ subscription: paid })
  await get(browser, userId)
  const signIn = { body: { email: 'ann@example.com', password: 'correct horse' } }
  await app.stop()
  const none = await startApp({ dataDir: app.dataDir, gates: 'as-the-cloud-says', now: () => start })
  await none.browser.call(sessionRoutes.signIn, signIn)
  expect(await get(none.browser, userId)).toEqual({ subscription: null, role: operator, verifiedAt: null })
  expect(await gate(none.browser)).toBe('open')
  await none.stop()
  cloud.instead = 'cut'
  const elsewhere = await startApp({ dataDir: app.dataDir, gates: 'as-the-cloud-says', now: () => start, env: { FILLBOOK_CLOUD_URL: 'http://127.0.0.1:1' } })
  await elsewhere.browser.call(sessionRoutes.signIn, signIn)
  expect(await elsewhere.browser.fail(getSubscription, { query: { userId } })).toMatchObject({ code: 'cloud-unreachable' })
  expect(await gate(elsewhere.browser)).toBe('502 cloud-unreachable')
})

test.each([
  ['open', { admin: true, subscriber: false }, true],
  ['closed', noRights, false],
  ['admin', { admin: true, subscriber: false }, true],
  ['subscriber', { admin: false, subscriber: true }, false],
] as const)('the demo profile with its gates %s', async (access, role, isOpen) => {
  const cloud = await startRightsCloud({ subscription: paid, role: { admin: true, subscriber: true } })
  const { browser, newBrowser } = await startApp({ gates: 'as-the-cloud-says', env: { FILLBOOK_DEMO_ACCESS: access, FILLBOOK_CLOUD_URL: cloud.url } })
  await browser.call(sessionRoutes.signInDemo)
  expect(await get(browser, 'demo')).toEqual({ subscription: null, role, verifiedAt: null })
  expect(await gate(browser)).toBe(isOpen ? 'open' : '402 plan-needed')
  expect(await browser.fail(payments, { body: { userId: 'demo', action: 'create-checkout-session', subscriptionType: 'autosync' } })).toMatchObject({ code: 'payments-not-configured' })
  expect(cloud.seen()).toEqual([])
  // It says nothing of real profiles.
  cloud.role = noRights
  cloud.subscription = null
  const other = await newBrowser()
  const { userId } = await other.signUp()
  expect(await get(other, userId)).toMatchObject({ role: noRights })
  expect(await gate(other)).toBe('402 plan-needed')
})

test('exactly the calls that need a plan are refused without one', async () => {
  const { browser } = await startApp({ gates: 'closed' })
  const { userId } = await browser.signUp()
  const refused = { status: 402, code: 'plan-needed' }
  expect(await browser.fail(syncNow)).toMatchObject(refused)
  expect(await browser.fail(brokerageRoutes.beginConsent, { body: { returnTo: 'autosync' } })).toMatchObject(refused)
  expect(await browser.fail(historyRoutes.startHistory, { body: { loginId: 'l', since: '2026-01-02' } })).toMatchObject(refused)
  expect(await browser.call(syncRoutes.syncState)).toEqual({ running: null, last: null, lastGoodAt: null, nextAt: null })
  expect(await browser.call(brokerageRoutes.tradovate, { body: { userId, action: 'checkTokenHealth' } })).toMatchObject({ needsReauth: false })
  expect(await browser.call(brokerageRoutes.endConsent, { body: {} })).toEqual({ returnTo: 'autosync' })
  expect((await browser.call(historyRoutes.history)).logins).toEqual([])
  expect(await browser.fail(brokerageRoutes.tradovate, { body: { userId, code: 'c', state: 's' } })).toMatchObject({ code: 'unknown-state' })
})
