import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import { readAtMost } from '#shared/base/read-at-most.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { Refusal } from './refusal.ts'

/** This program's OAuth client at Google. */
export type GoogleApplication = { readonly clientId: string; readonly clientSecret: string | null; readonly authorizeUrl: string; readonly tokenUrl: string }

/** Secrets of one pending sign-in with Google. */
export type GoogleSecrets = { readonly state: string; readonly verifier: string; readonly rawNonce: string }

/** Random secrets for a new sign-in. */
export const newGoogleSecrets = (): GoogleSecrets => ({ state: random(), verifier: random(), rawNonce: random() })

const random = (): string => randomBytes(32).toString('base64url')

// Firebase compares the nonce in Google's token with the hex SHA-256 of the raw nonce it gets.
const nonceOf = (rawNonce: string): string => createHash('sha256').update(rawNonce).digest('hex')

/** The URL of Google's account chooser, which redirects to `redirectUri`. */
export const googlePage = ({ clientId, authorizeUrl }: GoogleApplication, { state, verifier, rawNonce }: GoogleSecrets, redirectUri: string): string => {
  const url = new URL(authorizeUrl)
  const query = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state,
    nonce: nonceOf(rawNonce),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    prompt: 'select_account',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

const answer = z.object({ id_token: z.string().min(1).max(20_000) })
const claims = z.object({ aud: z.string(), nonce: z.string() })
const timeoutMs = 20_000
const largestAnswer = 1024 * 1024

/** Exchanges an authorization code for Google's ID token. It comes straight from Google over TLS, so its signature need not be verified here; Firebase verifies it again. */
export const swapGoogleCode = async (application: GoogleApplication, { verifier, rawNonce }: GoogleSecrets, { code, redirectUri }: { readonly code: string; readonly redirectUri: string }): Promise<Result<string, Refusal>> => {
  const { clientId, clientSecret, tokenUrl } = application
  const body = new URLSearchParams({ code, client_id: clientId, redirect_uri: redirectUri, grant_type: 'authorization_code', code_verifier: verifier })
  if (clientSecret !== null) body.set('client_secret', clientSecret)
  try {
    const answered = await fetch(tokenUrl, { method: 'POST', body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    if (!answered.ok) return err(answered.status >= 500 ? 'network-request-failed' : 'federated-denied')
    const idToken = answer.parse(JSON.parse(new TextDecoder().decode((await readAtMost(answered.body, largestAnswer)) ?? undefined))).id_token
    const { aud, nonce } = claims.parse(decodeJwt(idToken))
    return aud === clientId && nonce === nonceOf(rawNonce) ? ok(idToken) : err('federated-denied')
  } catch (error) {
    // A malformed answer denies the sign-in; anything else is a network error.
    return err(error instanceof z.ZodError || error instanceof SyntaxError || (error instanceof Error && error.name === 'JWTInvalid') ? 'federated-denied' : 'network-request-failed')
  }
}
