import { err, type Result } from '#shared/base/result.ts'
import type { LoginOfUser } from '../accounts/token-keeper.ts'
import { requestReport, type ReportFailure, type ReportQuery } from '../brokers/tradovate/reports.ts'
import type { Logins } from './logins.ts'

/** Asks the reporting service with the tokens of a login. A session that newer ones closed stays closed: the next run opens it again. */
export const reportOf = async (logins: Pick<Logins, 'open'>, of: LoginOfUser, query: ReportQuery, signal: AbortSignal): Promise<Result<string, ReportFailure>> => {
  const login = await logins.open(of)
  if (!('kind' in login)) return requestReport(login, query, signal)
  switch (login.kind) {
    case 'permission-missing':
    case 'not-found':
    case 'wrong-host':
    case 'refused-by-broker':
      return err({ kind: 'not-given', detail: null })
    default:
      return err(login)
  }
}
