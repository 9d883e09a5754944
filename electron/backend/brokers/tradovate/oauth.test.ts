// @module-tag slow
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { serveLoopback, type Seen, type Served } from '#tests/helpers/loopback.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { createAsk } from './ask.ts'
import { productionHosts } from '#tests/helpers/production-hosts.ts'
import { consentUrl, exchangeCode, refreshTokens, renewTokens } from './oauth.ts'

const granted = { access_token: 'tok-1', token_type: 'bearer', expires_in: 3_600, refresh_token: 'ref-1', refresh_token_expires_in: 93_600 }
const consent = { code: 'code-1', redirectUri: 'http://127.0.0.1:4000/oauth/callback' }
const credentials = { clientId: 'client', clientSecret: 'client-secret-1' }

const setUp = async (answer: (seen: Seen) => Served, timeoutMs = 2_000) => {
  const { url, seen } = await serveLoopback(answer)
  const timing = testTiming()
  const hosts = { authorize: `${url}/oauth`, token: [`${url}/auth/oauthtoken`, `${url}/v1/auth/oauthtoken`], live: `${url}/live/v1`, demo: `${url}/demo/v1` } as const
  return { seen, timing, setup: { ask: createAsk(timing, timeoutMs), timing, hosts, credentials } }
}

test('the consent page is asked for a code, with the state that must come back', () => {
  const url = new URL(consentUrl({ hosts: productionHosts, clientId: 'a b', redirectUri: consent.redirectUri, state: 's&t' }))
  expect(url.origin + url.pathname).toBe('https://trader.tradovate.com/oauth')
  expect(Object.fromEntries(url.searchParams)).toEqual({ response_type: 'code', client_id: 'a b', redirect_uri: consent.redirectUri, state: 's&t' })
})

test('adding another login asks for credentials even if one is signed in', () => {
  const url = consentUrl({ hosts: productionHosts, clientId: 'c', redirectUri: consent.redirectUri, state: 's', anotherLogin: true })
  expect(new URL(url).searchParams.get('prompt')).toBe('login')
})

test('a code becomes tokens with their ends in local time', async () => {
  const { setup, seen, timing } = await setUp(() => ({ json: granted }))
  const now = timing.now()
  expect(await exchangeCode(setup, consent)).toEqual({
    kind: 'connected',
    tokens: { access: 'tok-1', refresh: 'ref-1', accessExpiresAt: now + 3_600_000, obtainedAt: now },
  })
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ method: 'POST', path: '/auth/oauthtoken', bearer: null })
  expect(seen[0]?.fields).toEqual({ grant_type: 'authorization_code', code: 'code-1', redirect_uri: consent.redirectUri, client_id: 'client', client_secret: 'client-secret-1' })
})

test('an answer with nothing but the token is enough: no refresh token, 80 minutes', async () => {
  const { setup, timing } = await setUp(() => ({ json: { access_token: 'tok-1' } }))
  expect(await exchangeCode(setup, consent)).toEqual({
    kind: 'connected',
    tokens: { access: 'tok-1', accessExpiresAt: timing.now() + 4_800_000, obtainedAt: timing.now() },
  })
})

test('the /v1 form is tried only where the bare path is none', async () => {
  const { setup, seen } = await setUp(({ path }) => (path.startsWith('/v1/') ? { json: granted } : { status: 404 }))
  expect(await exchangeCode(setup, consent)).toMatchObject({ kind: 'connected' })
  expect(seen.map(({ path }) => path)).toEqual(['/auth/oauthtoken', '/v1/auth/oauthtoken'])
})

test.each<[string, Served]>([
  ['a cut line', 'cut'],
  ['silence', 'silence'],
  ['a 500', { status: 500 }],
  ['half an answer', { text: '{"access_token":"tok' }],
  ['a page of HTML', { text: '<h1>Back soon</h1>' }],
])('after %s the code may be used up: it is never sent again', async (_, trouble) => {
  const { setup, seen } = await setUp(() => trouble, 300)
  expect(await exchangeCode(setup, consent)).toEqual({ kind: 'answer-lost' })
  expect(seen).toHaveLength(1)
})

test('a broker that was never reached leaves the code unused', async () => {
  const { setup } = await setUp(() => 'cut')
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const nobody = `http://127.0.0.1:${String((closed.address() as AddressInfo).port)}`
  await new Promise((resolve) => closed.close(resolve))
  const outcome = await exchangeCode({ ...setup, hosts: { ...setup.hosts, token: [`${nobody}/auth`, `${nobody}/v1/auth`] } }, consent)
  expect(outcome).toEqual({ kind: 'unreachable', failure: { kind: 'unreachable', cause: 'network', status: null } })
})

