import { z } from 'zod'
import { err, ok, type Result } from '#shared/base/result.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import type { BrokerFailure } from './failure.ts'
import type { Environment } from './hosts.ts'
import type { Login } from './login.ts'

/** The reports that tell of an account's past, by the broker's own names. */
export type ReportName = 'Fills' | 'Orders' | 'Performance' | 'Cash History' | 'Account Balance History'

/** A report of one account; both days are trading days, `YYYY-MM-DD`, and belong to it. */
export type ReportWish = { readonly environment: Environment; readonly name: ReportName; readonly account: string; readonly from: string; readonly to: string }

/** Why a report did not come. */
export type ReportFailure =
  /** The service refuses so many days at once. */
  | { readonly kind: 'too-long-range' }
  /** The service is not there, or gives this to the login in no case: that is no error. `detail` is the broker's word, if any. */
  | { readonly kind: 'not-given'; readonly detail: string | null }
  | Exclude<BrokerFailure, { kind: 'permission-missing' | 'not-found' | 'refused-by-broker' | 'wrong-host' }>

/** The zone in which the service is asked to write local times: whatever it counts, its zero is UTC. */
export const reportZone = 'UTC'

const reportAnswer = z.object({ data: z.string() })

/** Asks the broker's reporting service for a report and gives its text, which is a file as a user exports it. Nobody documents the service. */
export const requestReport = async (login: Login, wish: ReportWish, signal: AbortSignal): Promise<Result<string, ReportFailure>> => {
  const { environment, name, account, from, to } = wish
  const params = [{ name: 'startDate', value: dateText(from) }, { name: 'endDate', value: dateText(to) }, { name: 'account', value: account }]
  const call = { environment, service: 'reports', path: '/reports/requestReport', what: name, body: { name, representationType: 'csv', timezone: 0, params } } as const
  const answer = await login.read(call, signal)
  if (!answer.ok) return err(await meaningOf(login, environment, answer.error, signal))
  const { data } = reportAnswer.safeParse(answer.value)
  return data === undefined ? err({ kind: 'unreadable-answer' }) : ok(data.data)
}

const meaningOf = async (login: Login, environment: Environment, failure: BrokerFailure, signal: AbortSignal): Promise<ReportFailure> => {
  switch (failure.kind) {
    case 'permission-missing':
    case 'not-found':
    case 'wrong-host':
      return { kind: 'not-given', detail: null }
    case 'refused-by-broker':
      return /too long range/i.test(failure.detail) ? { kind: 'too-long-range' } : { kind: 'not-given', detail: failure.detail }
    case 'unreachable': {
      if (failure.cause !== 'network' || failure.status !== null) return failure
      // Where the broker itself answers, it is this one host that is not there.
      const other = await login.read({ environment, path: '/user/list' }, signal)
      return other.ok ? { kind: 'not-given', detail: null } : failure
    }
    default:
      return failure
  }
}

/** `2026-06-09` as the service wants it, `6/9/2026`. */
const dateText = (day: string): string => {
  const date = new Date(dayOfDate(day) * 86_400_000)
  return `${String(date.getUTCMonth() + 1)}/${String(date.getUTCDate())}/${String(date.getUTCFullYear())}`
}
