import { err } from '#shared/base/result.ts'
import type { BrokerageLogin } from '../port.ts'
import { tradovateBars } from './charts.ts'
import type { Login } from './login.ts'
import { tradovatePart } from './part.ts'
import { createReads } from './reads.ts'
import { renewalFailure, type RenewalOutcome } from './tokens.ts'

/** A Tradovate login as runs use it: its token is renewed before the run, so that the run does not stumble over it half way. */
export const tradovateLogin = (login: Login): BrokerageLogin => {
  const own = withNewSession(login)
  return {
    prepare: async () => {
      const outcome = await login.renewIfDue()
      return outcome?.kind === 'refused' ? renewalFailure(outcome) : null
    },
    part: (ask) => tradovatePart({ ...ask, reads: createReads(own, ask.side) }),
    bars: (ask, signal) => tradovateBars(login, ask, signal),
  }
}

/** A login that opens a new session, once, where newer ones of the same user closed its own: a run is wanted by the user or by the schedule. */
const withNewSession = (login: Login): Login => {
  let reopened: Promise<RenewalOutcome> | null = null
  return {
    ...login,
    read: async (call, signal) => {
      const answer = await login.read(call, signal)
      if (answer.ok || answer.error.kind !== 'session-pushed-out') return answer
      const outcome = await (reopened ??= login.reopen())
      return outcome.kind === 'renewed' ? login.read(call, signal) : err(renewalFailure(outcome))
    },
  }
}
