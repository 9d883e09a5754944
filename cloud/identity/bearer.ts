import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, UnsecuredJWT } from 'jose'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'

/** Resolves the user of a bearer token. */
export type Bearer = (authorization: string | undefined) => Promise<Result<{ readonly userId: string }, 'no-token' | 'wrong-token'>>

/** The key set is unreachable now, so no token can be verified. */
export class IdentityUnavailable extends Error {}

// No published key can forge any of them.
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
const firebaseAlgorithms = ['RS256']
const clockToleranceSeconds = 30
// A key rotation is picked up at once; forged key ids cause at most one request in this time.
const cooldownMs = 2_000
// OpenID Connect's own limit: at most 255 characters of ASCII.
const subject = /^[\x20-\x7e]{1,255}$/

/** A provider's published keys: fetched on first use, cached, and fetched again for an unknown key. */
export const publishedKeys = (url: URL): JWTVerifyGetKey => createRemoteJWKSet(url, { cooldownDuration: cooldownMs })

/** Keys from memory. */
export const ownKeys = (jwks: JSONWebKeySet): JWTVerifyGetKey => createLocalJWKSet(jwks)

/** Which tokens to trust, and how strictly. */
export type TokenRules = {
  readonly keys: JWTVerifyGetKey
  readonly issuer: string
  readonly audience: string
  /** Firebase signs with one algorithm only, and includes the sign-in time. */
  readonly firebase: boolean
  /** Also trusts unsigned tokens: those of Firebase's Auth emulator. */
  readonly unsigned: boolean
}

/** Trusts unexpired tokens that are signed by one of `keys` and issued by `issuer` for `audience`; the subject is the user. Throws `IdentityUnavailable`. */
export const createBearer =
  (rules: TokenRules): Bearer =>
  async (authorization) => {
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) return err('no-token')
    try {
      const payload = await read(token, rules)
      const { sub } = payload
      const good = typeof sub === 'string' && subject.test(sub) && (!rules.firebase || (isPast(payload.iat) && isPast(payload['auth_time'])))
      return good ? ok({ userId: sub }) : err('wrong-token')
    } catch (error) {
      if (isWrongToken(error)) return err('wrong-token')
      throw new IdentityUnavailable('The key set can not be had', { cause: error })
    }
  }

const read = async (token: string, { keys, issuer, audience, firebase, unsigned }: TokenRules): Promise<JWTPayload> => {
  const claims = { issuer, audience, clockTolerance: clockToleranceSeconds, requiredClaims: ['exp', 'sub'] }
  // Three parts, the last one empty: no signed token looks like this.
  if (unsigned && token.endsWith('.')) return UnsecuredJWT.decode(token, claims).payload
  return (await jwtVerify(token, keys, { ...claims, algorithms: firebase ? firebaseAlgorithms : algorithms })).payload
}

const isPast = (seconds: unknown): boolean => typeof seconds === 'number' && seconds <= Date.now() / 1_000 + clockToleranceSeconds

// An error of the key set is not an error of the token; jose throws the plain base class when the fetch fails.
const isWrongToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && !(error instanceof errors.JWKSInvalid) && error.constructor !== errors.JOSEError
