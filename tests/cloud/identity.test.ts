import { createHmac } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDevIssuer, developmentIssuer } from '#cloud/dev-issuer.ts'
import { cloudRoutes } from '#shared/api/cloud.ts'
import { picturePath } from '#shared/api/pictures.ts'
import type { Route } from '#shared/api/route.ts'
import { startCloud } from '../helpers/cloud.ts'
import type { RunningCloud } from '../helpers/cloud.ts'
import { sharedPostgres } from '../helpers/postgres.ts'
import type { PostgresServer } from '../helpers/postgres.ts'
import { rawRequest } from '../helpers/raw-request.ts'
import { newAddress, nowSeconds, part, published, startProvider } from './provider.ts'
import type { Pair, Provider } from './provider.ts'

const [issuer, audience] = ['https://identity.fillbook.test', 'fillbook']

let server: PostgresServer
let provider: Provider
let cloud: RunningCloud
let forger: Pair

const ask = async (authorization: string | null, path = '/api/whoami', at = cloud) => {
  const answer = await fetch(`${at.url}${path}`, { headers: { 'x-forwarded-for': newAddress(), ...(authorization === null ? {} : { authorization }) } })
  return { status: answer.status, challenge: answer.headers.get('www-authenticate'), body: (await answer.json()) as Record<string, unknown> }
}
const problem = (code: 'no-token' | 'wrong-token') => ({ status: 401, challenge: 'Bearer', body: { success: false, code, error: code } })

const believed = () => ({ FILLBOOK_CLOUD_JWKS_URL: provider.keys.url, FILLBOOK_CLOUD_ISSUER: issuer, FILLBOOK_CLOUD_AUDIENCE: audience })

beforeAll(async () => {
  server = await sharedPostgres()
  forger = await generateKeyPair('RS256')
  provider = await startProvider({ issuer, audience })
  cloud = await startCloud({ databaseUrl: await server.newDatabase(), mode: 'production', env: { ...believed(), FILLBOOK_CLOUD_TRUSTED_PROXIES: '1' } })
})
afterAll(async () => {
  await cloud.stop()
  await provider.stop()
  await server.stop()
})

