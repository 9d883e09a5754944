import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import { brokerSettings, decide } from '#tests/helpers/own-broker.ts'

/*
 * The calls of the specification, section 7, each with exactly the payload given there, sent as JSON past
 * the contract's types. A call may lean on what those before it left.
 */

let broker: TestBroker
let app: App
let userId: string
let cloud: Server
let paying: App
let payer: string

const sold: Readonly<Record<string, unknown>> = {
  'check-subscription': { active: true, subscriptionType: 'autosync', stripeCustomerId: 'cus_1' },
  'get-subscription-details': { success: true, subscription: { status: 'active', cancel_at_period_end: false, billing_cycle_anchor: null, start_date: null, cancel_at: null } },
  'create-checkout-session': { url: 'https://checkout.example/1' },
}

beforeAll(async () => {
  broker = await startTestBroker({ anchor: '2026-11-20', clientId: 'own-app', clientSecret: 'own-secret' })
  app = await startSharedApp({ env: brokerSettings(broker) })
  userId = (await app.browser.signUp()).userId
  cloud = createServer((request, response) => {
    void text(request).then((sent) => {
      const action = (JSON.parse(sent || '{}') as { action?: string }).action ?? ''
      const answers: Record<string, unknown> = { '/dev/token': { token: 'token' }, '/api/whoami': { userId: 'payer' }, '/api/stripe/payments': sold[action] }
      const answer = answers[new URL(request.url ?? '/', 'http://cloud').pathname]
      response.writeHead(answer === undefined ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
    })
  }).listen(0, '127.0.0.1')
  await once(cloud, 'listening')
  paying = await startSharedApp({ env: { FILLBOOK_CLOUD_URL: `http://127.0.0.1:${String((cloud.address() as AddressInfo).port)}` } })
  payer = (await paying.browser.signUp()).userId
})
afterAll(async () => {
  await paying.stop()
  cloud.closeAllConnections()
  cloud.close()
  await app.stop()
  await broker.stop()
})

/** Sends what the specification writes; gives the answer, which must be a good one. */
const sends = async (path: string, body: object, at: App = app): Promise<Record<string, unknown>> => {
  const answer = await at.browser.send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body])
  return JSON.parse(answer.body) as Record<string, unknown>
}
const reads = async (path: string): Promise<Record<string, unknown>> => {
  const answer = await app.browser.send(`${path}?userId=${userId}`)
  expect([path, answer.status]).toEqual([path, 200])
  return JSON.parse(answer.body) as Record<string, unknown>
}

const { getSubscription, createSubscription, saveSubscription, payments } = subscriptionRoutes
const { addTrade, removeTrade, updateTrade, getTrades, addFinance, removeFinance, getFinances, addFill } = recordRoutes
const { tradovate } = brokerageRoutes
const firstPaymentDate = '2026-11-02T15:00:00.000Z'
const trade = (id: string) => ({
  id, userId, symbol: 'MESZ6', account: 'A', accountId: 'account-1', qty: 1, entryPrice: 5_000, exitPrice: 5_001, entryTime: '2026-11-02T15:00:00.000Z', exitTime: '2026-11-02T15:05:00.000Z',
  date: '2026-11-02', pnl: 3.1, platform: 'Tradovate', screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '',
})

test('every path of the specification is answered and tested here', () => {
  expect([...new Set(Object.values({ ...recordRoutes, ...subscriptionRoutes, tradovate }).map(({ path }) => path))].sort()).toEqual([...new Set([getSubscription, saveSubscription, payments, addTrade, removeTrade, updateTrade, getTrades, addFinance, removeFinance, getFinances, tradovate, addFill].map(({ path }) => path))].sort())
})

