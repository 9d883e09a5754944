import type { ApiHosts } from '#shared/sync/api-hosts.ts'
import type { BrokerFailure } from './failure.ts'

/** What one login holds. Times are UTC milliseconds. */
export type Tokens = {
  readonly access: string
  /** Not every login is given one; a new one replaces the old, which dies. */
  readonly refresh?: string | undefined
  readonly accessExpiresAt: number
  readonly refreshExpiresAt?: number | undefined
  readonly obtainedAt: number
  /** Where the login's organization lives, where the broker named it. */
  readonly hosts?: ApiHosts | undefined
}

/** Who the app is at the broker. */
export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** What came of swapping a consent code for tokens. */
export type ExchangeOutcome =
  | { readonly kind: 'connected'; readonly tokens: Tokens }
  | { readonly kind: 'refused'; readonly lastError: string }
  /** The code may have been used up: it must not be sent again, the user connects again. */
  | { readonly kind: 'answer-lost' }
  /** Nothing was done with the code. */
  | { readonly kind: 'unreachable'; readonly failure: BrokerFailure }

/** What came of asking for a living token. Only `refused` says anything about the login. */
export type RenewalOutcome =
  | { readonly kind: 'renewed'; readonly tokens: Tokens }
  | { readonly kind: 'refused'; readonly lastError: string }
  | { readonly kind: 'unreachable'; readonly failure: BrokerFailure }

// What the broker is known to say of a token that is dead. The application itself being refused, a sentence about
// maintenance or an answer without any word is none of these: the user's consent stands.
const refusalsOfLogin = [/^(invalid_token|invalid_grant|access_denied|access is denied|invalid (access|refresh) token|http-401$)/i, /^(?!invalid_client|unauthorized_client).*\btoken\b.*\b(expired|revoked)\b/i, /^expired\b/i]

/** The outcome as it concerns the login: only a refusal that is known to speak of its tokens says anything about it. */
export const aboutLogin = (outcome: RenewalOutcome): RenewalOutcome =>
  outcome.kind !== 'refused' || refusalsOfLogin.some((refusal) => refusal.test(outcome.lastError)) ? outcome : { kind: 'unreachable', failure: { kind: 'refused-by-broker', detail: outcome.lastError } }

/** The part of a token's life, before its end, in which it is renewed: 15 minutes, or a quarter of a short life. */
const renewalMargin = (tokens: Tokens): number => Math.min(15 * 60_000, (tokens.accessExpiresAt - tokens.obtainedAt) / 4)

/** Whether the token should be renewed at `now`. */
export const isDue = (tokens: Tokens, now: number): boolean => now >= tokens.accessExpiresAt - renewalMargin(tokens)

/** Whether the token still lives at `now`, as far as the clock can tell. */
export const isAlive = (tokens: Tokens, now: number): boolean => now < tokens.accessExpiresAt