describe("identifying a token's user", () => {
  test('a valid token identifies the caller; keys are fetched once', async () => {
    const before = provider.keys.asked()
    for (const sub of ['ann', 'bob', 'ann']) expect(await ask(`Bearer ${await provider.sign({ sub })}`)).toEqual({ status: 200, challenge: null, body: { userId: sub } })
    expect(provider.keys.asked()).toBeLessThanOrEqual(before + 1)
  })

  test('a missing or malformed header counts as no token', async () => {
    for (const authorization of [null, 'Basic YW5uOmFubg==', 'Bearer', 'Bearer two words']) expect(await ask(authorization), String(authorization)).toEqual(problem('no-token'))
  })

  test('an invalid token is refused, whatever is wrong with it', async () => {
    const publicKey = await exportSPKI(provider.pair.publicKey)
    const confused = `${part({ alg: 'HS256', kid: 'first' })}.${part(provider.claims())}`
    const [header = '', , signature = ''] = (await provider.sign({})).split('.')
    const wrong: Record<string, string> = {
      'not a token': 'abc',
      'alg none': provider.unsigned(),
      'alg none with a key id': provider.unsigned({}, { alg: 'none', kid: 'first' }),
      'the public key taken for a shared secret': `${confused}.${createHmac('sha256', publicKey).update(confused).digest('base64url')}`,
      'a forged key under the name of a good one': await provider.sign({}, forger),
      'a key that nobody publishes': await provider.sign({}, forger, { alg: 'RS256', kid: 'unheard of' }),
      'a key of its own in the header': await new SignJWT(provider.claims()).setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(forger.publicKey) }).sign(forger.privateKey),
      'other claims under a good signature': `${header}.${part(provider.claims({ sub: 'bob' }))}.${signature}`,
      'a good token without its signature': `${header}.${part(provider.claims())}.`,
      'another issuer': await provider.sign({ iss: 'https://elsewhere.test' }),
      'another audience': await provider.sign({ aud: 'somebody else' }),
      expired: await provider.sign({ exp: nowSeconds() - 60 }),
      'never expiring': await provider.sign({ exp: null }),
      'good only later': await provider.sign({ nbf: nowSeconds() + 600 }),
      'of nobody': await provider.sign({ sub: '' }),
      'of a name without end': await provider.sign({ sub: 'a'.repeat(256) }),
      'of a name beyond ASCII': await provider.sign({ sub: 'änn' }),
    }
    for (const [what, token] of Object.entries(wrong)) expect(await ask(`Bearer ${token}`), what).toEqual(problem('wrong-token'))
  })

  test('every call needs a token, and so do pictures', async () => {
    for (const route of Object.values<Route>(cloudRoutes)) {
      const answer = await fetch(`${cloud.url}${route.path}`, { method: route.method })
      expect(answer.status, route.path).toBe(401)
      expect(await answer.json()).toMatchObject({ code: 'no-token' })
    }
    expect((await ask(null, `${picturePath}?name=${'a'.repeat(64)}.png`)).status).toBe(401)
  })

  test('a user who names another is refused', async () => {
    const authorization = `Bearer ${await provider.sign({ sub: 'ann' })}`
    for (const path of ['/api/mirror/journal?userId=bob', '/api/mirror/changes?userId=bob&part=pairs&after=0&upTo=1', `${picturePath}?userId=bob&name=${'a'.repeat(64)}.png`]) {
      expect(await ask(authorization, path)).toMatchObject({ status: 403, body: { code: 'not-this-user' } })
    }
    const push = await fetch(`${cloud.url}/api/mirror/push`, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify({ userId: 'bob', journal: null, after: 0, records: [] }) })
    expect([push.status, await push.json()]).toEqual([403, expect.objectContaining({ code: 'not-this-user' })])
  })

  test("a provider's key rotation is followed, and the old key is refused", { tags: 'long' }, async () => {
    const next = await generateKeyPair('ES256')
    const old = await provider.sign({})
    provider.keys.publish([await published(next, 'second', 'ES256')])
    const token = await provider.sign({}, next, { alg: 'ES256', kid: 'second' })
    await vi.waitUntil(async () => (await ask(`Bearer ${token}`)).status === 200, { timeout: 60_000, interval: 50 })
    expect(await ask(`Bearer ${old}`)).toEqual(problem('wrong-token'))
    provider.keys.publish([await published(provider.pair, 'first', 'RS256')])
    await vi.waitUntil(async () => (await ask(`Bearer ${old}`)).status === 200, { timeout: 60_000, interval: 50 })
  })

  test('while keys are unavailable no caller is refused permanently', { tags: 'long' }, async () => {
    const lost = await startCloud({ databaseUrl: await server.newDatabase(), mode: 'production', env: { ...believed(), FILLBOOK_CLOUD_JWKS_URL: `${provider.keys.url}-broken` } })
    try {
      expect(await ask(`Bearer ${await provider.sign({})}`, '/api/whoami', lost)).toMatchObject({ status: 503, body: { code: 'internal', retryAfterMs: 1_000 } })
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

  test('issues tokens for an hour, and the same user for the same email', async () => {
    const [one, again, other] = [await first.tokenOf('ann@fillbook.test'), await first.tokenOf('Ann@Fillbook.test'), await first.tokenOf('bob@fillbook.test')]
    expect(again.userId).toBe(one.userId)
    expect(other.userId).not.toBe(one.userId)
    expect(one.userId).not.toContain('ann')
    expect(Math.abs(Date.parse(one.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000)
    expect(await ask(`Bearer ${one.token}`, '/api/whoami', first)).toMatchObject({ status: 200, body: { userId: one.userId } })
    expect(await ask(`Bearer ${one.token}`, '/api/whoami', second)).toMatchObject({ status: 200, body: { userId: one.userId } })
  })

  test('publishes only the public half of its key, and only where it issues', async () => {
    const answer = await fetch(`${first.url}/.well-known/jwks.json`)
    expect(await answer.json()).toEqual({ keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: expect.any(String), x: expect.any(String), y: expect.any(String) }] })
    expect((await fetch(`${second.url}/.well-known/jwks.json`)).status).toBe(404)
  })

  test('answers only under the names of this computer, since a page through DNS rebinding would get a token', async () => {
    const { port } = new URL(first.url)
    const token = (host: string) => rawRequest(`${first.url}/dev/token`, { method: 'POST', headers: { host, 'content-type': 'application/json' }, body: '{"email":"ann@fillbook.test"}' })
    for (const host of ['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`, `127.0.0.1.evil.example:${port}`, `192.168.0.1:${port}`]) {
      const { status, body } = await token(host)
      expect([host, status, JSON.parse(body)]).toEqual([host, 403, expect.objectContaining({ code: 'strange-host' })])
      expect((await rawRequest(`${first.url}/health`, { headers: { host } })).status).toBe(403)
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) expect([host, (await token(host)).status]).toEqual([host, 200])
  })

  test('asks for an e-mail address', async () => {
    for (const body of ['{}', '{"email":"ann"}', '{"email":5}']) {
      const answer = await fetch(`${first.url}/dev/token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'invalid-request' })])
    }
  })

  test('does not run in production, neither alone nor in the service', async () => {
    await expect(createDevIssuer({ mode: 'production', ...developmentIssuer, secret: null, isDeleted: () => Promise.resolve(false) })).rejects.toThrow('does not run in production')
    for (const [method, path] of [['POST', '/dev/token'], ['GET', '/.well-known/jwks.json']] as const) {
      const answer = await fetch(`${cloud.url}${path}`, { method, ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{"email":"ann@fillbook.test"}' } : {}) })
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'unknown-call' })])
    }
    expect(await ask(`Bearer ${(await first.tokenOf('ann@fillbook.test')).token}`)).toEqual(problem('wrong-token'))
  })
})
