// @module-tag slow
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { askTokens, call, codeFor, logIn, REDIRECT_URI, refreshTokens, tokenFields } from '#tests/helpers/demo-client.ts'
import { giveConsent } from '#tests/demo-broker/give-consent.ts'

const ANCHOR = '2026-11-20'
const AVA = 'ava.morgan'
let wall = Date.parse('2026-11-21T10:00:00Z')
let broker: TestBroker

beforeEach(async () => {
  broker = await startTestBroker({ anchor: ANCHOR, wallNow: () => wall })
})
afterEach(() => broker.stop())

const consentUrl = (fields: Record<string, string> = {}): string =>
  `${broker.origins.consentUrl}?${new URLSearchParams({ response_type: 'code', client_id: broker.clientId, redirect_uri: REDIRECT_URI, state: 'a&b', ...fields })}`

const statusOf = async (token: string, path = '/account/list'): Promise<number> => (await call(broker, 'demo', token, path)).status

describe('the consent page', () => {
  it('offers every login, under localhost and under 127.0.0.1', async () => {
    for (const url of [consentUrl(), consentUrl().replace('localhost', '127.0.0.1')]) {
      const page = await (await fetch(url)).text()
      expect(page).toContain('value="ava.morgan"')
      expect(page).toContain('value="ben.keller"')
      expect(page).toContain('Demo brokerage')
    }
  })

  it('sends back a code, or the denial, with the state unchanged', async () => {
    const consent = { consentUrl: broker.origins.consentUrl, clientId: broker.clientId, redirectUri: REDIRECT_URI, state: 'x=1&y', login: AVA }
    const allowed = await giveConsent({ ...consent, decision: 'allow' })
    expect(allowed.href.startsWith(`${REDIRECT_URI}?`)).toBe(true)
    expect(allowed.searchParams.get('code')).toBeTruthy()
    expect(allowed.searchParams.get('state')).toBe('x=1&y')
    const denied = await giveConsent({ ...consent, decision: 'deny' })
    expect(Object.fromEntries(denied.searchParams)).toEqual({ error: 'access_denied', state: 'x=1&y' })
  })

  it('remembers the login of last time and offers another', async () => {
    const body = tokenFields(broker, { state: 's', login: 'ben.keller', decision: 'allow' })
    const decided = await fetch(broker.origins.consentUrl, { method: 'POST', redirect: 'manual', body })
    const cookie = (decided.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const again = await (await fetch(consentUrl(), { headers: { cookie } })).text()
    expect(again).toContain('value="ben.keller"')
    expect(again).not.toContain('value="ava.morgan"')
    expect(again).toContain('Use another login')
    expect(await (await fetch(consentUrl({ another: '1' }), { headers: { cookie } })).text()).toContain('value="ava.morgan"')
    expect(await (await fetch(consentUrl({ prompt: 'login' }), { headers: { cookie } })).text()).toContain('value="ava.morgan"')
  })

  it('sends nobody to an address that is not registered, and writes what it was given as text', async () => {
    expect((await fetch(consentUrl({ redirect_uri: 'https://elsewhere.example/cb' }))).status).toBe(400)
    expect((await fetch(consentUrl({ client_id: 'other' }))).status).toBe(400)
    expect((await fetch(consentUrl({ response_type: 'token' }))).status).toBe(400)
    expect(await (await fetch(consentUrl({ state: '"><script>' }))).text()).not.toContain('<script>')
  })

  it('answers to its own names only', async () => {
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      request(`${broker.url}/oauth`, { headers: { host: 'evil.example' } }, (answer) => resolve(answer.statusCode)).on('error', reject).end()
    })
    expect(status).toBe(400)
  })
})

