import type { SyncTrouble } from '#shared/api/sync.ts'
import { assertNever } from '#shared/base/assert-never.ts'
import type { BrokerFailure } from '../brokers/tradovate/failure.ts'

type Told = Pick<SyncTrouble, 'code' | 'detail' | 'retryAfterMs'>

/** What a receipt says of a failure of the broker. */
export const troubleOf = (failure: BrokerFailure): Told => {
  const told = (code: SyncTrouble['code'], detail: string | null = null, retryAfterMs: number | null = null): Told => ({ code, detail, retryAfterMs })
  switch (failure.kind) {
    case 'login-needed':
      return told('login-needed', failure.lastError)
    case 'no-tokens':
      return told('login-needed', 'no-tokens-kept')
    case 'permission-missing':
    case 'wrong-host':
    case 'session-pushed-out':
    case 'unreadable-answer':
      return told(failure.kind)
    case 'rate-limited':
    case 'penalty':
    case 'captcha':
      return told(failure.kind, null, Math.max(0, Math.ceil(failure.waitMs)))
    case 'refused-by-broker':
      return told('refused-by-broker', failure.detail)
    case 'not-found':
      return told('refused-by-broker', 'not-found')
    case 'unreachable':
      return told('unreachable', failure.status === null ? failure.cause : `http-${String(failure.status)}`)
    case 'aborted':
      return told('stopped')
    default:
      return assertNever(failure)
  }
}
