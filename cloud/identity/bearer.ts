import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, UnsecuredJWT } from 'jose'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'

/** Resolves the user of a bearer token. */
export type Bearer = (authorization: string | undefined) => Promise<Result<{ readonly userId: string }, 'no-token' | 'wrong-token'>>

/** The key set is not available at the moment, so no token can be verified. */
export class IdentityUnavailable extends Error {}

// None of them can be made with a published key.
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
const firebaseAlgorithms = ['RS256']
const clockToleranceSeconds = 30
// A key rotation is picked up at once; forged key ids cause at most one request in this time.
const cooldownMs = 2_000
// OpenID Connect's own limit: at most 255 characters of ASCII.
const subject = /^[\x20-\x7e]{1,255}$/

/** Keys that a provider publishes: fetched when first needed, kept, and fetched again for a key that is not known. */
export const publishedKeys = (url: URL): JWTVerifyGetKey => createRemoteJWKSet(url, { cooldownDuration: cooldownMs })

/** Keys that are at hand. */
export const ownKeys = (jwks: JSONWebKeySet): JWTVerifyGetKey => createLocalJWKSet(jwks)

/** Which tokens are trusted, and how strictly. */
export type Belief = {
  readonly keys: JWTVerifyGetKey
  readonly issuer: string
  readonly audience: string
  /** Firebase signs in one way only, and says when the user signed in. */
  readonly firebase: boolean
  /** Believes tokens without a signature too: those of Firebase's Auth emulator. */
  readonly unsigned: boolean
}

/** Believes tokens that are signed by one of `keys`, made by `issuer` for `audience`, and still good; the subject is the user. Throws `IdentityUnavailable`. */
export const createBearer =
  (belief: Belief): Bearer =>
  async (authorization) => {
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) return err('no-token')
    try {
      const payload = await read(token, belief)
      const { sub } = payload
      const good = typeof sub === 'string' && subject.test(sub) && (!belief.firebase || (isPast(payload.iat) && isPast(payload['auth_time'])))
      return good ? ok({ userId: sub }) : err('wrong-token')
    } catch (error) {
      if (isWrongToken(error)) return err('wrong-token')
      throw new IdentityUnavailable('The key set can not be had', { cause: error })
    }
  }

const read = async (token: string, { keys, issuer, audience, firebase, unsigned }: Belief): Promise<JWTPayload> => {
  const claims = { issuer, audience, clockTolerance: clockToleranceSeconds, requiredClaims: ['exp', 'sub'] }
  // Three parts, of which the last is empty: nothing that is signed looks so.
  if (unsigned && token.endsWith('.')) return UnsecuredJWT.decode(token, claims).payload
  return (await jwtVerify(token, keys, { ...claims, algorithms: firebase ? firebaseAlgorithms : algorithms })).payload
}

const isPast = (seconds: unknown): boolean => typeof seconds === 'number' && seconds <= Date.now() / 1_000 + clockToleranceSeconds

// What jose says of the key set and not of the token is no reason to send a user away; the plain class is its fetch.
const isWrongToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && !(error instanceof errors.JWKSInvalid) && error.constructor !== errors.JOSEError
