import type { GoalKind } from './day-facts.ts'
import type { Consistency, Terms, WinningDays } from './terms.ts'

/** What goals are reckoned from, amounts in 1/10,000: profit over the starting balance, net of trades and of the best day, days, and whether the account was lost. */
export type Figures = {
  readonly profit: number
  readonly net: number
  readonly bestDay: number
  readonly daysTraded: number
  readonly daysWon: number
  readonly payoutDaysWon: number
  readonly lost: boolean
}

/** The kinds of goals. */
export const goalKinds = ['profit-target', 'consistency', 'minimum-days', 'winning-days', 'payout'] as const satisfies readonly GoalKind[]

/** Whether a goal is met: target, buffer, days and share are reached at the very figure. A goal that is not asked for is not met. */
export const isMet = (terms: Terms, goal: GoalKind, figures: Figures): boolean => {
  if (goal === 'profit-target') return terms.target !== null && figures.profit >= terms.target
  if (goal === 'consistency') return terms.consistency !== null && isConsistent(terms.consistency, figures, terms.target)
  if (goal === 'minimum-days') return terms.minimumDays !== null && figures.daysTraded >= terms.minimumDays
  if (goal === 'winning-days') return terms.winningDays !== null && figures.daysWon >= terms.winningDays.days
  return mayBePaid(terms, figures)
}

/** Whether target, days and consistency are all met. Without a target nothing is ever passed. */
export const isPassed = (terms: Terms, figures: Figures): boolean =>
  isMet(terms, 'profit-target', figures) &&
  (terms.minimumDays === null || isMet(terms, 'minimum-days', figures)) &&
  (terms.winningDays === null || isMet(terms, 'winning-days', figures)) &&
  (terms.consistency === null || isMet(terms, 'consistency', figures))

/** What the best day is held against: the total net of all trades, or the target; null where that is no profit, or there is no target. */
export const consistencyBase = ({ of }: Consistency, { net }: Pick<Figures, 'net'>, target: number | null): number | null => {
  const base = of === 'total' ? net : target
  return base === null || base <= 0 ? null : base
}

/** Whether the best day is at most its share. Two products are compared, so that nothing is rounded. */
export const isConsistent = (rule: Consistency, figures: Pick<Figures, 'net' | 'bestDay'>, target: number | null): boolean => {
  const base = consistencyBase(rule, figures, target)
  return base !== null && atMost(figures.bestDay, 100, rule.percent, base)
}

/** Whether so many winning days are there. */
export const hasWon = (rule: WinningDays | null, daysWon: number): boolean => rule === null || daysWon >= rule.days

const mayBePaid = ({ payout, target }: Terms, figures: Figures): boolean =>
  payout !== null &&
  !figures.lost &&
  figures.profit > 0 &&
  figures.profit >= payout.buffer &&
  (payout.minimumDays === null || figures.daysTraded >= payout.minimumDays) &&
  hasWon(payout.winningDays, figures.payoutDaysWon) &&
  (payout.consistency === null || isConsistent(payout.consistency, figures, target))

// a × b ≤ c × d. Doubles are exact while both stay within the safe integers.
const atMost = (a: number, b: number, c: number, d: number): boolean => {
  const [left, right] = [a * b, c * d]
  return Number.isSafeInteger(left) && Number.isSafeInteger(right) ? left <= right : BigInt(a) * BigInt(b) <= BigInt(c) * BigInt(d)
}
