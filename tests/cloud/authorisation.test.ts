import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp, type AppDeps } from '#cloud/http/app.ts'
import { bouncePath } from '#cloud/http/oauth-bounce.ts'
import { cloudRoutes, healthPath, readyPath, webhookPath } from '#shared/api/cloud.ts'
import { picturePath } from '#shared/api/pictures.ts'
import type { Route } from '#shared/api/route.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { queryRows, sharedPostgres, type PostgresServer } from '../helpers/postgres.ts'
import { rawRequest } from '../helpers/raw-request.ts'
import { newAddress, nowSeconds, startProvider, type Pair, type Provider } from './provider.ts'
import { edit, finance, pair, png, stampAt } from './samples.ts'

const project = 'fillbook-test'
const [annsNote, annsCustomer] = ['a note of ann alone', 'cus_of_ann']
const annsPicture = png('a picture of ann alone')
const mallorysPicture = png('a picture of mallory')
const more = { role: { admin: true, subscriber: true }, admin: true, hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', subscriptionType: 'tradecopier-enterprise', active: true }

/** A call as its user makes it, and what it answers to a user without a plan. */
type Row = {
  readonly query?: (userId: string) => Record<string, string>
  readonly body?: (userId: string) => Record<string, unknown>
  readonly status: number
  /** The same call with a claim to more rights, if that is refused; elsewhere extra fields are ignored. */
  readonly raised?: { readonly body: (userId: string) => Record<string, unknown>; readonly status: number; readonly code: string }
}

const ofUser = (userId: string) => ({ userId })
const trade = { id: 'hand-1', symbol: 'MESZ6', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-03T03:05:00Z' }
const fill = { id: 'fill-1', accountId: 'tradovate:demo:1', contractId: 5, contractSymbol: 'MESZ6', action: 'buy', qty: 1, price: 5_000, timestamp: '2026-11-02T15:00:00Z', platform: 'Tradovate' }
const account = { entity: 'account', id: fill.accountId, content: { environment: 'demo', brokerAccountId: '1', name: 'EVAL-1', loginName: 'mallory', connectedAt: 1, removedAt: null, copyOf: null, stamp: stampAt(1_000) } }
const lease = { machine: 'mallorys-computer', accounts: [fill.accountId] }
const exchange = { code: 'code', redirectUri: 'http://127.0.0.1:5055/oauth/callback' }

/** Every call of the contract: one without a row does not compile, and fails the first test. The order is that of the last test, in which each is made. */
const rows: Record<keyof typeof cloudRoutes, Row> = {
  whoAmI: { status: 200 },
  brokerageApp: { status: 200 },
  push: { body: (userId) => ({ userId, journal: null, after: 0, records: [account] }), status: 200 },
  getTrades: { query: ofUser, status: 200 },
  getFinances: { query: ofUser, status: 200 },
  addTrade: { body: (userId) => ({ userId, trade }), status: 200 },
  updateTrade: { body: (userId) => ({ userId, id: 'hand-1', updates: { notes: 'later' } }), status: 200 },
  removeTrade: { body: (userId) => ({ userId, id: 'hand-1' }), status: 200 },
  addFinance: { body: (userId) => ({ userId, finance: { id: 'f-1', type: 'expense', amount: 5, balance: 0 } }), status: 200 },
  removeFinance: { body: (userId) => ({ userId, id: 'f-1' }), status: 200 },
  addFill: { body: (userId) => ({ userId, fill }), status: 200 },
  journal: { query: (userId) => ({ userId, rows: 'counted' }), status: 200 },
  changes: { query: (userId) => ({ userId, part: 'pairs', after: '0', upTo: '100' }), status: 200 },
  getSubscription: { query: ofUser, status: 200 },
  createSubscription: {
    body: (userId) => ({ userId, subscription: { userId, status: 'active' } }),
    status: 200,
    raised: { body: (userId) => ({ userId, subscription: { userId, status: 'active', ...more } }), status: 409, code: 'read-only-field' },
  },
  saveSubscription: {
    body: (userId) => ({ userId, subscription: { hasSubscription: false } }),
    status: 200,
    raised: { body: (userId) => ({ userId, subscription: { ...more } }), status: 409, code: 'read-only-field' },
  },
  payments: {
    body: (userId) => ({ userId, action: 'create-portal-session' }),
    status: 404,
    raised: { body: (userId) => ({ userId, action: 'create-checkout-session', ...more, subscription: more, subscriptionType: 'autosync', returnTo: 'http://127.0.0.1:1/checkout/return' }), status: 403, code: 'not-sold' },
  },
  tradovate: { body: (userId) => ({ userId, ...exchange }), status: 402, raised: { body: (userId) => ({ userId, ...exchange, ...more, subscription: more }), status: 402, code: 'plan-needed' } },
  leaseCopier: { body: (userId) => ({ userId, ...lease, seconds: 60 }), status: 200 },
  releaseCopier: { body: (userId) => ({ userId, ...lease }), status: 200 },
  deleteCloudAccount: { body: ofUser, status: 200 },
}

let server: PostgresServer
let databaseUrl: string
let provider: Provider
let forger: Pair
let outside: Server
let asked = 0
let cloud: RunningCloud
let mallory: string
let bad: Record<string, { readonly authorization: string | null; readonly code: 'no-token' | 'wrong-token' }>

beforeAll(async () => {
  server = await sharedPostgres()
  databaseUrl = await server.newDatabase()
  provider = await startProvider({ issuer: `https://securetoken.google.com/${project}`, audience: project })
  forger = await generateKeyPair('RS256')
  // Brokerage and payment provider in one: no refused call may reach it.
  outside = createServer((_request, response) => {
    asked += 1
    response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  await once(outside, 'listening')
  const elsewhere = `http://127.0.0.1:${String((outside.address() as AddressInfo).port)}`
  cloud = await startCloud({
    databaseUrl,
    mode: 'production',
    env: {
      FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: project, FILLBOOK_CLOUD_JWKS_URL: provider.keys.url, FILLBOOK_CLOUD_TRUSTED_PROXIES: '1',
      FILLBOOK_CLOUD_ADMIN_USER_ID: 'root', FILLBOOK_CLOUD_SUBSCRIBER_USER_ID: 'buyer',
      FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: 'client', FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: 'secret', FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: `${elsewhere}/token`,
      FILLBOOK_CLOUD_STRIPE_SECRET_KEY: 'sk_test_matrix', FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET: 'whsec_matrix', FILLBOOK_CLOUD_STRIPE_API_URL: elsewhere,
      FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC: 'price_1', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER: 'price_2', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID: 'price_3', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_ENTERPRISE: 'price_4',
    },
  })
  const now = nowSeconds()
  const signed = async (...given: Parameters<Provider['sign']>) => ({ authorization: `Bearer ${await provider.sign(...given)}`, code: 'wrong-token' as const })
  mallory = `Bearer ${await provider.sign({ sub: 'mallory' })}`
  bad = {
    'no token': { authorization: null, code: 'no-token' },
    'no bearer': { authorization: `Basic ${Buffer.from('ann:ann').toString('base64')}`, code: 'no-token' },
    'an expired token': await signed({ exp: now - 60 }),
    'a token that is not yet valid': await signed({ nbf: now + 600 }),
    'a token of a sign-in to come': await signed({ auth_time: now + 600 }),
    'a forged signature': await signed({}, forger),
    'an unknown key': await signed({}, forger, { alg: 'RS256', kid: 'unheard-of' }),
    'no signature': { authorization: `Bearer ${provider.unsigned()}`, code: 'wrong-token' },
    'a wrong audience': await signed({ aud: 'another-project' }),
    'a wrong issuer': await signed({ iss: 'https://securetoken.google.com/another-project' }),
  }
  const ann = `Bearer ${await provider.sign()}`
  expect((await send(cloudRoutes.push, ann, { body: { userId: 'ann', journal: null, after: 0, records: [pair('p'), edit('p', annsNote), finance('f', annsNote)] } })).status).toBe(200)
  expect((await picture('POST', ann, annsPicture.name, annsPicture.bytes)).status).toBe(200)
  await queryRows(databaseUrl, 'INSERT INTO subscriptions VALUES ($1, $2)', ['ann', JSON.stringify({ userId: 'ann', status: 'active', stripeCustomerId: annsCustomer, ...more, active: true })])
  await queryRows(databaseUrl, 'INSERT INTO payers (user_id, customers) VALUES ($1, $2)', ['ann', [annsCustomer]])
  await queryRows(databaseUrl, 'INSERT INTO subscriptions VALUES ($1, $2)', ['mallory', JSON.stringify({ userId: 'mallory', status: 'active' })])
})
afterAll(async () => {
  await cloud.stop()
  outside.close()
  await provider.stop()
  await server.stop()
})

type Sent = { readonly query?: Record<string, string> | undefined; readonly body?: object | undefined }
const answerOf = ({ status, body }: { readonly status: number; readonly body: string }) => ({ status, code: (/"code":"([a-z-]+)"/.exec(body) ?? [])[1], body })
const headersFor = (authorization: string | null) => ({ 'x-forwarded-for': newAddress(), ...(authorization === null ? {} : { authorization }) })
const send = async ({ method, path }: Pick<Route, 'method' | 'path'>, authorization: string | null, { query, body }: Sent = {}) => {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const sent = method === 'POST' ? { headers: { ...headersFor(authorization), 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) } : { headers: headersFor(authorization) }
  return answerOf(await rawRequest(`${cloud.url}${path}${search}`, { method, ...sent }))
}
const picture = async (method: 'GET' | 'POST', authorization: string | null, name: string, bytes?: Uint8Array<ArrayBuffer>, userId?: string) => {
  const search = new URLSearchParams({ name, ...(userId === undefined ? {} : { userId }) })
  const answer = await fetch(`${cloud.url}${picturePath}?${search.toString()}`, { method, headers: headersFor(authorization), ...(bytes === undefined ? {} : { body: bytes }) })
  return answerOf({ status: answer.status, body: await answer.text() })
}

/** Every row of every table. */
const dump = async (): Promise<string> => {
  const tables = await queryRows<{ name: string }>(databaseUrl, "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1")
  expect(tables.length).toBeGreaterThanOrEqual(8)
  const parts = tables.map(({ name }) => `SELECT '${name}' AS name, coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text), '[]') AS rows FROM ${name} t`)
  return JSON.stringify(await queryRows(databaseUrl, parts.join(' UNION ALL ')))
}
/** Tries something that must leave no trace: in the tables, at the brokerage, or at the payment provider. */
const withoutTrace = async (tries: () => Promise<void>): Promise<void> => {
  const [before, askedBefore] = [await dump(), asked]
  await tries()
  expect(await dump()).toBe(before)
  expect(asked).toBe(askedBefore)
}
const expectRefusal = (answer: ReturnType<typeof answerOf>, status: number, code: string, what: string): void => {
  expect([answer.status, answer.code], what).toEqual([status, code])
  for (const secret of [annsNote, annsCustomer]) expect(answer.body, what).not.toContain(secret)
}

const names = Object.keys(rows) as (keyof typeof rows)[]

test('the table covers every call', () => {
  expect(names.toSorted()).toEqual(Object.keys(cloudRoutes).toSorted())
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const app = createApp({ payments: null, broker: null, devIssuer: null, trustedProxies: 0, log: quiet } as unknown as AppDeps)
  const layers = (app.router as unknown as { readonly stack: readonly { readonly route?: { readonly path: string | RegExp } }[] }).stack
  const paths = new Set(layers.flatMap(({ route }) => (route === undefined ? [] : [typeof route.path === 'string' ? route.path : route.path.source.slice(1, -1).replaceAll('\\', '')])))
  expect([...paths].toSorted()).toEqual([...new Set([healthPath, readyPath, webhookPath, bouncePath, picturePath, ...Object.values(cloudRoutes).map(({ path }) => path)])].toSorted())
})

describe.each(names)('%s', (name) => {
  const route: Route = cloudRoutes[name]
  const { query, body } = rows[name]
  const sentBy = (userId: string): Sent => ({ query: query?.(userId), body: body?.(userId) })

  test('is refused without a valid token', () =>
    withoutTrace(async () => {
      for (const [what, { authorization, code }] of Object.entries(bad)) expectRefusal(await send(route, authorization, sentBy('ann')), 401, code, what)
    }))

  test('is refused if it names another user', () =>
    withoutTrace(async () => {
      const own = sentBy('mallory')
      const tries: [what: string, sent: Sent][] = [
        ['in place of the own name', sentBy('ann')],
        ['in the query', { ...own, query: { ...own.query, userId: 'ann' } }],
        ...(route.method === 'GET'
          ? []
          : ([
              ['in the body', { ...own, body: { ...own.body, userId: 'ann' } }],
              ['one level down', { ...own, body: { ...own.body, more: { userId: 'ann' } } }],
              ['in a list', { ...own, body: [{ userId: 'ann' }] }],
            ] satisfies [string, Sent][])),
      ]
      // A call without a user id has none to replace.
      for (const [what, sent] of tries.slice(query === undefined && body === undefined ? 1 : 0)) expectRefusal(await send(route, mallory, sent), 403, 'not-this-user', what)
    }))
})

test.each(names.flatMap((name) => (rows[name].raised === undefined ? [] : [[name, rows[name].raised] as const])))('%s is refused if it claims more rights', (name, { body, status, code }) =>
  withoutTrace(async () => expectRefusal(await send(cloudRoutes[name], mallory, { body: body('mallory') }), status, code, name)))

test("no user can read another's payments", () =>
  withoutTrace(async () => {
    const details = { action: 'get-subscription-details', stripeCustomerId: annsCustomer }
    expectRefusal(await send(cloudRoutes.payments, mallory, { body: details }), 403, 'not-this-user', 'details')
  }))

test('pictures are refused like everything else', () =>
  withoutTrace(async () => {
    for (const [what, { authorization, code }] of Object.entries(bad)) {
      expectRefusal(await picture('GET', authorization, annsPicture.name), 401, code, what)
      expectRefusal(await picture('POST', authorization, mallorysPicture.name, mallorysPicture.bytes), 401, code, what)
    }
    expectRefusal(await picture('GET', mallory, annsPicture.name, undefined, 'ann'), 403, 'not-this-user', 'another')
    expectRefusal(await picture('POST', mallory, mallorysPicture.name, mallorysPicture.bytes, 'ann'), 403, 'not-this-user', 'another')
    expectRefusal(await picture('GET', mallory, annsPicture.name), 404, 'not-found', 'the name of a picture of another')
  }))

test('the webhook needs a signature, and no token replaces it', () =>
  withoutTrace(async () => {
    const event = { id: 'evt_1', object: 'event', type: 'customer.subscription.updated', data: { object: { customer: annsCustomer, metadata: { userId: 'mallory' } } } }
    for (const authorization of [null, mallory]) expectRefusal(await send({ method: 'POST', path: webhookPath }, authorization, { body: event }), 400, 'wrong-signature', String(authorization))
  }))

test('public answers disclose nothing', async () => {
  for (const [path, status] of [[healthPath, 'ok'], [readyPath, 'ready']] as const) expect(JSON.parse((await send({ method: 'GET', path }, null)).body)).toEqual({ status })
})

// The last one: only now something is written.
test('each of these calls works for its own user, whatever rights it claims, and grants none', async () => {
  const rights = () => queryRows(databaseUrl, "SELECT user_id, content - 'hasSubscription' AS content FROM subscriptions ORDER BY 1")
  const before = await rights()
  for (const name of names.filter((one) => one !== 'deleteCloudAccount')) {
    const { query, body, status } = rows[name]
    const sent = { query: query?.('mallory'), body: body === undefined ? undefined : { ...body('mallory'), ...more } }
    const answer = await send(cloudRoutes[name], mallory, sent)
    expect([name, answer.status]).toEqual([name, status])
    for (const secret of [annsNote, annsCustomer]) expect(answer.body).not.toContain(secret)
  }
  expect(JSON.parse((await send(cloudRoutes.getSubscription, mallory, { query: { userId: 'mallory' } })).body)).toMatchObject({ role: { admin: false, subscriber: false }, subscription: { userId: 'mallory', hasSubscription: false } })
  expect(await rights()).toEqual(before)
  expect((await send(cloudRoutes.deleteCloudAccount, mallory, { body: { userId: 'mallory' } })).status).toBe(200)
  expect(await queryRows(databaseUrl, 'SELECT user_id FROM journals')).toEqual([{ user_id: 'ann' }])
})
