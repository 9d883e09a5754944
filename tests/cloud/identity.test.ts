import { createHmac } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDevIssuer, developmentIssuer } from '#cloud/dev-issuer.ts'
import { cloudRoutes } from '#shared/api/cloud.ts'
import { picturePath } from '#shared/api/mirror.ts'
import type { Route } from '#shared/api/route.ts'
import { startCloud } from '../helpers/cloud.ts'
import type { RunningCloud } from '../helpers/cloud.ts'
import { publishKeys } from './key-server.ts'
import type { KeyServer } from './key-server.ts'
import { startPostgres } from '../helpers/postgres.ts'
import type { PostgresServer } from '../helpers/postgres.ts'

const [issuer, audience] = ['https://identity.fillbook.test', 'fillbook']
type Pair = Awaited<ReturnType<typeof generateKeyPair>>
type Claims = { sub?: string; iss?: string; aud?: string; exp?: number | null; nbf?: number }

let server: PostgresServer
let provider: KeyServer
let cloud: RunningCloud
let rsa: Pair
let forger: Pair

const published = async ({ publicKey }: Pair, kid: string, alg: string): Promise<JWK> => ({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' })
const nowSeconds = () => Math.floor(Date.now() / 1_000)
const claimsOf = ({ sub = 'ann', iss = issuer, aud = audience, exp = nowSeconds() + 600, nbf }: Claims) => ({ ...(sub === '' ? {} : { sub }), iss, aud, ...(exp === null ? {} : { exp }), ...(nbf === undefined ? {} : { nbf }) })
const signed = (claims: Claims, { privateKey }: Pair = rsa, header: { alg: string; kid?: string } = { alg: 'RS256', kid: 'first' }) => new SignJWT(claimsOf(claims)).setProtectedHeader(header).sign(privateKey)
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const ask = async (authorization: string | null, path = '/api/whoami', at = cloud) => {
  const answer = await fetch(`${at.url}${path}`, authorization === null ? {} : { headers: { authorization } })
  return { status: answer.status, challenge: answer.headers.get('www-authenticate'), body: (await answer.json()) as Record<string, unknown> }
}
const problem = (code: 'no-token' | 'wrong-token') => ({ status: 401, challenge: 'Bearer', body: { success: false, code, error: code } })

beforeAll(async () => {
  server = await startPostgres()
  rsa = await generateKeyPair('RS256')
  forger = await generateKeyPair('RS256')
  provider = await publishKeys([await published(rsa, 'first', 'RS256')])
  cloud = await startCloud({ databaseUrl: await server.newDatabase(), mode: 'production', env: { FILLBOOK_CLOUD_JWKS_URL: provider.url, FILLBOOK_CLOUD_ISSUER: issuer, FILLBOOK_CLOUD_AUDIENCE: audience } })
})
afterAll(async () => {
  await cloud.stop()
  await provider.stop()
  await server.stop()
})

describe('whose a token is', () => {
  test('a good one says who calls; keys are fetched once', async () => {
    const before = provider.asked()
    for (const sub of ['ann', 'bob', 'ann']) expect(await ask(`Bearer ${await signed({ sub })}`)).toEqual({ status: 200, challenge: null, body: { userId: sub } })
    expect(provider.asked()).toBeLessThanOrEqual(before + 1)
  })

  test('without one, or with something else, there is no token', async () => {
    for (const authorization of [null, 'Basic YW5uOmFubg==', 'Bearer', 'Bearer two words']) expect(await ask(authorization), String(authorization)).toEqual(problem('no-token'))
  })

  test('a wrong one is refused, whatever is wrong with it', async () => {
    const publicKey = await exportSPKI(rsa.publicKey)
    const confused = `${base64({ alg: 'HS256', kid: 'first' })}.${base64(claimsOf({}))}`
    const [header = '', , signature = ''] = (await signed({})).split('.')
    const wrong: Record<string, string> = {
      'not a token': 'abc',
      'alg none': `${base64({ alg: 'none' })}.${base64(claimsOf({}))}.`,
      'alg none with a key id': `${base64({ alg: 'none', kid: 'first' })}.${base64(claimsOf({}))}.`,
      'the public key taken for a shared secret': `${confused}.${createHmac('sha256', publicKey).update(confused).digest('base64url')}`,
      'a forged key under the name of a good one': await signed({}, forger),
      'a key that nobody publishes': await signed({}, forger, { alg: 'RS256', kid: 'unheard of' }),
      'a key of its own in the header': await new SignJWT(claimsOf({})).setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(forger.publicKey) }).sign(forger.privateKey),
      'other claims under a good signature': `${header}.${base64(claimsOf({ sub: 'bob' }))}.${signature}`,
      'a good token without its signature': `${header}.${base64(claimsOf({}))}.`,
      'another issuer': await signed({ iss: 'https://elsewhere.test' }),
      'another audience': await signed({ aud: 'somebody else' }),
      expired: await signed({ exp: nowSeconds() - 60 }),
      'never expiring': await signed({ exp: null }),
      'good only later': await signed({ nbf: nowSeconds() + 600 }),
      'of nobody': await signed({ sub: '' }),
      'of a name without end': await signed({ sub: 'a'.repeat(256) }),
      'of a name beyond ASCII': await signed({ sub: 'änn' }),
    }
    for (const [what, token] of Object.entries(wrong)) expect(await ask(`Bearer ${token}`), what).toEqual(problem('wrong-token'))
  })

  test('every call wants one, and so do pictures', async () => {
    for (const route of Object.values<Route>(cloudRoutes)) {
      const answer = await fetch(`${cloud.url}${route.path}`, { method: route.method })
      expect(answer.status, route.path).toBe(401)
      expect(await answer.json()).toMatchObject({ code: 'no-token' })
    }
    expect((await ask(null, `${picturePath}?name=${'a'.repeat(64)}.png`)).status).toBe(401)
  })

  test('a user who names another is refused', async () => {
    const authorization = `Bearer ${await signed({ sub: 'ann' })}`
    for (const path of ['/api/mirror/journal?userId=bob', '/api/mirror/changes?userId=bob&part=pairs&after=0&upTo=1', `${picturePath}?userId=bob&name=${'a'.repeat(64)}.png`]) {
      expect(await ask(authorization, path)).toMatchObject({ status: 403, body: { code: 'not-this-user' } })
    }
    const push = await fetch(`${cloud.url}/api/mirror/push`, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify({ userId: 'bob', journal: null, after: 0, records: [] }) })
    expect([push.status, await push.json()]).toEqual([403, expect.objectContaining({ code: 'not-this-user' })])
  })

  test('a provider that changes its keys is heard, and the old key opens nothing any more', async () => {
    const next = await generateKeyPair('ES256')
    const old = await signed({})
    provider.publish([await published(next, 'second', 'ES256')])
    const token = await signed({}, next, { alg: 'ES256', kid: 'second' })
    await vi.waitUntil(async () => (await ask(`Bearer ${token}`)).status === 200, { timeout: 60_000, interval: 50 })
    expect(await ask(`Bearer ${old}`)).toEqual(problem('wrong-token'))
    provider.publish([await published(rsa, 'first', 'RS256')])
    await vi.waitUntil(async () => (await ask(`Bearer ${old}`)).status === 200, { timeout: 60_000, interval: 50 })
  })

  test('while keys can not be had nobody is sent away for good', async () => {
    const lost = await startCloud({ databaseUrl: await server.newDatabase(), mode: 'production', env: { FILLBOOK_CLOUD_JWKS_URL: `${provider.url}-broken`, FILLBOOK_CLOUD_ISSUER: issuer, FILLBOOK_CLOUD_AUDIENCE: audience } })
    try {
      expect(await ask(`Bearer ${await signed({})}`, '/api/whoami', lost)).toMatchObject({ status: 503, body: { code: 'internal', retryAfterMs: 1_000 } })
      expect(await ask(null, '/api/whoami', lost)).toEqual(problem('no-token'))
    } finally {
      await lost.stop()
    }
  })
})

