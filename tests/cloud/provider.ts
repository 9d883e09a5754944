import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { publishKeys } from './key-server.ts'
import type { KeyServer } from './key-server.ts'

/** A pair of keys to sign with. */
export type Pair = Awaited<ReturnType<typeof generateKeyPair>>

/** What a token says; null leaves a claim out. */
export type Claims = { readonly sub?: string | null; readonly iss?: string; readonly aud?: string; readonly exp?: number | null; readonly nbf?: number; readonly iat?: number | null; readonly auth_time?: number | null }

/** An identity provider of the tests' own: real keys, really published. */
export type Provider = {
  readonly keys: KeyServer
  readonly pair: Pair
  /** What is given where a claim is not: a good token of `ann`. */
  readonly claims: (given?: Claims) => Record<string, unknown>
  /** Signs claims with the published key, or another one. */
  readonly sign: (given?: Claims, pair?: Pair, header?: { readonly alg: string; readonly kid?: string }) => Promise<string>
  /** A token without a signature, as Firebase's Auth emulator makes it. */
  readonly unsigned: (given?: Claims, header?: object) => string
  readonly stop: () => Promise<void>
}

/** The time in Unix seconds. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000)

/** A value as a part of a token. */
export const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The published half of a key pair. */
export const published = async ({ publicKey }: Pair, kid: string, alg: string): Promise<JWK> => ({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' })

/** Starts a provider whose tokens have `issuer` and `audience`. */
export const startProvider = async ({ issuer, audience }: { readonly issuer: string; readonly audience: string }): Promise<Provider> => {
  const own = await generateKeyPair('RS256')
  const keys = await publishKeys([await published(own, 'first', 'RS256')])
  const claims: Provider['claims'] = (given = {}) => {
    const now = nowSeconds()
    const all = { sub: 'ann', iss: issuer, aud: audience, exp: now + 600, iat: now, auth_time: now, ...given }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
  }
  return {
    keys,
    pair: own,
    claims,
    sign: (given, { privateKey } = own, header = { alg: 'RS256', kid: 'first' }) => new SignJWT(claims(given)).setProtectedHeader(header).sign(privateKey),
    unsigned: (given, header = { alg: 'none', typ: 'JWT' }) => `${part(header)}.${part(claims(given))}.`,
    stop: keys.stop,
  }
}

/** A unique caller address for the proxy header: anonymous calls are limited by address. */
export const newAddress = (): string => {
  addresses += 1
  return `10.${String((addresses >> 16) & 255)}.${String((addresses >> 8) & 255)}.${String(addresses & 255)}`
}
let addresses = 0
