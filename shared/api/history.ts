import { z } from 'zod'
import { calendarDay, identifier } from './fields.ts'
import type { Route } from './route.ts'

const done = z.object({ success: z.literal(true) })
const count = z.number().int().nonnegative()

/** What keeps a login's history waiting; it goes on by itself, except after `stopped`. */
export const historyTrouble = z.enum(['login-needed', 'unreachable', 'rate-limited', 'penalty', 'captcha', 'session-pushed-out', 'unreadable-answer', 'stopped', 'internal'])
export type HistoryTrouble = z.infer<typeof historyTrouble>

/** How it stands with the past of one login, which the broker's reporting service may give. */
export const loginHistory = z.object({
  loginId: identifier,
  loginName: z.string(),
  /** The names of its accounts. */
  accounts: z.array(z.string()),
  /** `waiting`: wanted, but something is in the way. `refused`: the broker does not give its history to this login, which is no error. */
  state: z.enum(['offered', 'declined', 'running', 'waiting', 'stopped', 'done', 'refused']),
  /** The first trading day wanted; null before any was. */
  since: calendarDay.nullable(),
  /** While running: what is being asked for, and how many of the windows are done. */
  progress: z.object({ account: z.string(), from: calendarDay, to: calendarDay, done: count, total: count }).nullable(),
  trouble: historyTrouble.nullable(),
  /** Accounts of which nothing was given. */
  notGiven: z.array(z.string()),
  /** What came into the journal so far and was not undone. */
  brought: z.object({ fills: count, pairs: count, trips: count }),
})
export type LoginHistory = z.infer<typeof loginHistory>

const ofLogin = z.object({ loginId: identifier })

/** Bringing the past from the broker. */
export const historyRoutes = {
  history: { method: 'GET', path: '/api/history', answer: z.object({ logins: z.array(loginHistory), /** A year before the last session that is over. */ suggestedSince: calendarDay }) },
  /** Fetches all that is missing of a login from a trading day on; what was undone counts as missing. Its progress is pushed. */
  startHistory: { method: 'POST', path: '/api/history/start', body: ofLogin.extend({ since: calendarDay }), answer: done },
  /** Stops after the report that is under way; what came stays. */
  stopHistory: { method: 'POST', path: '/api/history/stop', body: ofLogin, answer: done },
  /** The offer is not made again by itself. */
  declineHistory: { method: 'POST', path: '/api/history/decline', body: ofLogin, answer: done },
} as const satisfies Record<string, Route>
