import { z } from 'zod'
import { apiHosts, mergedHosts } from '#shared/sync/api-hosts.ts'
import { isUnreached, type Ask, type Reply } from './ask.ts'
import type { TradovateHosts } from './hosts.ts'
import type { Timing } from '../timing.ts'
import type { Credentials, ExchangeOutcome, RenewalOutcome, Tokens } from './tokens.ts'
import { instant } from './wire.ts'

/** The default access token lifetime in seconds: the broker's documented 80 minutes. */
const usualLife = 4_800

// At most thirty years, so that the expiry stays a valid date.
const seconds = z.coerce.number().positive().max(1e9).optional().catch(undefined)

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: seconds,
  apiHosts: apiHosts.optional().catch(undefined),
})

const renewAnswer = z.object({
  accessToken: z.string().min(1),
  expirationTime: instant.optional().catch(undefined),
  apiHosts: apiHosts.optional().catch(undefined),
})

/** Dependencies of the token calls. */
export type OauthSetup = { readonly ask: Ask; readonly timing: Timing; readonly hosts: TradovateHosts; readonly credentials: Credentials }

/** The consent page; `state` comes back unchanged with the code. */
export const consentUrl = (consent: { hosts: TradovateHosts; clientId: string; redirectUri: string; state: string; anotherLogin?: boolean }): string => {
  const url = new URL(consent.hosts.authorize)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('client_id', consent.clientId)
  url.searchParams.set('redirect_uri', consent.redirectUri)
  url.searchParams.set('state', consent.state)
  // OpenID Connect's parameter to force a new login; ignored if unsupported.
  if (consent.anotherLogin === true) url.searchParams.set('prompt', 'login')
  return url.href
}

// Only a missing path means that the other form is right: then the code or token is unused.
const askForTokens = async ({ ask, hosts, credentials }: OauthSetup, grant: Record<string, string>): Promise<Reply> => {
  const form = { ...grant, client_id: credentials.clientId, client_secret: credentials.clientSecret }
  const reply = await ask({ url: hosts.token[0], form }, { repeatable: false })
  if (reply.kind !== 'failed' || reply.failure.kind !== 'not-found') return reply
  return ask({ url: hosts.token[1], form }, { repeatable: false })
}

/** Parses a token answer received at `now`; null without a token. */
export const tokensOf = (value: unknown, now: number): Tokens | null => {
  const { data } = tokenAnswer.safeParse(value)
  if (data === undefined) return null
  return {
    access: data.access_token,
    ...(data.refresh_token === undefined ? {} : { refresh: data.refresh_token }),
    accessExpiresAt: now + (data.expires_in ?? usualLife) * 1000,
    obtainedAt: now,
    ...(data.apiHosts === undefined ? {} : { hosts: data.apiHosts }),
  }
}

const notGranted = (reply: Exclude<Reply, { kind: 'good' }>): Exclude<RenewalOutcome, { kind: 'renewed' }> => {
  if (reply.kind === 'denied') return { kind: 'refused', lastError: reply.detail }
  if (reply.kind === 'moved') return { kind: 'unreachable', failure: { kind: 'wrong-host' } }
  if (reply.failure.kind === 'refused-by-broker') return { kind: 'refused', lastError: reply.failure.detail }
  return { kind: 'unreachable', failure: reply.failure }
}

/** Exchanges a consent code for tokens. A code works once: after a possibly lost answer it is never resent. */
export const exchangeCode = async (setup: OauthSetup, consent: { code: string; redirectUri: string }): Promise<ExchangeOutcome> => {
  const reply = await askForTokens(setup, { grant_type: 'authorization_code', code: consent.code, redirect_uri: consent.redirectUri })
  if (reply.kind === 'failed' && reply.maybeDone) return { kind: 'answer-lost' }
  if (reply.kind !== 'good') return notGranted(reply)
  const tokens = tokensOf(reply.value, setup.timing.now())
  return tokens === null ? { kind: 'refused', lastError: 'no-access-token' } : { kind: 'connected', tokens }
}

/** Exchanges a refresh token for new tokens; the old one is invalid afterward, and kept only if no new one came. */
export const refreshTokens = async (setup: OauthSetup, refreshToken: string): Promise<RenewalOutcome> => {
  const reply = await askForTokens(setup, { grant_type: 'refresh_token', refresh_token: refreshToken })
  if (reply.kind !== 'good') return notGranted(reply)
  const tokens = tokensOf(reply.value, setup.timing.now())
  return tokens === null ? { kind: 'refused', lastError: 'no-access-token' } : { kind: 'renewed', tokens: { refresh: refreshToken, ...tokens } }
}

/** Renews a valid access token's session and reads the organization's hosts. */
export const renewTokens = async (
  { ask, timing, hosts, usual = hosts }: Pick<OauthSetup, 'ask' | 'timing' | 'hosts'> & {
    /** Asked where an organization's own host cannot be reached. */
    readonly usual?: TradovateHosts
  },
  tokens: Tokens,
): Promise<RenewalOutcome> => {
  const renewAt = (base: string): Promise<Reply> => ask({ url: `${base}/auth/renewaccesstoken`, bearer: tokens.access }, { repeatable: false })
  let reply = await renewAt(hosts.live)
  if (isUnreached(reply) && usual.live !== hosts.live) reply = await renewAt(usual.live)
  if (reply.kind === 'moved') reply = await renewAt(hosts.demo)
  if (reply.kind !== 'good') return notGranted(reply)
  const { data } = renewAnswer.safeParse(reply.value)
  if (data === undefined) return { kind: 'refused', lastError: 'no-access-token' }
  const now = timing.now()
  const expires = data.expirationTime ?? 0
  const named = mergedHosts(tokens.hosts, data.apiHosts)
  const renewed = { ...tokens, ...(named === undefined ? {} : { hosts: named }), access: data.accessToken, accessExpiresAt: expires > now ? expires : now + usualLife * 1000, obtainedAt: now }
  return { kind: 'renewed', tokens: renewed }
}
