import type { GoalKind } from './day-facts.ts'
import type { Consistency, Terms, WinningDays } from './terms.ts'

/** The inputs of goals, amounts in 1/10,000: profit over the starting balance, net of trades and of the best day, days, and whether the account was lost. */
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

/** Whether a goal is met; exactly the required figure counts. A goal that is not required is not met. */
export const isMet = (terms: Terms, goal: GoalKind, figures: Figures): boolean => {
  if (goal === 'profit-target') return terms.target !== null && figures.profit >= terms.target
  if (goal === 'consistency') return terms.consistency !== null && isConsistent(terms.consistency, figures, terms.target)
  if (goal === 'minimum-days') return terms.minimumDays !== null && figures.daysTraded >= terms.minimumDays
  if (goal === 'winning-days') return terms.winningDays !== null && figures.daysWon >= terms.winningDays.days
  return mayBePaid(terms, figures)
}

/** Whether target, days, and consistency are all met. Without a target an account never passes. */
export const isPassed = (terms: Terms, figures: Figures): boolean =>
  isMet(terms, 'profit-target', figures) &&
  (terms.minimumDays === null || isMet(terms, 'minimum-days', figures)) &&
  (terms.winningDays === null || isMet(terms, 'winning-days', figures)) &&
  (terms.consistency === null || isMet(terms, 'consistency', figures))

/** The base of the best day's share: total net of all trades, or the target; null without profit or target. */
export const consistencyBase = ({ of }: Consistency, { net }: Pick<Figures, 'net'>, target: number | null): number | null => {
  const base = of === 'total' ? net : target
  return base === null || base <= 0 ? null : base
}

/** Whether the best day is at most its share; compares products to avoid rounding. */
export const isConsistent = (rule: Consistency, figures: Pick<Figures, 'net' | 'bestDay'>, target: number | null): boolean => {
  const base = consistencyBase(rule, figures, target)
  return base !== null && atMost(figures.bestDay, 100, rule.percent, base)
}

/** Whether there are enough winning days. */
export const hasWon = (rule: WinningDays | null, daysWon: number): boolean => rule === null || daysWon >= rule.days

const mayBePaid = ({ payout, target }: Terms, figures: Figures): boolean =>
  payout !== null &&
  !figures.lost &&
  figures.profit > 0 &&
  figures.profit >= payout.buffer &&
  (payout.minimumDays === null || figures.daysTraded >= payout.minimumDays) &&
  hasWon(payout.winningDays, figures.payoutDaysWon) &&
  (payout.consistency === null || isConsistent(payout.consistency, figures, target))

// a × b ≤ c × d; floating point is exact within the safe integers.
const atMost = (a: number, b: number, c: number, d: number): boolean => {
  const [left, right] = [a * b, c * d]
  return Number.isSafeInteger(left) && Number.isSafeInteger(right) ? left <= right : BigInt(a) * BigInt(b) <= BigInt(c) * BigInt(d)
}
