import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { longestWaitMs } from '#shared/sync/longest-wait.ts'
import type { CloudBrokerage, TokensFailure } from '../cloud/brokerage.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import { tokensOf } from '../brokers/tradovate/oauth.ts'
import type { Timing } from '../brokers/timing.ts'
import type { ExchangeOutcome, RenewalOutcome } from '../brokers/tradovate/tokens.ts'
import type { BrokerApp } from '../sync/broker-app.ts'

/** How long a screen waits to learn whether the cloud has an application, in ms. */
const patienceMs = 1_500
/** When a busy brokerage that names no time is retried, in ms. */
const usualWaitMs = 60_000

/** The application that the cloud has at the brokerage. Its answers lead to the outcomes that the brokerage's own would. */
export const cloudApp = (cloud: CloudBrokerage, timing: Timing): BrokerApp => {
  let known: boolean | null = null

  const clientId = async (): Promise<Result<string, Refused>> => {
    const answer = await cloud.clientId()
    if (!answer.ok) return refuse(answer.error.kind === 'refused' && answer.error.status === 401 ? 'wrong-token' : 'brokerage-unreachable')
    known = answer.value !== null
    return answer.value === null ? refuse('brokerage-not-configured') : ok(answer.value)
  }

  return {
    clientId,
    exchange: async (consent): Promise<ExchangeOutcome | { readonly kind: 'plan-needed' }> => {
      const answer = await cloud.exchange(consent)
      if (!answer.ok && answer.error.failure.kind === 'refused' && answer.error.failure.code === 'plan-needed') return { kind: 'plan-needed' }
      if (!answer.ok) return mayBeDone(answer.error) ? { kind: 'answer-lost' } : notGranted(answer.error.failure)
      const tokens = tokensOf(answer.value, timing.now())
      return tokens === null ? { kind: 'refused', lastError: 'no-access-token' } : { kind: 'connected', tokens }
    },
    refresh: async (refreshToken): Promise<RenewalOutcome> => {
      const answer = await cloud.refresh(refreshToken)
      if (!answer.ok) return notGranted(answer.error.failure)
      const tokens = tokensOf(answer.value, timing.now())
      return tokens === null ? { kind: 'refused', lastError: 'no-access-token' } : { kind: 'renewed', tokens: { refresh: refreshToken, ...tokens } }
    },
    isThere: async () => {
      const asked = clientId().then(() => undefined)
      if (known === null) {
        const waiting = new AbortController()
        await Promise.race([asked, timing.sleep(patienceMs, waiting.signal).catch(() => undefined)])
        waiting.abort()
      }
      // Without an answer of the cloud nothing is known: connecting then reports the error.
      return known ?? true
    },
  }
}

/** Whether the brokerage may have used the code up although no tokens came back. */
const mayBeDone = ({ failure, sent }: TokensFailure): boolean => {
  if (!sent || failure.kind === 'refused') return false
  return failure.kind === 'aborted' || (failure.code !== 'brokerage-unreachable' && failure.code !== 'brokerage-busy')
}

/** Only the brokerage itself can refuse; an unreachable cloud, or one that does not know this user, says nothing about the login. */
const notGranted = (failure: CloudFailure): Exclude<RenewalOutcome, { kind: 'renewed' }> => {
  if (failure.kind === 'refused' && failure.code === 'code-refused') return { kind: 'refused', lastError: failure.fieldMessage ?? 'code-refused' }
  return { kind: 'unreachable', failure: asBrokerFailure(failure) }
}

const asBrokerFailure = (failure: CloudFailure): BrokerFailure => {
  if (failure.kind === 'aborted') return { kind: 'aborted' }
  if (failure.kind === 'refused') return { kind: 'unreachable', cause: 'server', status: failure.status }
  if (failure.code === 'brokerage-busy') return { kind: 'rate-limited', waitMs: Math.min(failure.retryAfterMs ?? usualWaitMs, longestWaitMs) }
  return { kind: 'unreachable', cause: failure.cause === 'unreadable-answer' ? 'server' : failure.cause, status: failure.status }
}
