import { z } from 'zod'
import { err, ok, type Result } from '#shared/base/result.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import type { BrokerFailure } from '../failure.ts'
import type { Environment } from '#shared/sync/plan.ts'
import type { Login } from './login.ts'

/** Reports of an account's history, by the broker's names. */
export type ReportName = 'Fills' | 'Orders' | 'Performance' | 'Cash History' | 'Account Balance History'

/** A report of one account over trading days, `YYYY-MM-DD`, inclusive. */
export type ReportQuery = { readonly environment: Environment; readonly name: ReportName; readonly account: string; readonly from: string; readonly to: string }

/** Why a report failed. */
export type ReportFailure =
  /** Too many days at once. */
  | { readonly kind: 'too-long-range' }
  /** The service does not exist or never serves this login: not an error. `detail` is the broker's text, if any. */
  | { readonly kind: 'not-given'; readonly detail: string | null }
  | Exclude<BrokerFailure, { kind: 'permission-missing' | 'not-found' | 'refused-by-broker' | 'wrong-host' }>

/** The requested zone of local times: zero is UTC, whatever the unit. */
export const reportZone = 'UTC'

const reportAnswer = z.object({ data: z.string() })

/** Requests a report from the broker's undocumented reporting service and returns its text, the same file that a user exports. */
export const requestReport = async (login: Login, query: ReportQuery, signal: AbortSignal): Promise<Result<string, ReportFailure>> => {
  const { environment, name, account, from, to } = query
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
      // If the broker itself answers, only this host is missing.
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
