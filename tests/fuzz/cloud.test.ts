import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { bouncePath } from '#cloud/http/oauth-bounce.ts'
import { cloudRoutes, webhookPath } from '#shared/api/cloud.ts'
import { picturePath } from '#shared/api/pictures.ts'
import { pictureName } from '#shared/mirror/picture.ts'
import { mirrorRecord, type MirrorRecord } from '#shared/mirror/record.ts'
import { devUserId, startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { casesOf as sizeOf } from '#tests/helpers/cases.ts'
import { cloudUser, type CloudClient } from '#tests/helpers/cloud-client.ts'
import { codeFor, REDIRECT_URI } from '#tests/helpers/demo-client.ts'
import { queryRows, sharedPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'
import { startStripe, type StripeStandIn } from '#tests/helpers/stripe/stripe.ts'
import { contract, edit, finance, pair, png, stampAt } from '../cloud/samples.ts'
import { fuzzCall, type Sent, type Tried } from './fuzz-laws.ts'
import { hostileText } from './hostile.ts'
import { casesOf } from './schema-cases.ts'

const marker = 'only-ann-may-read-this'
const account = 'tradovate:demo:123'
const [admin, buyer] = ['admin@example.com', 'buyer@example.com']
const connected = mirrorRecord.parse({ entity: 'account', id: account, content: { environment: 'demo', brokerAccountId: '123', name: 'EVAL-1', loginName: 'm', connectedAt: 1, removedAt: null, copyOf: null, stamp: stampAt(1_000) } })
const records: readonly MirrorRecord[] = [connected, contract('demo/5', 'MESZ6'), pair('p-1'), edit('p-1', 'mine'), finance('f-1', 'mine')]
const trade = { id: 'hand-1', symbol: 'MESZ6', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-03T03:05:00Z', notes: 'n', tags: ['t'] }
const lease = { machine: 'a computer of Mallorys', accounts: [account] }

let postgres: PostgresServer
let databaseUrl: string
let stripe: StripeStandIn
let broker: TestBroker
let cloud: RunningCloud
let ann: CloudClient
let people = 0
beforeAll(async () => {
  postgres = await sharedPostgres()
  databaseUrl = await postgres.newDatabase()
  stripe = await startStripe()
  stripe.post.hold()
  broker = await startTestBroker({ anchor: '2026-11-20' })
  cloud = await startCloud({
    databaseUrl,
    env: {
      ...stripe.env,
      FILLBOOK_CLOUD_ADMIN_USER_ID: devUserId(admin), FILLBOOK_CLOUD_SUBSCRIBER_USER_ID: devUserId(buyer),
      FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: broker.clientId, FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: broker.clientSecret, FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: broker.origins.tokenUrls[0],
    },
  })
  ann = await cloudUser(cloud, 'ann@example.com')
  await ann.tell([connected, pair('p-1'), edit('p-1', marker), finance('f-1', marker)])
  const { token } = await cloud.tokenOf('ann@example.com')
  await fetch(`${cloud.url}${picturePath}?name=${anns.name}`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: anns.bytes })
  await ann.call(cloudRoutes.createSubscription, { body: { userId: ann.userId, subscription: {} } })
})
afterAll(async () => {
  await cloud.stop()
  await stripe.stop()
  await broker.stop()
  await postgres.stop()
})

/** What is right for a call, and who makes it: of users that are limited by the minute each call has one of its own. */
type RightCall = { readonly right: (user: CloudClient) => Sent | Promise<Sent>; readonly by?: string }

const ofUser = ({ userId }: CloudClient): Sent => ({ query: { userId } })
const body = (given: (user: CloudClient) => object | Promise<object>): RightCall => ({ right: async (user) => ({ body: { userId: user.userId, ...(await given(user)) } }) })

/** Every call of the contract: one without a line does not compile. */
const rightCalls: Record<keyof typeof cloudRoutes, RightCall> = {
  whoAmI: { right: () => ({}) },
  brokerageApp: { right: () => ({}) },
  push: body(async ({ call, userId }) => {
    const { journal, head } = await call(cloudRoutes.journal, { query: { userId } })
    return { journal, after: head, records }
  }),
  journal: { right: ({ userId }) => ({ query: { userId, rows: 'counted' } }) },
  changes: { right: ({ userId }) => ({ query: { userId, part: 'rest', after: 0, upTo: 100 } }) },
  getTrades: { right: ofUser },
  getFinances: { right: ofUser },
  addTrade: body(() => ({ trade })),
  updateTrade: body(() => ({ id: 'p-1', updates: { notes: 'later', tags: ['t'], stop: null } })),
  removeTrade: body(() => ({ id: 'p-1' })),
  addFinance: body(() => ({ finance: { id: 'f-2', type: 'expense', amount: 5, balance: 0, currency: 'USD', firm: '', category: 'reset', account, note: 'n', date: '2026-11-02' } })),
  removeFinance: body(() => ({ id: 'f-1' })),
  addFill: body(() => ({ fill: { id: 'fill-1', accountId: account, contractId: 5, contractSymbol: 'MESZ6', action: 'buy', qty: 1, price: 5_000, timestamp: '2026-11-02T15:00:00Z', platform: 'Tradovate' } })),
  getSubscription: { right: ofUser },
  createSubscription: body(() => ({ subscription: { status: 'active' } })),
  saveSubscription: { ...body(async ({ call, userId }) => {
    await call(cloudRoutes.createSubscription, { body: { userId, subscription: {} } })
    return { subscription: { hasSubscription: false } }
  }) },
  payments: { ...body(() => ({ action: 'create-checkout-session', subscriptionType: 'autosync', returnTo: 'http://127.0.0.1:47615/checkout/return' })), by: buyer },
  tradovate: { ...body(async () => ({ code: await codeFor(broker, broker.logins[0]?.name ?? ''), redirectUri: REDIRECT_URI })), by: admin },
  leaseCopier: { ...body(() => ({ ...lease, seconds: 60 })), by: admin },
  releaseCopier: { ...body(() => lease), by: admin },
  deleteCloudAccount: body(() => ({})),
}

const anns = png(marker)
const mine = png('of mallory')
const pictureQuery = z.object({ userId: z.string().optional(), name: pictureName })

/** What the cloud answers beside its contract. */
const besides = ({ userId }: CloudClient): readonly Tried[] => [
  { name: 'a picture that is kept', route: { method: 'POST', path: picturePath, query: pictureQuery, answer: z.object({ success: z.literal(true) }) }, right: { query: { userId, name: mine.name }, body: mine.bytes } },
  { name: 'a picture under any name', route: { method: 'POST', path: picturePath, query: pictureQuery, answer: z.unknown() }, right: { query: { userId, name: mine.name } }, exception: { why: 'nothing is sent', code: 'picture-unreadable' } },
  { name: 'a picture', route: { method: 'GET', path: picturePath, query: pictureQuery, answer: z.unknown() }, right: { query: { userId, name: mine.name } } },
  { name: 'a picture under the name of another', route: { method: 'POST', path: picturePath, query: pictureQuery, answer: z.unknown() }, right: { query: { userId, name: png('never sent').name }, body: mine.bytes }, exception: { why: 'the name follows from the bytes', code: 'invalid-request' } },
  { name: 'a picture of another', route: { method: 'GET', path: picturePath, query: pictureQuery, answer: z.unknown() }, right: { query: { userId, name: anns.name } }, exception: { why: 'it is not theirs', code: 'not-found' } },
]
const names = Object.keys(rightCalls) as (keyof typeof cloudRoutes)[]

const personOf = async (email: string): Promise<{ user: CloudClient; headers: Record<string, string> }> => {
  const user = await cloudUser(cloud, email)
  const { token } = await cloud.tokenOf(email)
  await user.tell(records)
  return { user, headers: { authorization: `Bearer ${token}` } }
}
const newPerson = () => personOf(`mallory-${String((people += 1))}@example.com`)

/** Every row of Ann's. */
const ofAnn = (): Promise<unknown> =>
  queryRows(databaseUrl, "SELECT 'record' AS kind, to_jsonb(r) AS row FROM records r WHERE user_id = $1 UNION ALL SELECT 'journal', to_jsonb(j) FROM journals j WHERE user_id = $1 UNION ALL SELECT 'subscription', to_jsonb(s) FROM subscriptions s WHERE user_id = $1 UNION ALL SELECT 'picture', to_jsonb(p) FROM pictures p WHERE user_id = $1 ORDER BY 1, 2", [ann.userId])

const errorsOf = ({ stderr }: RunningCloud): string[] => stderr().split('\n').filter((line) => line.includes('"level":50') || line.includes('"level":60'))

/** Makes all calls so often in each kind, and holds what must hold after them. */
const fuzzAll = async (runs: { readonly fitting: number; readonly nearly: number; readonly hostile: number }): Promise<void> => {
  const before = await ofAnn()
  const never = [marker, ann.userId, broker.clientSecret, databaseUrl]
  for (const name of names) {
    const { right, by } = rightCalls[name]
    let person = await (by === undefined ? newPerson() : personOf(by))
    let gone = false
    const headers = async (): Promise<Record<string, string>> => {
      // Whoever is deleted makes no more calls.
      if (gone) [person, gone] = [await newPerson(), false]
      return person.headers
    }
    const answered = (status: number): void => void (gone = name === 'deleteCloudAccount' && status === 200)
    await fuzzCall({ origin: cloud.url, headers, never, answered }, { name, route: cloudRoutes[name], right: await right(person.user) }, runs)
  }
  const person = await newPerson()
  for (const tried of besides(person.user)) await fuzzCall({ origin: cloud.url, headers: () => Promise.resolve(person.headers), never }, tried, runs)
  // Nothing else was kept under its name.
  const kept = await fetch(`${cloud.url}${picturePath}?name=${mine.name}`, { headers: person.headers })
  expect(Buffer.from(await kept.arrayBuffer())).toEqual(mine.bytes)
  expect(await ofAnn()).toEqual(before)
  expect((await ann.call(cloudRoutes.whoAmI)).userId).toBe(ann.userId)
  expect(errorsOf(cloud)).toEqual([])
  for (const secret of never) expect(cloud.stderr()).not.toContain(secret)
}

describe('every call of the cloud, generated from its schema', () => {
  test("succeeds or is refused for any input: no crash, no timeout, no other user's data", { tags: 'long' }, () => fuzzAll({ fitting: 1, nearly: 2, hostile: 1 }))
  test('and so in many more cases', { tags: 'long' }, () => fuzzAll({ fitting: sizeOf({ nightly: 40, long: 10, inCi: 2 }), nearly: sizeOf({ nightly: 50, long: 12, inCi: 3 }), hostile: sizeOf({ nightly: 25, long: 6, inCi: 2 }) }))
})

const someEvent = z.object({
  id: z.string(),
  object: z.literal('event'),
  type: z.enum(['checkout.session.completed', 'customer.subscription.updated', 'invoice.paid', 'invoice.payment_failed', 'charge.refunded']),
  data: z.object({ object: z.object({ id: z.string(), customer: z.union([z.string(), z.null(), z.object({ id: z.string() })]) }) }),
})
/** Says anything in the name of the payment provider, rightly signed. */
const hearAnything = async (numRuns: number): Promise<void> => {
  const before = await ofAnn()
  const example = { id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object: { id: 'in_1', customer: 'cus_1' } } }
  const { fitting, nearly, hostile } = casesOf(someEvent, example)
  const payloads = fc.oneof(
    fc.oneof(fitting, nearly, hostile).map((event) => JSON.stringify(event) ?? ''),
    fc.constantFrom('', 'null', '[]', '{', '"', '\0', '{"id":'),
  )
  const hear = async (payload: string): Promise<void> => {
    const status = await stripe.post.deliver({ id: '', type: '', payload, statuses: [] }, { to: `${cloud.url}${webhookPath}` })
    // Whoever says nonsense again and again is asked to wait.
    expect([200, 400, 429], payload).toContain(status)
  }
  await fc.assert(fc.asyncProperty(payloads, hear), { numRuns })
  expect(await ofAnn()).toEqual(before)
}

describe('a signed message of the payment provider', () => {
  test('is accepted or refused, whatever it contains', () => hearAnything(60))
  test('and so in many more messages', { tags: 'long' }, () => hearAnything(sizeOf({ nightly: 500, long: 500, inCi: 200 })))
})

const leads = /(?:url=|href=")([^"]*)"/g
const bounced = fc.record({ code: hostileText, state: hostileText, error: hostileText, returnTo: hostileText }, { requiredKeys: [] })
/** Comes back from a brokerage with anything: the page leads to the app with just that, or nowhere. Each from an address of its own, since who comes again and again is asked to wait. */
const bounceAnything = async (numRuns: number): Promise<void> => {
  const own = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_TRUSTED_PROXIES: '1', FILLBOOK_CLOUD_LOG_LEVEL: 'debug' } })
  let callers = 0
  const come = async (given: Readonly<Record<string, string | undefined>>, raw: string): Promise<void> => {
    callers += 1
    const known = Object.entries(given).flatMap(([name, text]) => (text === undefined ? [] : [[name, text.toWellFormed().slice(0, 4_200)]]))
    const search = raw === '' ? new URLSearchParams(known).toString() : encodeURI(raw.toWellFormed().slice(0, 2_000))
    const answer = await fetch(`${own.url}${bouncePath}?${search}`, { redirect: 'manual', headers: { 'x-forwarded-for': `10.${String(callers >> 16)}.${String((callers >> 8) & 255)}.${String(callers & 255)}` } })
    const html = await answer.text()
    expect([200, 400], search).toContain(answer.status)
    expect([...html.matchAll(/<(\w+)/g)].map(([, tag = '']) => tag).filter((tag) => !['html', 'meta', 'title', 'style', 'main', 'h1', 'p', 'a'].includes(tag)), search).toEqual([])
    const addresses = [...html.matchAll(leads)].map(([, address = '']) => address.replaceAll('&amp;', '&'))
    expect(addresses.length > 0, search).toBe(answer.status === 200)
    for (const address of addresses) {
      const { protocol, host, pathname, searchParams } = new URL(address)
      expect([protocol, host, pathname]).toEqual(['fillbook:', 'oauth', '/callback'])
      expect([...searchParams].every(([name, text]) => ['code', 'state', 'error'].includes(name) && new URLSearchParams(search).getAll(name).join() === text), address).toBe(true)
    }
  }
  const comes = fc.asyncProperty(bounced, fc.oneof({ weight: 4, arbitrary: fc.constant('') }, hostileText), ({ code, state, error, returnTo }, raw) => come({ code, state, error, returnTo }, raw))
  try {
    await fc.assert(comes, { numRuns })
    expect(errorsOf(own)).toEqual([])
  } finally {
    await own.stop()
  }
}

describe('a brokerage callback', () => {
  test('leads to the app with its parameters only, or nowhere', () => bounceAnything(60))
  test('and so in thousands of cases', { tags: 'long' }, () => bounceAnything(sizeOf({ nightly: 2_000, long: 2_000, inCi: 500 })))
})
