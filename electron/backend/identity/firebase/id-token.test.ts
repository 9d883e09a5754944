import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { JWTVerifyGetKey } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { createIdTokenCheck, publishedKeys } from './id-token.ts'

const projectId = 'fillbook-test'
const now = Date.UTC(2026, 10, 21, 15)
const seconds = now / 1_000
type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

let keys: JWTVerifyGetKey
let own: Key
let strange: Key

beforeAll(async () => {
  const [pair, forger] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  ;[own, strange] = [pair.privateKey, forger.privateKey]
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'first', alg: 'RS256', use: 'sig' }] })
})

const good = { iss: `https://securetoken.google.com/${projectId}`, aud: projectId, sub: 'ann', iat: seconds - 60, exp: seconds + 3_540, auth_time: seconds - 90 }
const signed = (claims: object = {}, key: Key = own, kid = 'first') => new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(key)
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (claims: object = {}) => `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ ...good, ...claims })}.`
const check = (given: { keys: JWTVerifyGetKey | null } = { keys }) => createIdTokenCheck({ projectId, now: () => now, ...given })
const wrong = { ok: false, error: 'wrong-token' }

describe('an ID token of the project', () => {
  test('is valid and gives the uid and the sign-in time', async () => {
    expect(await check()(await signed())).toEqual({ ok: true, value: { uid: 'ann', signedInAt: now - 90_000 } })
  })

  test.each<[string, () => string | Promise<string>]>([
    ['a forged signature', () => signed({}, strange)],
    ['a key that nobody published', () => signed({}, own, 'second')],
    ['another audience', () => signed({ aud: 'another-project' })],
    ['another issuer', () => signed({ iss: 'https://securetoken.google.com/another-project' })],
    ['its end', () => signed({ exp: seconds - 31 })],
    ['no end', () => signed({ exp: undefined })],
    ['a sign-in that is still to come', () => signed({ auth_time: seconds + 31 })],
    ['no sign-in', () => signed({ auth_time: undefined })],
    ['an issue that is still to come', () => signed({ iat: seconds + 31 })],
    ['no subject', () => signed({ sub: undefined })],
    ['an empty subject', () => signed({ sub: '' })],
    ['a subject that is too long', () => signed({ sub: 'a'.repeat(129) })],
    ['no signature at all', () => unsigned()],
    ['a changed content', async () => {
      const [head = '', , signature = ''] = (await signed()).split('.')
      return `${head}.${base64({ ...good, sub: 'bob' })}.${signature}`
    }],
    ['something else', () => 'not.a.token'],
    ['nothing', () => ''],
  ])('is refused for %s', async (_, token) => {
    expect(await check()(await token())).toEqual(wrong)
  })

  test('a clock that is half a minute off is forgiven', async () => {
    expect((await check()(await signed({ exp: seconds - 29, auth_time: seconds + 29 }))).ok).toBe(true)
  })

  test('an unreachable key set is not a wrong token', async () => {
    expect(await check({ keys: publishedKeys(new URL('http://127.0.0.1:9/keys')) })(await signed())).toEqual({ ok: false, error: 'keys-unreachable' })
  })
})

describe('with the Auth emulator', () => {
  test('its unsigned tokens are valid', async () => {
    expect(await check({ keys: null })(unsigned())).toEqual({ ok: true, value: { uid: 'ann', signedInAt: now - 90_000 } })
  })

  test.each<[string, () => string | Promise<string>]>([
    ['a signed one', () => signed()],
    ['another project', () => unsigned({ aud: 'another-project' })],
    ['another issuer', () => unsigned({ iss: 'https://elsewhere.example' })],
    ['its end', () => unsigned({ exp: seconds - 31 })],
    ['no end', () => unsigned({ exp: undefined })],
    ['no subject', () => unsigned({ sub: undefined })],
    ['no sign-in', () => unsigned({ auth_time: undefined })],
  ])('%s is refused all the same', async (_, token) => {
    expect(await check({ keys: null })(await token())).toEqual(wrong)
  })
})
