// @module-tag slow
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { ProblemCode } from '#shared/api/problems.ts'
import { ok } from '#shared/base/result.ts'
import { serveLoopback, type Seen, type Served } from '#tests/helpers/loopback.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { createCloudBrokerage } from '../cloud/brokerage.ts'
import { createCloudClient } from '../cloud/client.ts'
import { cloudApp } from './cloud-app.ts'

const consent = { code: 'code-1', redirectUri: 'http://127.0.0.1:4000/oauth/callback' }
const granted = { access_token: 'tok-1', token_type: 'bearer', expires_in: 3_600, refresh_token: 'ref-1', refresh_token_expires_in: 93_600 }
const refusal = (status: number, code: ProblemCode, more: object = {}): Served => ({ status, json: { success: false, code, error: code, ...more } })

const appAt = (url: string, timing = testTiming(), timeoutMs = 2_000) =>
  cloudApp(createCloudBrokerage(createCloudClient({ access: () => Promise.resolve(ok({ url, token: 'user-token' })) }, timeoutMs)), timing)

const setUp = async (answer: (seen: Seen) => Served, timeoutMs?: number) => {
  const { url, seen } = await serveLoopback((one) => (one.path === '/api/whoami' ? { json: { userId: 'cloud-ann' } } : answer(one)))
  const timing = testTiming()
  return { url, timing, app: appAt(url, timing, timeoutMs), asked: () => seen.filter(({ path }) => path !== '/api/whoami') }
}

/** An address at which nobody listens. */
const nobody = async (): Promise<string> => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  return `http://127.0.0.1:${String(port)}`
}

test('the cloud swaps the code, as its own user and with no secret of this computer', async () => {
  const { app, asked, timing } = await setUp(() => ({ json: { success: true, tokens: granted } }))
  const now = timing.now()
  expect(await app.exchange(consent)).toEqual({
    kind: 'connected',
    tokens: { access: 'tok-1', refresh: 'ref-1', accessExpiresAt: now + 3_600_000, obtainedAt: now },
  })
  expect(asked()).toMatchObject([{ method: 'POST', path: '/api/tradovate', bearer: 'user-token' }])
  expect(asked()[0]?.fields).toEqual({ userId: 'cloud-ann', ...consent })
})

test('a new refresh token replaces the old, which stays only where no new one came', async () => {
  const answers = [granted, { access_token: 'tok-2' }]
  const { app, asked } = await setUp(() => ({ json: { success: true, tokens: answers.shift() } }))
  expect(await app.refresh('ref-0')).toMatchObject({ kind: 'renewed', tokens: { access: 'tok-1', refresh: 'ref-1' } })
  expect(await app.refresh('ref-0')).toMatchObject({ kind: 'renewed', tokens: { access: 'tok-2', refresh: 'ref-0' } })
  expect(asked()[0]?.fields).toEqual({ userId: 'cloud-ann', action: 'refresh', refreshToken: 'ref-0' })
})

test("an organization's own hosts come with the tokens of a code and of a renewal", async () => {
  const apiHosts = { demo: 'demo-7.example', mdDemo: 'md-demo-7.example' }
  const { app } = await setUp(() => ({ json: { success: true, tokens: { ...granted, apiHosts } } }))
  expect(await app.exchange(consent)).toMatchObject({ kind: 'connected', tokens: { hosts: apiHosts } })
  expect(await app.refresh('ref-0')).toMatchObject({ kind: 'renewed', tokens: { hosts: apiHosts } })
})

test('only a refusal by the brokerage itself is one, in its own words', async () => {
  const { app } = await setUp(() => refusal(409, 'code-refused', { fields: [{ path: 'code', message: 'invalid_grant' }] }))
  expect(await app.exchange(consent)).toEqual({ kind: 'refused', lastError: 'invalid_grant' })
  expect(await app.refresh('ref-0')).toEqual({ kind: 'refused', lastError: 'invalid_grant' })
})

test.each<[string, Served, 'answer-lost' | 'unreachable']>([
  ['a brokerage out of reach', refusal(502, 'brokerage-unreachable'), 'unreachable'],
  ['a busy brokerage', refusal(503, 'brokerage-busy', { retryAfterMs: 7_000 }), 'unreachable'],
  ['a cloud without an application', refusal(409, 'brokerage-not-configured'), 'unreachable'],
  ['a cloud that does not know the user', refusal(401, 'wrong-token'), 'unreachable'],
  ['a forbidden call', refusal(403, 'not-this-user'), 'unreachable'],
  ['an answer that the cloud lost', refusal(502, 'answer-lost'), 'answer-lost'],
  ['a cloud in trouble', { status: 500 }, 'answer-lost'],
  ['a gateway with a page', { status: 502, text: '<h1>Bad gateway</h1>' }, 'answer-lost'],
  ['a cut line', 'cut', 'answer-lost'],
  ['silence', 'silence', 'answer-lost'],
  ['an answer of another shape', { json: { success: true, tokens: {} } }, 'answer-lost'],
])('%s never counts as a refusal', async (_, answer, kind) => {
  // Only silence is to run into it: an answer may be slow on a busy machine.
  const { app, asked } = await setUp(() => answer, answer === 'silence' ? 1_000 : 30_000)
  expect(await app.refresh('ref-0')).toMatchObject({ kind: 'unreachable' })
  const before = asked().length
  expect(await app.exchange(consent)).toMatchObject({ kind })
  // A code is sent again only where the cloud turned the sender away.
  expect(asked().length - before).toBe(answer !== 'cut' && answer !== 'silence' && answer.status === 401 ? 2 : 1)
})

test('a busy brokerage says when to try again', async () => {
  const { app } = await setUp(() => refusal(503, 'brokerage-busy', { retryAfterMs: 7_000 }))
  expect(await app.exchange(consent)).toEqual({ kind: 'unreachable', failure: { kind: 'rate-limited', waitMs: 7_000 } })
})

test('a cloud that was never reached leaves the code unused', async () => {
  const url = await nobody()
  expect(await appAt(url).exchange(consent)).toMatchObject({ kind: 'unreachable', failure: { kind: 'unreachable', cause: 'network' } })
  expect(await appAt(url).refresh('ref-0')).toMatchObject({ kind: 'unreachable' })
  expect(await appAt(url).clientId()).toEqual({ ok: false, error: { code: 'brokerage-unreachable' } })
})

test('the consent page is asked for as the application of the cloud', async () => {
  const answers: Served[] = [{ json: { clientId: 'cloud-app' } }, { json: { clientId: null } }, refusal(401, 'wrong-token'), refusal(401, 'wrong-token')]
  const { app } = await setUp(() => answers.shift() ?? 'cut')
  expect(await app.clientId()).toEqual(ok('cloud-app'))
  expect(await app.clientId()).toEqual({ ok: false, error: { code: 'brokerage-not-configured' } })
  expect(await app.clientId()).toEqual({ ok: false, error: { code: 'wrong-token' } })
})

test('the application is available if the cloud has one; an unreachable or silent cloud does not deny it', async () => {
  const patient = { ...testTiming(), sleep: () => new Promise<void>(() => undefined) }
  const has = await setUp(() => ({ json: { clientId: 'cloud-app' } }))
  expect(await appAt(has.url, patient).isThere()).toBe(true)
  const lacks = await setUp(() => ({ json: { clientId: null } }))
  expect(await appAt(lacks.url, patient).isThere()).toBe(false)
  expect(await appAt(await nobody(), patient).isThere()).toBe(true)
  const silent = await setUp(() => 'silence')
  expect(await silent.app.isThere()).toBe(true)
  expect(silent.timing.pauses).toEqual([1_500])
})
