// @module-tag slow
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startTestBroker } from '#tests/demo-broker/broker.ts'
import { giveConsent } from '#tests/demo-broker/give-consent.ts'
import { serveLoopback, type Seen, type Served } from '#tests/helpers/loopback.ts'
import { exchangeGrant, type Grant } from './broker-exchange.ts'

const client = { clientId: 'client', clientSecret: 'client-secret-1' }
const code: Grant = { code: 'code-1', redirectUri: 'http://127.0.0.1:4000/oauth/callback' }
const refresh: Grant = { refreshToken: 'ref-0' }
const tokens = { access_token: 'tok-1', token_type: 'bearer', expires_in: 4_800, refresh_token: 'ref-1', refresh_token_expires_in: 93_600 }

const exchangeAt = async (answer: (seen: Seen) => Served, grant: Grant = code, patienceMs = 10_000) => {
  const { url, seen } = await serveLoopback(answer)
  const result = await exchangeGrant({ ...client, tokenUrls: [`${url}/auth/oauthtoken`, `${url}/v1/auth/oauthtoken`] }, grant, patienceMs)
  return { result, seen }
}

/** An address where nothing listens. */
const nobodyAt = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${String(port)}`
}

describe('at the demo broker', () => {
  const redirectUri = 'http://127.0.0.1:5055/oauth/callback'

  test('a code becomes tokens once, and a refresh token once', async () => {
    const broker = await startTestBroker({ anchor: '2026-11-20' })
    try {
      const { clientId, clientSecret, origins } = broker
      const settings = { clientId, clientSecret, tokenUrls: origins.tokenUrls }
      const back = await giveConsent({ consentUrl: origins.consentUrl, clientId, redirectUri, state: 's', login: broker.logins[0]?.name ?? '', decision: 'allow' })
      const consent = { code: back.searchParams.get('code') ?? '', redirectUri }
      const first = await exchangeGrant(settings, consent)
      expect(first).toMatchObject({ ok: true, value: { token_type: 'bearer', expires_in: expect.any(Number) as number, access_token: expect.stringMatching(/./) as string } })
      expect(await exchangeGrant(settings, consent)).toMatchObject({ ok: false, error: { code: 'code-refused', fields: [{ path: 'code', message: expect.stringMatching(/^invalid_grant: /) as string }] } })

      const refreshToken = first.ok ? (first.value.refresh_token ?? '') : ''
      broker.faults.set([{ kind: 'penalty', seconds: 0.05, times: 1 }])
      expect(await exchangeGrant(settings, { refreshToken })).toMatchObject({ ok: true, value: { refresh_token: expect.not.stringMatching(refreshToken) as string } })
      expect(await exchangeGrant(settings, { refreshToken })).toMatchObject({ ok: false, error: { code: 'code-refused', fields: [{ path: 'refreshToken', message: 'invalid_token: The refresh token is not valid' }] } })

      broker.faults.set([{ kind: 'lost-answer', times: 1 }])
      expect(await exchangeGrant(settings, { refreshToken })).toEqual({ ok: false, error: { code: 'answer-lost' } })
      expect(await exchangeGrant({ ...settings, clientSecret: 'another' }, consent)).toMatchObject({ ok: false, error: { code: 'code-refused', fields: [{ message: expect.stringMatching(/^invalid_client: /) as string }] } })
    } finally {
      await broker.stop()
    }
  })
})

test('a grant is posted as a form with the application\'s id and secret, and the answer returned', async () => {
  const consented = await exchangeAt(() => ({ json: { ...tokens, id_token: 'x', expires_in: '4800' } }))
  expect(consented.result).toEqual({ ok: true, value: tokens })
  expect(consented.seen).toMatchObject([{ method: 'POST', path: '/auth/oauthtoken', bearer: null }])
  expect(consented.seen[0]?.fields).toEqual({ grant_type: 'authorization_code', code: 'code-1', redirect_uri: code.redirectUri, client_id: 'client', client_secret: 'client-secret-1' })
  const named = { demo: 'demo-7.example', mdDemo: 'md-demo-7.example' }
  const refreshed = await exchangeAt(() => ({ json: { access_token: 'tok-2', apiHosts: { ...named, live: 'https://live.example/', simTrading: 'x' } } }), refresh)
  expect(refreshed.result).toEqual({ ok: true, value: { access_token: 'tok-2', apiHosts: named } })
  expect(refreshed.seen[0]?.fields).toEqual({ grant_type: 'refresh_token', refresh_token: 'ref-0', client_id: 'client', client_secret: 'client-secret-1' })
})

test('the second address is used only if the first path does not exist', async () => {
  const { result, seen } = await exchangeAt(({ path }) => (path.startsWith('/v1/') ? { json: tokens } : { status: 404 }))
  expect([result.ok, ...seen.map(({ path }) => path)]).toEqual([true, '/auth/oauthtoken', '/v1/auth/oauthtoken'])
  const nowhere = await exchangeAt(() => ({ status: 405 }))
  expect([nowhere.result, nowhere.seen.length]).toEqual([{ ok: false, error: { code: 'brokerage-unreachable' } }, 2])
})

test.each<[string, Served]>([
  ['a cut line', 'cut'],
  ['silence beyond the limit', 'silence'],
  ['a failing server', { status: 503, json: { error: 'later' } }],
  ['a page of HTML', { text: '<html>down for maintenance</html>' }],
  ['half an answer', { text: '{"access_token":"tok' }],
  ['nothing at all', { text: '' }],
  ['an answer that grows beyond a megabyte', { headers: { 'content-encoding': 'gzip' }, text: gzipSync(`${' '.repeat(2 * 1024 * 1024)}${JSON.stringify(tokens)}`) }],
])('%s loses the answer, and the grant is sent no second time', async (_, served) => {
  for (const grant of [code, refresh]) {
    const { result, seen } = await exchangeAt(() => served, grant, served === 'silence' ? 200 : undefined)
    expect([result, seen.length]).toEqual([{ ok: false, error: { code: 'answer-lost' } }, 1])
  }
})

test.each<[string, Served, string]>([
  ['an error with status 200', { json: { error: 'invalid_grant', error_description: 'used' } }, 'invalid_grant: used'],
  ['an error text', { json: { errorText: 'The app is not registered' } }, 'The app is not registered'],
  ['a bare sentence', { text: 'Wrong client_id' }, 'Wrong client_id'],
  ['an empty object', { json: {} }, 'no-access-token'],
  ['a list', { json: [] }, 'no-access-token'],
  ['an empty token', { json: { access_token: '' } }, 'no-access-token'],
  ['a refusal by status', { status: 401, text: '' }, 'http-401'],
])('%s is a refusal in the brokerage\'s own words', async (_, served, message) => {
  const { result, seen } = await exchangeAt(() => served)
  expect([result, seen.length]).toEqual([{ ok: false, error: { code: 'code-refused', fields: [{ path: 'code', message }] } }, 1])
})

test('the broker’s text never contains the secret, the grant, or a token', async () => {
  const refusal = `client-secret-1 and code-1\nand ${'a1'.repeat(20)} ${'long '.repeat(100)}`
  const { result } = await exchangeAt(() => ({ json: { error: refusal } }))
  const message = result.ok ? '' : (result.error.fields?.[0]?.message ?? '')
  expect(message).toMatch(/^… and … and … long long/)
  expect(message.length).toBeLessThanOrEqual(200)
})

test('a penalty returns its wait', async () => {
  const waits = async (served: Served): Promise<unknown> => {
    const { result } = await exchangeAt(() => served)
    return result.ok ? null : [result.error.code, result.error.retryAfterMs]
  }
  expect(await waits({ status: 429, headers: { 'retry-after': '7' } })).toEqual(['brokerage-busy', 7_000])
  expect(await waits({ status: 429 })).toEqual(['brokerage-busy', 3_600_000])
  expect(await waits({ status: 423 })).toEqual(['brokerage-busy', 3_600_000])
  expect(await waits({ json: { 'p-captcha': true, 'p-ticket': 't', 'p-time': 1 } })).toEqual(['brokerage-busy', 3_600_000])
  expect(await waits({ json: { 'p-ticket': 't', 'p-time': 60 } })).toEqual(['brokerage-busy', 60_000])
})

test('a short penalty is waited out with its ticket, but not forever', async () => {
  const patient = await exchangeAt(({ fields }) => ({ json: fields['p-ticket'] === 't-1' ? tokens : { 'p-ticket': 't-1', 'p-time': 0.01 } }))
  expect([patient.result.ok, patient.seen.length]).toEqual([true, 2])
  const endless = await exchangeAt(() => ({ json: { 'p-ticket': 't', 'p-time': 0.01 } }))
  expect([endless.result, endless.seen.length]).toEqual([{ ok: false, error: { code: 'brokerage-busy', retryAfterMs: 10 } }, 4])
})

test('a request that certainly never arrived, or was redirected, leaves the grant unused', async () => {
  const unreachable = { ok: false, error: { code: 'brokerage-unreachable' } }
  expect(await exchangeGrant({ ...client, tokenUrls: [`${await nobodyAt()}/auth/oauthtoken`] }, code)).toEqual(unreachable)
  expect((await exchangeAt(() => ({ json: { errorText: 'This endpoint should be called on live.tradovateapi.com' } }))).result).toEqual(unreachable)
  const other = await serveLoopback(() => ({ json: tokens }))
  expect((await exchangeAt(() => ({ status: 307, headers: { location: `${other.url}/auth/oauthtoken` } }))).result).toEqual(unreachable)
  // The secret was not sent.
  expect(other.seen).toEqual([])
})
