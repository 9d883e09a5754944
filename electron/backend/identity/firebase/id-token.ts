import { createRemoteJWKSet, errors, jwtVerify, UnsecuredJWT } from 'jose'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'

/** What a good identity token says. Times are UTC ms. */
export type IdToken = { readonly uid: string; readonly signedInAt: number }

/** Says whose an identity token is; `keys-unreachable` where nobody can tell right from wrong just now. */
export type IdTokenCheck = (token: string) => Promise<Result<IdToken, 'wrong-token' | 'keys-unreachable'>>

/** What tokens are checked against. */
export type IdTokenRules = {
  readonly projectId: string
  /** UTC ms. */
  readonly now: () => number
  /** Null to believe the unsigned tokens of the Auth emulator, and no others. */
  readonly keys: JWTVerifyGetKey | null
}

/** Where Google publishes the keys that sign the tokens of all Firebase projects. */
export const googleKeysUrl = new URL('https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com')

const clockToleranceSeconds = 30
const cooldownMs = 2_000
const longestUid = 128

/** Keys that are fetched when first needed, kept, and fetched again for a key that is not known. */
export const publishedKeys = (url: URL): JWTVerifyGetKey => createRemoteJWKSet(url, { cooldownDuration: cooldownMs })

/** Checks the tokens of one Firebase project as Firebase says they must be: signature, issuer, audience, end, subject and the time of the sign-in. */
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
      // `UnsecuredJWT` does not insist on claims of its own.
      if (iat === undefined || exp === undefined || typeof signedInAt !== 'number' || signedInAt > latest || iat > latest) return err('wrong-token')
      return ok({ uid: sub, signedInAt: signedInAt * 1_000 })
    } catch (error) {
      return err(isWrongToken(error) ? 'wrong-token' : 'keys-unreachable')
    }
  }
}

// What jose says of the key set and not of the token is no reason to send a user away; the plain class is its fetch.
const isWrongToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && !(error instanceof errors.JWKSInvalid) && error.constructor !== errors.JOSEError