test('POST /api/firestore-all-subscription {userId, subscription}', async () => {
  expect(await sends(createSubscription.path, { userId, subscription: { userId, status: 'active', firstPaymentDate, cancelAtPeriodEnd: false } })).toEqual({ success: true })
})
test('GET /api/firestore-all-subscription?userId', async () => {
  expect(await reads(getSubscription.path)).toMatchObject({ subscription: { userId, status: 'active', firstPaymentDate, cancelAtPeriodEnd: false } })
})
test('POST /api/firestore-save-subscription {userId, subscription}', async () => {
  expect(await sends(saveSubscription.path, { userId, subscription: { userId, status: 'active', firstPaymentDate, cancelAtPeriodEnd: false, hasSubscription: false, subscriptionStatus: 'expired' } })).toEqual({ success: true })
})
test('POST /api/stripe/payments {userId, action: check-subscription, sessionId}', async () => {
  expect(await sends(payments.path, { userId: payer, action: 'check-subscription', sessionId: 'cs_1' }, paying)).toEqual(sold['check-subscription'])
})
test('POST /api/stripe/payments {action: get-subscription-details, stripeCustomerId}', async () => {
  expect(await sends(payments.path, { action: 'get-subscription-details', stripeCustomerId: 'cus_1' }, paying)).toEqual(sold['get-subscription-details'])
})
test('POST /api/stripe/payments {userId, action: create-checkout-session, subscriptionType}', async () => {
  expect(await sends(payments.path, { userId: payer, action: 'create-checkout-session', subscriptionType: 'autosync' }, paying)).toEqual(sold['create-checkout-session'])
})
test('POST /api/firestore-add-trade {userId, trade}', async () => {
  for (const id of ['t-1', 't-2']) expect(await sends(addTrade.path, { userId, trade: trade(id) })).toMatchObject({ success: true, trade: { id, pnl: 3.1 } })
})
test('POST /api/firestore-update-trade {userId, id, updates}', async () => {
  expect(await sends(updateTrade.path, { userId, id: 't-1', updates: { ...trade('t-1'), qty: 2, screenshotHeadline: 'breakout' } })).toMatchObject({ success: true, trade: { qty: 2, screenshotHeadline: 'breakout' } })
})
test('GET /api/firestore-get-trades?userId', async () => {
  expect(((await reads(getTrades.path))['trades'] as { id: string }[]).map(({ id }) => id).sort()).toEqual(['t-1', 't-2'])
})
test('POST /api/firestore-remove-trade {userId, id} or {userId, accountId}', async () => {
  expect(await sends(removeTrade.path, { userId, id: 't-1' })).toEqual({ success: true })
  expect(await sends(removeTrade.path, { userId, accountId: 'account-1' })).toEqual({ success: true })
  expect((await reads(getTrades.path))['trades']).toEqual([])
})
test('POST /api/tradovate {code, userId}', async () => {
  const { code } = await decide(app.browser, 'ava.morgan')
  expect(await sends(tradovate.path, { code, userId })).toMatchObject({ success: true, tokens: { access_token: expect.any(String) as string } })
})
test("POST /api/tradovate {action: 'account', userId}", async () => {
  expect((await sends(tradovate.path, { action: 'account', userId }))['accounts']).toHaveLength(3)
})
test("POST /api/tradovate {action: 'checkTokenHealth', userId}", async () => {
  expect(await sends(tradovate.path, { action: 'checkTokenHealth', userId })).toEqual({ success: true, needsReauth: false, expiredAccounts: [] })
})
test('POST /api/firestore-add-finance {userId, finance}: a balance that is missing or no number is 0, and a label keeps what it does not say', async () => {
  const finance = { type: 'earning', amount: 250.5, date: '2026-11-02', name: 'Payout', platform: 'other', firm: 'Tradeify' }
  expect(await sends(addFinance.path, { userId, finance: { ...finance, id: 'f-1' } })).toMatchObject({ success: true, finance: { id: 'f-1', amount: 250.5, balance: 0 } })
  expect(await sends(addFinance.path, { userId, finance: { ...finance, id: 'f-1', balance: 'n/a' } })).toMatchObject({ finance: { balance: 0 } })
  // The first sync after connecting updates balances: the values compared below must not change meanwhile.
  await expect.poll(() => app.browser.call(syncRoutes.syncState), { timeout: 60_000 }).toMatchObject({ running: null, lastGoodAt: expect.any(String) as string })
  const { finances } = (await reads(getFinances.path)) as { finances: { id: string; type: string; name: string; balance: number; platform: string }[] }
  const [first, second] = finances.filter(({ type, platform }) => type === 'Account' && platform === 'Tradovate')
  const label = { type: 'Evaluation Account', firm: 'Tradeify', platform: 'Tradovate' }
  // A label is for the account that waits first, or for the one that it names.
  expect(await sends(addFinance.path, { userId, finance: label })).toMatchObject({ success: true, finance: { ...label, id: first?.id, name: first?.name, balance: first?.balance } })
  expect(await sends(addFinance.path, { userId, finance: { ...label, id: second?.id } })).toMatchObject({ finance: { ...label, id: second?.id, name: second?.name, balance: second?.balance } })
})
test('GET /api/firestore-get-finances?userId', async () => {
  expect((await reads(getFinances.path))['finances']).toContainEqual(expect.objectContaining({ id: 'f-1', name: 'Payout' }))
})
test('POST /api/firestore-remove-finance {userId, id}', async () => {
  expect(await sends(removeFinance.path, { userId, id: 'f-1' })).toEqual({ success: true })
})
test('POST /api/firestore-add-tradovate-fills {userId, fill}', async () => {
  const fill = { id: '9000000000001', accountId: 'tradovate:demo:700101', contractId: 77, contractSymbol: 'MESM7', action: 'buy', qty: 1, price: 6_000, timestamp: '2026-11-20T18:00:00Z', platform: 'Tradovate', contract: { symbol: 'MESM7' } }
  expect(await sends(addFill.path, { userId, fill })).toEqual({ success: true })
})
test("POST /api/tradovate {action: 'removeToken', userId, accountId, tokenDocId}", async () => {
  const { accounts } = (await sends(tradovate.path, { action: 'account', userId })) as { accounts: { id: string }[] }
  const connected = await app.browser.call(brokerageRoutes.connectedAccounts)
  const [account] = connected.accounts
  expect(accounts.map(({ id }) => id)).toContain(account?.id)
  expect(await sends(tradovate.path, { action: 'removeToken', userId, accountId: account?.id, tokenDocId: account?.loginId })).toEqual({ success: true })
})
