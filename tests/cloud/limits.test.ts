import { afterAll, beforeAll, expect, test } from 'vitest'
import { perMinute } from '#cloud/http/limits.ts'
import { healthPath, readyPath, webhookPath, whoAmI } from '#shared/api/cloud.ts'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { startOwnCloud, type OwnCloud } from '../helpers/own-cloud.ts'
import { newAddress } from './provider.ts'

let cloud: OwnCloud
// Nobody is asked: a wrong signature is seen without the provider.
const stripe = {
  FILLBOOK_CLOUD_STRIPE_SECRET_KEY: 'sk_test_limits', FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET: 'whsec_limits', FILLBOOK_CLOUD_STRIPE_API_URL: 'http://127.0.0.1:9',
  FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC: 'price_1', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER: 'price_2', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID: 'price_3', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_ENTERPRISE: 'price_4',
}

beforeAll(async () => {
  cloud = await startOwnCloud({ env: { ...stripe, FILLBOOK_CLOUD_TRUSTED_PROXIES: '1' } })
})
afterAll(() => cloud.stop())

type Asked = { readonly token?: string; readonly address?: string; readonly body?: object; readonly at?: string }
const ask = async (path: string, { token, address = newAddress(), body, at = cloud.url }: Asked = {}) => {
  const headers = { 'x-forwarded-for': address, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const answer = await fetch(`${at}${path}`, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after') ?? '0'), body: (await answer.json()) as { code?: string; retryAfterMs?: number } }
}
/** The statuses of so many calls. */
const statuses = async (calls: number, call: () => ReturnType<typeof ask>): Promise<number[]> => {
  const all: number[] = []
  while (all.length < calls) all.push(...(await Promise.all(Array.from({ length: Math.min(20, calls - all.length) }, call))).map(({ status }) => status))
  return all
}
const countOf = (all: readonly number[], status: number): number => all.filter((one) => one === status).length
const expectPause = ({ status, retryAfter, body }: Awaited<ReturnType<typeof ask>>): void => {
  expect([status, body.code]).toEqual([429, 'too-many-calls'])
  expect(body.retryAfterMs).toBeGreaterThan(0)
  expect(body.retryAfterMs).toBeLessThanOrEqual(60_000)
  expect(retryAfter).toBe(Math.ceil((body.retryAfterMs ?? 0) / 1_000))
}

test("a user who calls too often is rate-limited; others, the user's own mirror, and health checks are not", { tags: 'long' }, async () => {
  const [{ token, userId }, other] = [await cloud.tokenOf('busy@example.com'), await cloud.tokenOf('calm@example.com')]
  const all = await statuses(perMinute.calls, () => ask(whoAmI.path, { token }))
  expect(countOf(all, 200)).toBe(perMinute.calls)
  expectPause(await ask(whoAmI.path, { token }))
  expect((await ask(whoAmI.path, { token: other.token })).status).toBe(200)
  expect((await ask(`${mirrorRoutes.journal.path}?userId=${userId}`, { token })).status).toBe(200)
  for (const path of [healthPath, readyPath]) expect((await ask(path)).status).toBe(200)
})

test('calls to the payment provider are limited more strictly, whatever their outcome', async () => {
  const { token, userId } = await cloud.tokenOf('payer@example.com')
  const pay = () => ask(subscriptionRoutes.payments.path, { token, body: { userId, action: 'no-such-thing' } })
  expect(countOf(await statuses(perMinute.payments, pay), 400)).toBe(perMinute.payments)
  expectPause(await pay())
  expect((await ask(whoAmI.path, { token })).status).toBe(200)
})

test('guessing tokens is throttled by address; a valid token from there is not', async () => {
  const address = newAddress()
  const guess = () => ask(whoAmI.path, { token: 'guessed', address })
  expect(countOf(await statuses(perMinute.strangers, guess), 401)).toBe(perMinute.strangers)
  expectPause(await guess())
  expectPause(await ask('/api/nothing', { address }))
  expectPause(await ask(whoAmI.path, { address }))
  const { token } = await cloud.tokenOf('neighbor@example.com')
  expect((await ask(whoAmI.path, { token, address })).status).toBe(200)
  expect((await ask(whoAmI.path, { token: 'guessed' })).status).toBe(401)
})

test('a sender of forged payment messages is rate-limited', async () => {
  const address = newAddress()
  const forge = () => ask(webhookPath, { address, body: { id: 'evt_1', type: 'invoice.paid' } })
  expect(countOf(await statuses(perMinute.strangers, forge), 400)).toBe(perMinute.strangers)
  expectPause(await forge())
  expect((await ask(webhookPath, { body: {} })).body.code).toBe('wrong-signature')
})

test('without a trusted proxy a caller cannot choose its address', { tags: 'long' }, async () => {
  const direct = await startOwnCloud()
  try {
    const guess = () => ask(whoAmI.path, { token: 'guessed', at: direct.url })
    expect(countOf(await statuses(perMinute.strangers, guess), 401)).toBe(perMinute.strangers)
    expectPause(await guess())
    // Said once, without the address.
    expect(direct.stderr().match(/ERR_ERL_UNEXPECTED_X_FORWARDED_FOR/g)).toHaveLength(1)
  } finally {
    await direct.stop()
  }
})