describe('the code exchange', () => {
  it('takes a form, JSON, and the secret by Basic, at both addresses', async () => {
    const code = async () => codeFor(broker, AVA)
    const fields = async () => Object.fromEntries(tokenFields(broker, { grant_type: 'authorization_code', code: await code() }))
    const basic = `Basic ${Buffer.from(`${broker.clientId}:${broker.clientSecret}`).toString('base64')}`
    const asForm: RequestInit = { body: new URLSearchParams(await fields()) }
    const asJson: RequestInit = { body: JSON.stringify(await fields()), headers: { 'content-type': 'application/json' } }
    const asBasic: RequestInit = { body: new URLSearchParams({ grant_type: 'authorization_code', code: await code(), redirect_uri: REDIRECT_URI }), headers: { authorization: basic } }
    for (const [url, init] of [[broker.origins.tokenUrls[0], asForm], [broker.origins.tokenUrls[1], asJson], [broker.origins.tokenUrls[0], asBasic]] as const) {
      const answer = await fetch(url, { method: 'POST', ...init })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({
        access_token: expect.stringMatching(/^tok-/), token_type: 'bearer', expires_in: 4800,
        refresh_token: expect.stringMatching(/^ref-/), refresh_token_expires_in: 93_600,
      })
    }
  })

  it('takes a code once', async () => {
    const code = await codeFor(broker, AVA)
    expect(await (await askTokens(broker, { grant_type: 'authorization_code', code })).json()).toHaveProperty('access_token')
    const again = await askTokens(broker, { grant_type: 'authorization_code', code })
    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('wants the redirect URI byte for byte', async () => {
    const code = await codeFor(broker, AVA)
    expect(await (await askTokens(broker, { grant_type: 'authorization_code', code, redirect_uri: `${REDIRECT_URI}/` })).json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('forgets a code after ten minutes', async () => {
    const code = await codeFor(broker, AVA)
    wall += 600_000
    expect(await (await askTokens(broker, { grant_type: 'authorization_code', code })).json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('refuses a wrong client with HTTP 200, and on the demo host in plain words', async () => {
    const wrong = await askTokens(broker, { grant_type: 'authorization_code', code: await codeFor(broker, AVA), client_secret: 'guess' })
    expect(wrong.status).toBe(200)
    expect(await wrong.json()).toEqual({ error: 'invalid_client', error_description: expect.any(String) })
    const demo = await fetch(`${broker.url}/demo/v1/auth/oauthtoken`, { method: 'POST', body: tokenFields(broker, { grant_type: 'refresh_token' }) })
    expect([demo.status, await demo.text()]).toEqual([200, 'Wrong client_id'])
  })
})

describe('tokens', () => {
  it('open both hosts, and nothing opens without one', async () => {
    const { access_token: token } = await logIn(broker, 'ben.keller')
    for (const environment of ['live', 'demo'] as const) {
      expect((await call(broker, environment, token, '/account/list')).status).toBe(200)
      expect((await call(broker, environment, 'tok-none', '/account/list')).status).toBe(401)
      const none = await fetch(`${broker.url}/${environment}/v1/account/list`)
      expect([none.status, await none.text()]).toEqual([401, ''])
    }
  })

  it('die when their time is over', async () => {
    const { access_token: token } = await logIn(broker, AVA)
    wall += 4_799_999
    expect(await statusOf(token)).toBe(200)
    wall += 1
    expect(await statusOf(token)).toBe(401)
  })

  it('are refreshed: the refresh token rotates, the old one is refused with HTTP 200', async () => {
    const first = await logIn(broker, AVA)
    const second = await refreshTokens(broker, first.refresh_token ?? '')
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await statusOf(second.access_token)).toBe(200)
    const old = await askTokens(broker, { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' })
    expect([old.status, await old.json()]).toEqual([200, { error: 'invalid_token', error_description: expect.any(String) }])
    expect(broker.sessions.open(AVA)).toBe(1)
  })

  it('are renewed within their session, by GET and POST, while they live', async () => {
    const { access_token: token } = await logIn(broker, 'ben.keller')
    for (const method of ['GET', 'POST']) {
      const renewed = await (await call(broker, 'demo', token, '/auth/renewaccesstoken', { method })).json()
      expect(renewed).toMatchObject({
        expirationTime: new Date(wall + 4_800_000).toISOString(), userStatus: 'Active', userId: 9002, name: 'ben.keller', hasLive: true,
      })
      expect(await statusOf(renewed.accessToken)).toBe(200)
    }
    expect(broker.sessions.open('ben.keller')).toBe(1)
    wall += 4_800_000
    expect(await statusOf(token, '/auth/renewaccesstoken')).toBe(401)
  })

  it('name the logged-in user, on the live host only', async () => {
    const { access_token: token } = await logIn(broker, AVA)
    const me = await fetch(`${broker.url}/live/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(await me.json()).toMatchObject({ userId: 9001, name: AVA, fullName: 'Ava Morgan' })
    expect(await (await call(broker, 'demo', token, '/auth/me')).json()).toEqual({ errorText: expect.stringContaining('live.') })
  })

  it('are at most two sessions: the third closes the oldest, whose refresh token opens a new one', async () => {
    const oldest = await logIn(broker, AVA)
    wall += 1
    const middle = await logIn(broker, AVA)
    wall += 1
    const newest = await logIn(broker, AVA)
    expect([await statusOf(oldest.access_token), await statusOf(middle.access_token), await statusOf(newest.access_token)]).toEqual([408, 200, 200])
    const back = await refreshTokens(broker, oldest.refresh_token ?? '')
    expect([await statusOf(back.access_token), await statusOf(middle.access_token)]).toEqual([200, 408])
    expect(broker.sessions.open(AVA)).toBe(2)
  })

  it('can be killed, pushed out and revoked by hand', async () => {
    const tokens = await logIn(broker, AVA)
    broker.sessions.pushOut(AVA, 429)
    expect(await statusOf(tokens.access_token)).toBe(429)
    const again = await logIn(broker, AVA)
    broker.sessions.killAccess(AVA)
    expect(await statusOf(again.access_token)).toBe(401)
    const refreshed = await refreshTokens(broker, again.refresh_token ?? '')
    broker.sessions.revoke(AVA)
    expect(await statusOf(refreshed.access_token)).toBe(401)
    expect(await (await askTokens(broker, { grant_type: 'refresh_token', refresh_token: refreshed.refresh_token ?? '' })).json()).toMatchObject({ error: 'invalid_token' })
  })

  it('live on over a restart where a file keeps them, readable by their owner only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fillbook-demo-'))
    const stateFile = join(folder, 'brokerage.json')
    const kept = await startTestBroker({ anchor: ANCHOR, stateFile, wallNow: () => wall })
    const tokens = await logIn(kept, AVA)
    await kept.stop()
    expect(statSync(stateFile).mode & 0o777).toBe(0o600)
    const restarted = await startTestBroker({ anchor: ANCHOR, stateFile, wallNow: () => wall, clientSecret: kept.clientSecret })
    expect((await call(restarted, 'demo', tokens.access_token, '/account/list')).status).toBe(200)
    expect(await refreshTokens(restarted, tokens.refresh_token ?? '')).toHaveProperty('access_token')
    await restarted.stop()
    rmSync(folder, { recursive: true })
  })
})
