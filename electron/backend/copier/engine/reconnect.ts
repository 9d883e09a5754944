import type { BrokerFailure } from '../../brokers/failure.ts'

/** The reason of a line's state. `opening` and `reading` are on the way up; `login-needed` waits for the user's consent. */
export type LineWhy =
  | 'opening' | 'reading' | 'network' | 'silence' | 'refused' | 'pushed-out' | 'quota' | 'maintenance' | 'asked' | 'login-needed' | 'permission-missing' | 'wrong-host'

const second = 1_000
const minute = 60 * second

/** A line that was up this long (ms) resets its attempt count. */
export const steadyMs = 10 * second

/** Backoff (ms) before reopening a line that went down for the `attempt`th time in a row (from 1); `random` in [0, 1) spreads clients. */
export const pauseBefore = (why: LineWhy, attempt: number, random: number): number => {
  const doubling = (first: number, most: number): number => Math.min(most, first * 2 ** Math.min(attempt - 1, 20)) * (1 + random / 10)
  switch (why) {
    case 'asked':
      return 0
    case 'quota':
    case 'login-needed':
    case 'permission-missing':
      return 5 * minute
    // Somebody is working in the newer session: reconnecting would close it.
    case 'pushed-out':
      return doubling(minute, 10 * minute)
    case 'maintenance':
      return doubling(minute, minute)
    case 'network':
    case 'silence':
    case 'refused':
    case 'wrong-host':
    case 'opening':
    case 'reading':
      return doubling(second, minute)
  }
}

/** The line state reason of a broker failure. */
export const whyOf = (failure: BrokerFailure): LineWhy => {
  switch (failure.kind) {
    case 'login-needed':
    case 'no-tokens':
      return 'login-needed'
    case 'permission-missing':
      return 'permission-missing'
    case 'wrong-host':
      return 'wrong-host'
    case 'session-pushed-out':
      return 'pushed-out'
    case 'rate-limited':
    case 'penalty':
    case 'captcha':
      return 'quota'
    case 'aborted':
      return 'asked'
    case 'not-found':
    case 'refused-by-broker':
    case 'unreachable':
    case 'unreadable-answer':
    // A database is no line.
    case 'database':
      return 'network'
  }
}
