import type { SyncTrouble } from '#shared/api/sync.ts'
import { assertNever } from '#shared/base/assert-never.ts'
import type { BrokerFailure } from '../brokers/tradovate/failure.ts'

type TroubleFacts = Pick<SyncTrouble, 'code' | 'detail' | 'retryAfterMs'>

/** What a receipt says of a failure of the broker. */
export const troubleOf = (failure: BrokerFailure): TroubleFacts => {
  const trouble = (code: SyncTrouble['code'], detail: string | null = null, retryAfterMs: number | null = null): TroubleFacts => ({ code, detail, retryAfterMs })
  switch (failure.kind) {
    case 'login-needed':
      return trouble('login-needed', failure.lastError)
    case 'no-tokens':
      return trouble('login-needed', 'no-tokens-kept')
    case 'permission-missing':
    case 'wrong-host':
    case 'session-pushed-out':
    case 'unreadable-answer':
      return trouble(failure.kind)
    case 'rate-limited':
    case 'penalty':
    case 'captcha':
      return trouble(failure.kind, null, Math.max(0, Math.ceil(failure.waitMs)))
    case 'refused-by-broker':
      return trouble('refused-by-broker', failure.detail)
    case 'not-found':
      return trouble('refused-by-broker', 'not-found')
    case 'unreachable':
      return trouble('unreachable', failure.status === null ? failure.cause : `http-${String(failure.status)}`)
    case 'aborted':
      return trouble('stopped')
    default:
      return assertNever(failure)
  }
}
