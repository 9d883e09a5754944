import { createRemoteJWKSet, errors, jwtVerify, UnsecuredJWT } from 'jose'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'

/** The claims of a valid ID token. Times are UTC ms. */
export type IdToken = { readonly uid: string; readonly signedInAt: number }

/** Verifies an ID token; `keys-unreachable` if the signing keys cannot be fetched now. */
export type IdTokenCheck = (token: string) => Promise<Result<IdToken, 'wrong-token' | 'keys-unreachable'>>

/** What to verify tokens against. */
export type IdTokenRules = {
  readonly projectId: string
  /** UTC ms. */
  readonly now: () => number
  /** Null to accept the Auth emulator's unsigned tokens, and only those. */
  readonly keys: JWTVerifyGetKey | null
}

/** Where Google publishes the keys that sign the tokens of all Firebase projects. */
export const googleKeysUrl = new URL('https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com')

const clockToleranceSeconds = 30
const cooldownMs = 2_000
const longestUid = 128

/** Fetches the keys on first use, caches them, and fetches again for an unknown key id. */
export const publishedKeys = (url: URL): JWTVerifyGetKey => createRemoteJWKSet(url, { cooldownDuration: cooldownMs })

/** Verifies one project's tokens by Firebase's rules: signature, issuer, audience, expiry, subject and sign-in time. */
export const createIdTokenCheck = ({ projectId, now, keys }: IdTokenRules): IdTokenCheck => {
  const issuer = `https://securetoken.google.com/${projectId}`
  const payloadOf = async (token: string): Promise<JWTPayload> => {
    const wanted = { issuer, audience: projectId, clockTolerance: clockToleranceSeconds, currentDate: new Date(now()), requiredClaims: ['sub', 'iat', 'exp', 'auth_time'] }
    return keys === null ? UnsecuredJWT.decode(token, wanted).payload : (await jwtVerify(token, keys, { ...wanted, algorithms: ['RS256'] })).payload
  }
  return async (token) => {
    try {
      const { sub, iat, exp, auth_time: signedInAt } = await payloadOf(token)
      const latest = now() / 1_000 + clockToleranceSeconds
      if (typeof sub !== 'string' || sub === '' || sub.length > longestUid) return err('wrong-token')
      // `UnsecuredJWT` does not enforce `requiredClaims`.
      if (iat === undefined || exp === undefined || typeof signedInAt !== 'number' || signedInAt > latest || iat > latest) return err('wrong-token')
      return ok({ uid: sub, signedInAt: signedInAt * 1_000 })
    } catch (error) {
      return err(isWrongToken(error) ? 'wrong-token' : 'keys-unreachable')
    }
  }
}

// An error of the key set is not an error of the token. jose throws the plain base class when the fetch fails.
const isWrongToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && !(error instanceof errors.JWKSInvalid) && error.constructor !== errors.JOSEError