describe('the development issuer', () => {
  let first: RunningCloud
  let second: RunningCloud
  beforeAll(async () => {
    const databaseUrl = await server.newDatabase()
    first = await startCloud({ databaseUrl })
    second = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_JWKS_URL: `${first.url}/.well-known/jwks.json` } })
  })
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()])
  })

  test('gives a token for an hour, and the same user for the same address', async () => {
    const [one, again, other] = [await first.tokenOf('ann@fillbook.test'), await first.tokenOf('Ann@Fillbook.test'), await first.tokenOf('bob@fillbook.test')]
    expect(again.userId).toBe(one.userId)
    expect(other.userId).not.toBe(one.userId)
    expect(one.userId).not.toContain('ann')
    expect(Math.abs(Date.parse(one.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000)
    expect(await ask(`Bearer ${one.token}`, '/api/whoami', first)).toMatchObject({ status: 200, body: { userId: one.userId } })
    expect(await ask(`Bearer ${one.token}`, '/api/whoami', second)).toMatchObject({ status: 200, body: { userId: one.userId } })
  })

  test('publishes the public half of its key only, and only where it issues', async () => {
    const answer = await fetch(`${first.url}/.well-known/jwks.json`)
    expect(await answer.json()).toEqual({ keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: expect.any(String), x: expect.any(String), y: expect.any(String) }] })
    expect((await fetch(`${second.url}/.well-known/jwks.json`)).status).toBe(404)
  })

  test('asks for an e-mail address', async () => {
    for (const body of ['{}', '{"email":"ann"}', '{"email":5}']) {
      const answer = await fetch(`${first.url}/dev/token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'invalid-request' })])
    }
  })

  test('does not run in production, neither by itself nor in the service', async () => {
    await expect(createDevIssuer({ mode: 'production', ...developmentIssuer })).rejects.toThrow('does not run in production')
    for (const [method, path] of [['POST', '/dev/token'], ['GET', '/.well-known/jwks.json']] as const) {
      const answer = await fetch(`${cloud.url}${path}`, { method, ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{"email":"ann@fillbook.test"}' } : {}) })
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'unknown-call' })])
    }
    expect(await ask(`Bearer ${(await first.tokenOf('ann@fillbook.test')).token}`)).toEqual(problem('wrong-token'))
  })
})
