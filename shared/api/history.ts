import { z } from 'zod'
import { calendarDay, done, identifier } from './fields.ts'
import type { Route } from './route.ts'

const count = z.number().int().nonnegative()

/** Why a login's backfill is paused; it resumes automatically, except after `stopped`. */
export const historyTrouble = z.enum(['login-needed', 'unreachable', 'rate-limited', 'penalty', 'captcha', 'session-pushed-out', 'unreadable-answer', 'stopped', 'internal'])
export type HistoryTrouble = z.infer<typeof historyTrouble>

/** State of the backfill of one login's history from the broker's reporting service. */
export const loginHistory = z.object({
  loginId: identifier,
  loginName: z.string(),
  /** The names of its accounts. */
  accounts: z.array(z.string()),
  /** `waiting`: requested but paused. `refused`: the broker does not offer its history to this login, which is not an error. */
  state: z.enum(['offered', 'declined', 'running', 'waiting', 'stopped', 'done', 'refused']),
  /** The first trading day requested; null before any was. */
  since: calendarDay.nullable(),
  /** The last trading day up to which nothing since then is missing; null if something is, or before any was requested. */
  wholeThrough: calendarDay.nullable(),
  /** While running: the current request, and how many of the date windows are done. */
  progress: z.object({ account: z.string(), from: calendarDay, to: calendarDay, done: count, total: count }).nullable(),
  trouble: historyTrouble.nullable(),
  /** Accounts without any history. */
  notGiven: z.array(z.string()),
  /** What the backfill has added to the journal so far, without undone imports. */
  imported: z.object({ fills: count, pairs: count, trades: count }),
})
export type LoginHistory = z.infer<typeof loginHistory>

const ofLogin = z.object({ loginId: identifier })

/** Backfilling history from the broker. */
export const historyRoutes = {
  history: {
    method: 'GET',
    path: '/api/history',
    answer: z.object({
      logins: z.array(loginHistory),
      /** A year before the last session that is over. */
      suggestedSince: calendarDay,
    }),
  },
  /** Backfills everything a login is missing from a trading day on, including undone imports. Pushes its progress. */
  startHistory: { method: 'POST', path: '/api/history/start', body: ofLogin.extend({ since: calendarDay }), answer: done },
  /** Stops after the current report; fetched data stays. */
  stopHistory: { method: 'POST', path: '/api/history/stop', body: ofLogin, answer: done },
  /** Dismisses the offer to backfill. */
  declineHistory: { method: 'POST', path: '/api/history/decline', body: ofLogin, answer: done },
} as const satisfies Record<string, Route>
