import type { ApiHosts } from '#shared/sync/api-hosts.ts'
import type { BrokerFailure } from '../failure.ts'

/** A login's tokens. Times are UTC milliseconds. */
export type Tokens = {
  readonly access: string
  /** Not every login gets one; a new one invalidates the old. */
  readonly refresh?: string | undefined
  readonly accessExpiresAt: number
  readonly obtainedAt: number
  /** The organization's hosts, if the broker named them. */
  readonly hosts?: ApiHosts | undefined
}

/** The app's registration at the broker. */
export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** The outcome of exchanging a consent code. */
export type ExchangeOutcome =
  | { readonly kind: 'connected'; readonly tokens: Tokens }
  | { readonly kind: 'refused'; readonly lastError: string }
  /** The code may be used up: do not resend it, the user connects again. */
  | { readonly kind: 'answer-lost' }
  /** The code is unused. */
  | { readonly kind: 'unreachable'; readonly failure: BrokerFailure }

/** The outcome of a token renewal. Only `refused` concerns the login. */
export type RenewalOutcome =
  | { readonly kind: 'renewed'; readonly tokens: Tokens }
  | { readonly kind: 'refused'; readonly lastError: string }
  | { readonly kind: 'unreachable'; readonly failure: BrokerFailure }

/** Why a renewal returned no tokens. */
export const renewalFailure = (outcome: Exclude<RenewalOutcome, { kind: 'renewed' }>): BrokerFailure =>
  outcome.kind === 'refused' ? { kind: 'login-needed', lastError: outcome.lastError } : outcome.failure

// The broker's known errors for an invalid token. A refused application, a text about
// maintenance, or an answer without a text is none of these: the user's consent is still valid.
const refusalsOfLogin = [/^(invalid_token|invalid_grant|access_denied|access is denied|invalid (access|refresh) token|http-401$)/i, /^(?!invalid_client|unauthorized_client).*\btoken\b.*\b(expired|revoked)\b/i, /^expired\b/i]

/** The outcome for the login: only a known token error counts as a refusal. */
export const aboutLogin = (outcome: RenewalOutcome): RenewalOutcome =>
  outcome.kind !== 'refused' || refusalsOfLogin.some((refusal) => refusal.test(outcome.lastError)) ? outcome : { kind: 'unreachable', failure: { kind: 'refused-by-broker', detail: outcome.lastError } }

/** How long before expiry a token is renewed: 15 minutes, or a quarter of a short lifetime. */
const renewalMargin = (tokens: Tokens): number => Math.min(15 * 60_000, (tokens.accessExpiresAt - tokens.obtainedAt) / 4)

/** Whether the token should be renewed at `now`. */
export const isDue = (tokens: Tokens, now: number): boolean => now >= tokens.accessExpiresAt - renewalMargin(tokens)

/** Whether the token is valid at `now`, by our clock. */
export const isAlive = (tokens: Tokens, now: number): boolean => now < tokens.accessExpiresAt
