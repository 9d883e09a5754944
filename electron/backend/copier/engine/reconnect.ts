import type { BrokerFailure } from '../../brokers/tradovate/failure.ts'
import type { LineWhy } from './line.ts'

const second = 1_000
const minute = 60 * second

/** A line that stood for this long begins to count anew when it goes down, milliseconds. */
export const steadyMs = 10 * second

/** Milliseconds until a line is opened again that went down for the `attempt`th time in a row (from 1); `random` from 0 to below 1 spreads many clients. */
export const pauseBefore = (why: LineWhy, attempt: number, random: number): number => {
  const doubling = (first: number, most: number): number => Math.min(most, first * 2 ** Math.min(attempt - 1, 20)) * (1 + random / 10)
  switch (why) {
    case 'asked':
      return 0
    case 'quota':
    case 'login-needed':
    case 'permission-missing':
      return 5 * minute
    // Whoever opened the newer session is at work there: coming back closes it.
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

/** Why a line is down whose broker answered so. */
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
      return 'network'
  }
}
