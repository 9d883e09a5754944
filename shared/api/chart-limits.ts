import { z } from 'zod'
import { calendarDay, identifier, utcMs } from './fields.ts'
import type { Route } from './route.ts'
import { ruleSet } from './rules.ts'

const amount = z.number().int()
const broken = z.object({ tradingDay: calendarDay, at: utcMs.nullable() }).nullable()

/** The rules of a trade's account as they are set now, empty without any in its currency, and what loss limits need to know of the session of its last fill. Amounts are units of 1/10,000 of the rules' currency. */
export const chartLimits = z.object({
  set: ruleSet,
  tradingDay: calendarDay,
  /** The days before, as profit over the starting balance. */
  past: z.object({ days: z.number().int().nonnegative(), profit: amount, highestClose: amount, highest: amount, maxLoss: broken, dailyLoss: broken }),
  /** Fill pairs that were closed in the session; `apart`: in another contract than the trade's. */
  booked: z.array(z.object({ from: utcMs, at: utcMs, gross: amount, net: amount, apart: z.boolean() })),
  /** Payouts and deposits of the session. */
  moves: z.array(z.object({ at: utcMs, amount })),
  /** Whether the account's balance differs from the sum of its trades and transfers. */
  differs: z.boolean(),
})
export type ChartLimits = z.infer<typeof chartLimits>

export const chartLimitRoutes = {
  /** What loss limits of a trade's account, its own or its broker's, depend on in its session; null if the trade is gone. */
  chartLimits: { method: 'GET', path: '/api/prices/limits', query: z.object({ id: identifier }), answer: z.object({ limits: chartLimits.nullable() }) },
} as const satisfies Record<string, Route>
