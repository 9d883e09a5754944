import type { RuleSet } from '#shared/api/rules.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import { amountOf, zero } from '#shared/money/money.ts'
import { nearestCap } from './caps.ts'
import type { Broken, DayFacts, DayOutcome, GoalKind, Past } from './day-facts.ts'
import { pathOf, type DayPath } from './day-path.ts'
import { goalKinds, isMet } from './goals.ts'
import { never, runFrom, takeDay, type Run } from './run.ts'
import { termsOf, type Terms } from './terms.ts'

/** The state before the first day. */
export const emptyPast: Past = {
  days: 0, firstDay: null, profit: zero, net: zero, highestClose: zero, highest: zero, bestDay: zero, daysTraded: 0, daysWon: 0, payoutDaysWon: 0,
  lost: { 'max-loss': null, 'daily-loss': null },
  metSince: { 'profit-target': null, consistency: null, 'minimum-days': null, 'winning-days': null, payout: null },
  breach: null, passed: null, foreign: null,
}

/**
 * Runs the rules over days in order, continuing from `before`: in pieces or at once gives the same result. Linear in trades sorted by exit. Open P&L of
 * past days is unknown: equity means closed trades. Hedging is not checked.
 */
export const foldDays = (set: RuleSet, days: readonly DayFacts[], before: Past = emptyPast): { readonly days: readonly DayOutcome[]; readonly past: Past } => {
  const terms = termsOf(set)
  const run = runFrom(before)
  let past = before
  const outcomes = days.map((day) => {
    const path = pathOf(terms, day)
    const firstDay = past.firstDay ?? day.tradingDay
    takeDay(terms, run, path, calendarDayOf(firstDay, day.tradingDay), false)
    past = pastAfter(terms, run, past, { firstDay, tradingDay: day.tradingDay, path })
    return outcomeOf(terms, run, path, day.tradingDay, past)
  })
  return { days: outcomes, past }
}

/** A date's calendar day number; the first day is 1. */
export const calendarDayOf = (firstDay: string, date: string): number => dayOfDate(date) - dayOfDate(firstDay) + 1

const pastAfter = (terms: Terms, run: Run, before: Past, { firstDay, tradingDay, path }: { readonly firstDay: string; readonly tradingDay: string; readonly path: DayPath }): Past => {
  const maxLoss = before.lost['max-loss'] ?? brokenAt(run.maxLossStep, path, tradingDay)
  const dailyLoss = before.lost['daily-loss'] ?? (terms.dailyLoss?.hard === true ? brokenAt(run.dailyLossStep, path, tradingDay) : null)
  const since = (goal: GoalKind): string | null => ((run.whole || goal === 'minimum-days') && isMet(terms, goal, run) ? (before.metSince[goal] ?? tradingDay) : null)
  const step = run.lostBy === 'max-loss' ? run.maxLossStep : run.lostBy === 'daily-loss' ? run.dailyLossStep : never
  return {
    days: before.days + 1,
    firstDay,
    profit: amountOf(run.profit),
    net: amountOf(run.net),
    highestClose: amountOf(run.highestClose),
    highest: amountOf(run.highest),
    bestDay: amountOf(run.bestDay),
    daysTraded: run.daysTraded,
    daysWon: run.daysWon,
    payoutDaysWon: run.payoutDaysWon,
    lost: { 'max-loss': maxLoss, 'daily-loss': dailyLoss },
    metSince: Object.fromEntries(goalKinds.map((goal) => [goal, since(goal)])) as Past['metSince'],
    breach: before.breach ?? (run.lostBy === null ? null : { tradingDay, at: path.moments[step] ?? null, rule: run.lostBy }),
    passed: before.passed ?? (run.passed ? tradingDay : null),
    foreign: path.foreign ? { since: before.foreign?.since ?? tradingDay, last: tradingDay } : before.foreign,
  }
}

const outcomeOf = (terms: Terms, run: Run, path: DayPath, tradingDay: string, after: Past): DayOutcome => ({
  tradingDay,
  opening: amountOf(run.opening),
  low: amountOf(run.low),
  high: amountOf(run.high),
  closing: amountOf(run.profit),
  net: amountOf(run.dayNet),
  trades: path.trades,
  drawdownLimit: run.drawdownLimit === null ? null : amountOf(run.drawdownLimit),
  maxLoss: brokenAt(run.maxLossStep, path, tradingDay),
  dailyLoss: brokenAt(run.dailyLossStep, path, tradingDay),
  heldLate: path.heldLate,
  nearestCap: terms.caps === null || path.held === null ? null : nearestCap(terms.caps, run.opening, path.held),
  after,
})

const brokenAt = (step: number, { moments }: DayPath, tradingDay: string): Broken | null => (step === never ? null : { tradingDay, at: moments[step] ?? null })
