import { err } from '#shared/base/result.ts'
import type { BrokerFailure } from '../brokers/tradovate/failure.ts'
import type { Login } from '../brokers/tradovate/login.ts'
import type { RenewalOutcome } from '../brokers/tradovate/tokens.ts'

/** Why a login that was asked for a living token has none. */
export const failureOf = (outcome: Exclude<RenewalOutcome, { kind: 'renewed' }>): BrokerFailure =>
  outcome.kind === 'refused' ? { kind: 'login-needed', lastError: outcome.lastError } : outcome.failure

/** A login that opens a new session, once, where newer ones of the same user closed its own: a run is wanted by the user or by the schedule. */
export const withNewSession = (login: Login): Login => {
  let reopened: Promise<RenewalOutcome> | null = null
  return {
    ...login,
    read: async (call, signal) => {
      const answer = await login.read(call, signal)
      if (answer.ok || answer.error.kind !== 'session-pushed-out') return answer
      const outcome = await (reopened ??= login.reopen())
      return outcome.kind === 'renewed' ? login.read(call, signal) : err(failureOf(outcome))
    },
  }
}
