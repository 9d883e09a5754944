import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { brokerTokens } from '#shared/api/cloud.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { fitToShow } from '#shared/base/fit-to-show.ts'
import { neverReached } from '#shared/base/never-reached.ts'
import { readAtMost } from '#shared/base/read-at-most.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { apiHosts } from '#shared/sync/api-hosts.ts'
import type { BrokerSettings } from '../settings.ts'

/** A grant to exchange for tokens: a one-time consent code, or a refresh token, which it invalidates. */
export type Grant = { readonly code: string; readonly redirectUri: string } | { readonly refreshToken: string }

type Form = Readonly<Record<string, string>>

const largestAnswer = 1024 * 1024
const mostTickets = 3
const longestTicketMs = 10_000

const post = async (url: string, form: Form, patienceMs: number, secrets: readonly string[]): Promise<TokenAnswer> => {
  try {
    // Do not follow redirects: another host must not get the secret.
    const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body: new URLSearchParams(form), redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    const bytes = await readAtMost(response.body, largestAnswer)
    return bytes === null ? { kind: 'lost' } : readTokenAnswer({ status: response.status, retryAfter: response.headers.get('retry-after'), text: new TextDecoder().decode(bytes) }, secrets)
  } catch (error) {
    return neverReached(error) ? { kind: 'elsewhere' } : { kind: 'lost' }
  }
}

/** Waits out short penalties: the broker lifts them only when its ticket comes back. */
const postPatiently = async (url: string, form: Form, patienceMs: number, secrets: readonly string[]): Promise<TokenAnswer> => {
  let answer = await post(url, form, patienceMs, secrets)
  for (let tickets = 0; answer.kind === 'ticket' && tickets < mostTickets && answer.waitMs <= longestTicketMs; tickets += 1) {
    await pause(answer.waitMs)
    answer = await post(url, { ...form, 'p-ticket': answer.ticket }, patienceMs, secrets)
  }
  return answer
}

const formOf = (grant: Grant): Form =>
  'code' in grant ? { grant_type: 'authorization_code', code: grant.code, redirect_uri: grant.redirectUri } : { grant_type: 'refresh_token', refresh_token: grant.refreshToken }

/**
 * Exchanges a grant for tokens, with a timeout of `patienceMs` per answer; nothing is stored or logged. `code-refused` has the
 * brokerage's own words as its field's message. After `answer-lost` the grant may be used up.
 */
export const exchangeGrant = async (broker: BrokerSettings, grant: Grant, patienceMs = 20_000): Promise<Result<BrokerTokens, Refused>> => {
  const { clientId, clientSecret, tokenUrls } = broker
  const form = { ...formOf(grant), client_id: clientId, client_secret: clientSecret }
  const secrets = [clientSecret, 'code' in grant ? grant.code : grant.refreshToken]
  let answer: TokenAnswer = { kind: 'no-path' }
  for (const url of tokenUrls) {
    answer = await postPatiently(url, form, patienceMs, secrets)
    // Only a missing path means that the other form is right: then nothing was done.
    if (answer.kind !== 'no-path') break
  }
  switch (answer.kind) {
    case 'tokens':
      return ok(answer.tokens)
    case 'refused':
      return refuse('code-refused', { fields: [{ path: 'code' in grant ? 'code' : 'refreshToken', message: answer.text }] })
    case 'busy':
    case 'ticket':
      return refuse('brokerage-busy', { retryAfterMs: Math.ceil(answer.waitMs) })
    case 'lost':
      return refuse('answer-lost')
    case 'elsewhere':
    case 'no-path':
      return refuse('brokerage-unreachable')
  }
}

/** The broker's tokens, passed on and never stored. */
type BrokerTokens = z.infer<typeof brokerTokens>

/** The meaning of a token answer; waits are milliseconds. */
type TokenAnswer =
  | { readonly kind: 'tokens'; readonly tokens: BrokerTokens }
  /** The path does not exist: the other form is right. */
  | { readonly kind: 'no-path' }
  /** Nothing was done: wait, and resend with the ticket. */
  | { readonly kind: 'ticket'; readonly ticket: string; readonly waitMs: number }
  | { readonly kind: 'busy'; readonly waitMs: number }
  /** `text`: the broker's own, without secrets. */
  | { readonly kind: 'refused'; readonly text: string }
  /** Redirected to another host: nothing was done. */
  | { readonly kind: 'elsewhere' }
  /** The answer was lost; the code may be used up. */
  | { readonly kind: 'lost' }

const hour = 3_600_000
// Longer waits are pointless; the cap keeps every wait a valid number.
const longestWaitMs = 24 * hour
const waitOf = (seconds: number): number => Math.min(seconds * 1_000, longestWaitMs)

const word = z.string().min(1).optional().catch(undefined)
const seconds = z.coerce.number().positive().optional().catch(undefined)
const granted = z.object({ access_token: z.string().min(1), token_type: word, expires_in: seconds, refresh_token: word, refresh_token_expires_in: seconds, apiHosts: apiHosts.optional().catch(undefined) })

const complaint = z.object({ 'p-ticket': word, 'p-time': z.number().nonnegative().catch(0), 'p-captcha': z.boolean().catch(false), errorText: word, error: word, error_description: word })

const refusalOf = (text: string, secrets: readonly string[]): TokenAnswer => (/should be called on/i.test(text) ? { kind: 'elsewhere' } : { kind: 'refused', text: fitToShow(text, secrets) })

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Errors arrive with status 200: only an access token means success.
const readBody = (text: string, secrets: readonly string[]): TokenAnswer => {
  const value = json(text)
  // Some refusals are a plain sentence; HTML or truncated JSON is not.
  if (value === undefined) return /^\p{L}/u.test(text) && text.length <= 300 ? refusalOf(text, secrets) : { kind: 'lost' }
  const complained = complaint.safeParse(value).data
  if (complained === undefined) return { kind: 'refused', text: 'no-access-token' }
  if (complained['p-captcha']) return { kind: 'busy', waitMs: hour }
  if (complained['p-ticket'] !== undefined) return { kind: 'ticket', ticket: complained['p-ticket'], waitMs: waitOf(complained['p-time']) }
  const error = complained.errorText ?? complained.error
  if (error !== undefined) return refusalOf(complained.error_description === undefined ? error : `${error}: ${complained.error_description}`, secrets)
  const tokens = granted.safeParse(value).data
  return tokens === undefined ? { kind: 'refused', text: 'no-access-token' } : { kind: 'tokens', tokens: withoutGaps(tokens) }
}

const withoutGaps = (tokens: z.infer<typeof granted>): BrokerTokens => Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== undefined)) as BrokerTokens

/** Interprets an answer by its status, and if successful by its body. `secrets` never appear in its text. */
export const readTokenAnswer = (answer: { readonly status: number; readonly retryAfter: string | null; readonly text: string }, secrets: readonly string[]): TokenAnswer => {
  const { status, retryAfter, text } = answer
  if (status === 404 || status === 405) return { kind: 'no-path' }
  if (status === 421 || (status >= 300 && status < 400)) return { kind: 'elsewhere' }
  if (status === 423) return { kind: 'busy', waitMs: hour }
  if (status === 429) return { kind: 'busy', waitMs: retryAfter !== null && /^\d+$/.test(retryAfter) ? waitOf(Number(retryAfter)) : hour }
  if (status === 408 || status >= 500) return { kind: 'lost' }
  const body = readBody(text, secrets)
  return status < 400 || body.kind === 'refused' ? body : { kind: 'refused', text: `http-${String(status)}` }
}
