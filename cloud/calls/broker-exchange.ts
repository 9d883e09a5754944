import { setTimeout as pause } from 'node:timers/promises'
import { neverReached } from '#shared/base/never-reached.ts'
import { readAtMost } from '#shared/base/read-at-most.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { BrokerSettings } from '../settings.ts'
import { refuse, type Refused } from './refused.ts'
import { readTokenAnswer, type BrokerTokens, type Heard } from './token-answer.ts'

/** A grant to exchange for tokens: a one-time consent code, or a refresh token, which it invalidates. */
export type Grant = { readonly code: string; readonly redirectUri: string } | { readonly refreshToken: string }

type Form = Readonly<Record<string, string>>

const largestAnswer = 1024 * 1024
const mostTickets = 3
const longestTicketMs = 10_000

const post = async (url: string, form: Form, patienceMs: number, secrets: readonly string[]): Promise<Heard> => {
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
const postPatiently = async (url: string, form: Form, patienceMs: number, secrets: readonly string[]): Promise<Heard> => {
  let heard = await post(url, form, patienceMs, secrets)
  for (let tickets = 0; heard.kind === 'ticket' && tickets < mostTickets && heard.waitMs <= longestTicketMs; tickets += 1) {
    await pause(heard.waitMs)
    heard = await post(url, { ...form, 'p-ticket': heard.ticket }, patienceMs, secrets)
  }
  return heard
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
  let heard: Heard = { kind: 'no-path' }
  for (const url of tokenUrls) {
    heard = await postPatiently(url, form, patienceMs, secrets)
    // Only a missing path means that the other form is right: then nothing was done.
    if (heard.kind !== 'no-path') break
  }
  switch (heard.kind) {
    case 'tokens':
      return ok(heard.tokens)
    case 'refused':
      return refuse('code-refused', { fields: [{ path: 'code' in grant ? 'code' : 'refreshToken', message: heard.text }] })
    case 'busy':
    case 'ticket':
      return refuse('brokerage-busy', { retryAfterMs: Math.ceil(heard.waitMs) })
    case 'lost':
      return refuse('answer-lost')
    case 'elsewhere':
    case 'no-path':
      return refuse('brokerage-unreachable')
  }
}