test.each<[string, Served, string]>([
  ['an error with status 200', { json: { error: 'invalid_client', error_description: 'no such client' } }, 'invalid_client: no such client'],
  ['a bare sentence', { text: 'Wrong client_id' }, 'Wrong client_id'],
  ['a 400', { status: 400, json: { error: 'invalid_grant' } }, 'invalid_grant'],
  ['a 401', { status: 401 }, 'http-401'],
  ['no token at all', { json: { token_type: 'bearer' } }, 'no-access-token'],
  ['a null', { json: null }, 'no-access-token'],
])('%s is a refusal', async (_, answer, lastError) => {
  const { setup, seen } = await setUp(() => answer)
  expect(await exchangeCode(setup, consent)).toEqual({ kind: 'refused', lastError })
  expect(await refreshTokens(setup, 'ref-0')).toEqual({ kind: 'refused', lastError })
  expect(seen).toHaveLength(2)
})

test('no secret that was sent comes back in a refusal', async () => {
  const { setup } = await setUp(({ fields }) => ({ json: { error: `bad ${JSON.stringify(fields)}` } }))
  const outcome = JSON.stringify([await exchangeCode(setup, consent), await refreshTokens(setup, 'ref-0')])
  for (const secret of ['code-1', 'client-secret-1', 'ref-0']) expect(outcome).not.toContain(secret)
  expect(outcome).toContain('bad {')
})

test.each<[string, Served, object]>([
  ['a 503', { status: 503 }, { kind: 'unreachable', status: 503 }],
  ['a cut line', 'cut', { kind: 'unreachable', cause: 'network' }],
  ['a limit', { status: 429 }, { kind: 'rate-limited' }],
  ['a captcha', { json: { 'p-captcha': true } }, { kind: 'captcha' }],
  ['a missing path', { status: 404 }, { kind: 'not-found' }],
])('%s does not count against the login', async (_, trouble, failure) => {
  const { setup } = await setUp(() => trouble)
  expect(await refreshTokens(setup, 'ref-0')).toMatchObject({ kind: 'unreachable', failure })
})

test('a new refresh token replaces the old, which stays only where no new one came', async () => {
  const answers = [{ json: granted }, { json: { access_token: 'tok-2' } }]
  const { setup } = await setUp(() => answers.shift() ?? 'cut')
  expect(await refreshTokens(setup, 'ref-0')).toMatchObject({ kind: 'renewed', tokens: { access: 'tok-1', refresh: 'ref-1' } })
  expect(await refreshTokens(setup, 'ref-0')).toMatchObject({ kind: 'renewed', tokens: { access: 'tok-2', refresh: 'ref-0' } })
})

test('an exchange and a refresh may name hosts too', async () => {
  const { setup } = await setUp(() => ({ json: { ...granted, apiHosts: { demo: 'demo-7.example' } } }))
  const named = { tokens: { hosts: { demo: 'demo-7.example' } } }
  expect([await exchangeCode(setup, { code: 'c', redirectUri: 'r' }), await refreshTokens(setup, 'ref-0')]).toMatchObject([named, named])
})

test('renewing keeps the refresh token, takes the new end and keeps the hosts that are named, over those of before', async () => {
  const { setup, seen, timing } = await setUp(() => ({
    json: { accessToken: 'tok-2', expirationTime: new Date(timing.now() + 60_000).toISOString(), apiHosts: { demo: 'demo-7.example', mdDemo: 'md-7.example:443', live: 'https://live.example/v1', simTrading: 'x' } },
  }))
  const tokens = { access: 'tok-1', refresh: 'ref-1', accessExpiresAt: 0, obtainedAt: 0, hosts: { demo: 'demo-1.example', reportingDemo: 'rpt-1.example' } }
  expect(await renewTokens(setup, tokens)).toEqual({
    kind: 'renewed',
    tokens: { access: 'tok-2', refresh: 'ref-1', accessExpiresAt: timing.now() + 60_000, obtainedAt: timing.now(), hosts: { demo: 'demo-7.example', mdDemo: 'md-7.example:443', reportingDemo: 'rpt-1.example' } },
  })
  expect(seen).toMatchObject([{ path: '/live/v1/auth/renewaccesstoken', bearer: 'tok-1' }])
})

test('an expiry in the past, by a wrong clock, is replaced by the usual lifetime', async () => {
  const { setup, timing } = await setUp(() => ({ json: { accessToken: 'tok-2', expirationTime: '2020-01-01T00:00Z' } }))
  const outcome = await renewTokens(setup, { access: 'tok-1', accessExpiresAt: 0, obtainedAt: 0 })
  expect(outcome).toMatchObject({ tokens: { accessExpiresAt: timing.now() + 4_800_000 } })
})

test('where the live side sends renewals elsewhere the demo side is asked', async () => {
  const { setup, seen } = await setUp(({ path }) =>
    path.startsWith('/live') ? { json: { errorText: 'This endpoint should be called on demo.tradovateapi.com' } } : { json: { accessToken: 'tok-2' } },
  )
  expect(await renewTokens(setup, { access: 'tok-1', accessExpiresAt: 0, obtainedAt: 0 })).toMatchObject({ kind: 'renewed' })
  expect(seen).toHaveLength(2)
})
