import { setTimeout as pause } from 'node:timers/promises'
import { neverReached } from '#shared/base/never-reached.ts'
import { readAtMost } from '#shared/base/read-at-most.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { BrokerSettings } from '../settings.ts'
import { refuse, type Refused } from './refused.ts'
import { readTokenAnswer, type BrokerTokens, type TokenAnswer } from './token-answer.ts'

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
