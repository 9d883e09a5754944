import type { OddsAnswer, RuleKind, RuleSet } from '#shared/api/rules.ts'
import { zero } from '#shared/money/money.ts'
import type { DayFacts } from './day-facts.ts'
import { pathOf } from './day-path.ts'
import { emptyPast } from './fold.ts'
import { randomBelow } from './random.ts'
import { runFrom, takeDay } from './run.ts'
import { moneyText } from './state-text.ts'
import { termsOf } from './terms.ts'

const fanPoints = 60
const z = 1.959_964

/** A Monte Carlo request: deterministic. `horizon` is in sessions. */
type OddsInput = { readonly seed: number; readonly runs: number; readonly horizon: number }

/**
 * The probability of passing, breaching, or running out of time for an account that starts fresh under these rules. Assumptions: each session is one of
 * the account's own days, drawn with replacement and independently; it follows that day's path of closed trades, so open P&L in between is not seen;
 * sizes do not depend on the balance; payouts and deposits are left out; five of seven calendar days have a session; a daily loss that pauses ends the
 * day at the trade that reached it. Too many contracts, late exits, and hedges end no run. Null without days to draw from or a target.
 */
export const oddsOf = (set: RuleSet, days: readonly DayFacts[], { seed, runs, horizon }: OddsInput): OddsAnswer | null => {
  const terms = { ...termsOf(set), caps: null, flatBy: null }
  const paths = days.filter(({ trades }) => trades.length > 0).map(({ tradingDay, trades }) => pathOf(terms, { tradingDay, trades, adjustment: zero }))
  if (paths.length === 0 || terms.target === null) return null
  const draw = randomBelow(seed)
  const points = pointsOf(horizon)
  const fan = points.map(() => new Float64Array(runs))
  const toPass: number[] = []
  const lostBy = new Map<RuleKind, number>()
  let outOfTime = 0
  for (let number = 0; number < runs; number += 1) {
    const run = runFrom(emptyPast)
    let session = 0
    let point = 1
    while (session < horizon && !run.lost && !run.passed) {
      session += 1
      const path = paths[draw(paths.length)]
      if (path !== undefined) takeDay(terms, run, path, calendarDayOfSession(session), true)
      if (points[point] === session) write(fan, point++, number, run.profit)
    }
    // A finished run keeps its balance.
    while (point < points.length) write(fan, point++, number, run.profit)
    if (run.passed) toPass.push(session)
    else if (run.lostBy === null || run.lostBy === 'time-limit') outOfTime += 1
    else lostBy.set(run.lostBy, (lostBy.get(run.lostBy) ?? 0) + 1)
  }
  toPass.sort((one, other) => one - other)
  return {
    runs, seed, horizon, sample: paths.length,
    passed: toPass.length / runs,
    breached: (runs - toPass.length - outOfTime) / runs,
    outOfTime: outOfTime / runs,
    plusMinus: halfWidth(toPass.length / runs, runs),
    daysToPass: toPass.length === 0 ? null : { p10: rank(toPass, 0.1), p50: rank(toPass, 0.5), p90: rank(toPass, 0.9) },
    lostBy: [...lostBy].map(([rule, count]) => ({ rule, share: count / runs })).sort((one, other) => other.share - one.share),
    fan: points.map((day, index) => {
      const balances = (fan[index] ?? new Float64Array(runs)).sort()
      const at = (share: number): string => moneyText(terms.start + rank(balances, share))
      return { day, p10: at(0.1), p50: at(0.5), p90: at(0.9) }
    }),
  }
}

/** Runs start on a Monday: the sixth session is on calendar day 8. */
const calendarDayOfSession = (session: number): number => session + 2 * Math.floor((session - 1) / 5)

// The start, and evenly spaced sessions up to the horizon.
const pointsOf = (horizon: number): readonly number[] => {
  const last = Math.min(fanPoints - 1, horizon)
  return Array.from({ length: last + 1 }, (_, index) => Math.round((index * horizon) / Math.max(1, last)))
}

const write = (fan: readonly Float64Array[], point: number, run: number, profit: number): void => {
  const column = fan[point]
  if (column !== undefined) column[run] = profit
}

const rank = (sorted: { readonly length: number; readonly [index: number]: number }, share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0

// Wilson's interval has a width even if all runs agree.
const halfWidth = (share: number, runs: number): number => (z / (1 + (z * z) / runs)) * Math.sqrt((share * (1 - share)) / runs + (z * z) / (4 * runs * runs))
