import { z } from 'zod'
import type { brokerTokens } from '#shared/api/cloud.ts'
import { fitToShow } from '#shared/base/fit-to-show.ts'
import { apiHosts } from '#shared/sync/api-hosts.ts'

/** The broker's tokens, passed on and never stored. */
export type BrokerTokens = z.infer<typeof brokerTokens>

/** The meaning of a token answer; waits are milliseconds. */
export type TokenAnswer =
  | { readonly kind: 'tokens'; readonly tokens: BrokerTokens }
  /** The path does not exist: the other form is right. */
  | { readonly kind: 'no-path' }
  /** Nothing was done: wait, and resend with the ticket. */
  | { readonly kind: 'ticket'; readonly ticket: string; readonly waitMs: number }
  | { readonly kind: 'busy'; readonly waitMs: number }
  /** `said`: the broker's text, without secrets. */
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
  const heard = readBody(text, secrets)
  return status < 400 || heard.kind === 'refused' ? heard : { kind: 'refused', text: `http-${String(status)}` }
}
