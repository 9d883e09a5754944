import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCloud, startCloud } from '../helpers/cloud.ts'
import type { RunningCloud } from '../helpers/cloud.ts'
import { sharedPostgres } from '../helpers/postgres.ts'
import type { PostgresServer } from '../helpers/postgres.ts'
import { nowSeconds, part, published, startProvider } from './provider.ts'
import type { Pair, Provider } from './provider.ts'

const project = 'fillbook-test'

let server: PostgresServer
let provider: Provider
let forger: Pair
let elliptic: Pair
let production: RunningCloud
let emulated: RunningCloud

beforeAll(async () => {
  server = await sharedPostgres()
  provider = await startProvider({ issuer: `https://securetoken.google.com/${project}`, audience: project })
  ;[forger, elliptic] = [await generateKeyPair('RS256'), await generateKeyPair('ES256')]
  provider.keys.publish([await published(provider.pair, 'first', 'RS256'), await published(elliptic, 'elliptic', 'ES256')])
  const env = { FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: project, FILLBOOK_CLOUD_JWKS_URL: provider.keys.url }
  production = await startCloud({ databaseUrl: await server.newDatabase(), mode: 'production', env })
  emulated = await startCloud({ databaseUrl: await server.newDatabase(), env: { ...env, FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on' } })
})
afterAll(async () => {
  await Promise.all([production.stop(), emulated.stop()])
  await provider.stop()
  await server.stop()
})

const ask = async (token: string, at = production) => {
  const answer = await fetch(`${at.url}/api/whoami`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const ann = { status: 200, body: { userId: 'ann' } }
const wrong = { status: 401, body: { success: false, code: 'wrong-token', error: 'wrong-token' } }

test("a project's token identifies the caller", async () => {
  expect(await ask(await provider.sign())).toEqual(ann)
  expect(await ask(await provider.sign({ auth_time: nowSeconds() - 86_400, iat: nowSeconds() - 1_800 }))).toEqual(ann)
})

test("tokens that Firebase's rules refuse are refused", async () => {
  const tokens: Record<string, string> = {
    'signed in later': await provider.sign({ auth_time: nowSeconds() + 600 }),
    'never signed in': await provider.sign({ auth_time: null }),
    'issued later': await provider.sign({ iat: nowSeconds() + 600 }),
    'of no time': await provider.sign({ iat: null }),
    'of nobody': await provider.sign({ sub: '' }),
    'of another project': await provider.sign({ aud: 'fillbook-other' }),
    "by another project's issuer": await provider.sign({ iss: 'https://securetoken.google.com/fillbook-other' }),
    expired: await provider.sign({ exp: nowSeconds() - 60 }),
    'another algorithm with a published key': await provider.sign({}, elliptic, { alg: 'ES256', kid: 'elliptic' }),
    forged: await provider.sign({}, forger),
    unsigned: provider.unsigned(),
  }
  for (const [what, token] of Object.entries(tokens)) expect(await ask(token), what).toEqual(wrong)
})

describe('with the setting of the emulator', () => {
  test('its unsigned tokens are accepted, and signed ones as before', async () => {
    expect(await ask(provider.unsigned(), emulated)).toEqual(ann)
    expect(await ask(await provider.sign(), emulated)).toEqual(ann)
  })

  test('every claim of a token is checked all the same', async () => {
    const [header = '', claims = '', signature = ''] = (await provider.sign()).split('.')
    const tokens: Record<string, string> = {
      expired: provider.unsigned({ exp: nowSeconds() - 60 }),
      'never expiring': provider.unsigned({ exp: null }),
      'good only later': provider.unsigned({ nbf: nowSeconds() + 600 }),
      'signed in later': provider.unsigned({ auth_time: nowSeconds() + 600 }),
      'of nobody': provider.unsigned({ sub: '' }),
      'of another project': provider.unsigned({ aud: 'fillbook-other' }),
      "by another project's issuer": provider.unsigned({ iss: 'https://securetoken.google.com/fillbook-other' }),
      forged: await provider.sign({}, forger),
      'a good one without its signature': `${header}.${claims}.`,
      'no algorithm, and a signature': `${part({ alg: 'none' })}.${claims}.${signature}`,
      'an algorithm, and no signature': provider.unsigned({}, { alg: 'RS256', kid: 'first' }),
      'two parts': `${part({ alg: 'none' })}.${claims}`,
    }
    for (const [what, token] of Object.entries(tokens)) expect(await ask(token, emulated), what).toEqual(wrong)
  })

  test('no token is passed on', async () => {
    const answer = await fetch(`${emulated.url}/dev/token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"email":"ann@fillbook.test"}' })
    expect(answer.status).toBe(404)
  })

  test('nothing starts in production', async () => {
    const env = { FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: project, FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on' }
    for (const options of [{ mode: 'production', env }, { mode: 'development', env: { ...env, NODE_ENV: 'production' } }] as const) {
      const { ended, stderr } = runCloud(options)
      expect([await ended, stderr()]).toEqual([2, expect.stringMatching(/\n {2}FILLBOOK_CLOUD_FIREBASE_EMULATOR\n {4}must be off in production\n/)])
    }
  })
})
