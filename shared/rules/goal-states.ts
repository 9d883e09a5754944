import type { RuleState } from '#shared/api/rules.ts'
import type { GoalKind } from './day-facts.ts'
import { consistencyBase, hasWon, isConsistent, isMet } from './goals.ts'
import { moneyText, percentText, usedOf } from './state-text.ts'
import type { Consistency } from './terms.ts'
import { blankState, sinceOf, type View } from './view.ts'

/** The profit target: closed profit over the starting balance. */
export const targetState = (view: View): RuleState | null => {
  const { target } = view.terms
  if (target === null) return null
  const state: RuleState = { ...blankState('profit-target', 'money'), limit: moneyText(target), by: view.startBy, notes: differs(view) }
  if (view.profit === null) return state
  return { ...state, ...goal(view, 'profit-target'), value: moneyText(view.profit), left: moneyText(view.passed === null ? target - view.profit : Math.min(0, target - view.profit)), used: usedOf(view.profit, target) }
}

/** The best day's share, rounded up to 1/100 percent for display. */
export const consistencyState = (view: View): RuleState | null => {
  const rule = view.terms.consistency
  if (rule === null) return null
  const base = consistencyBase(rule, view.figures, view.terms.target)
  const state: RuleState = { ...blankState('consistency', 'percent'), limit: String(rule.percent), ...goal(view, 'consistency') }
  if (rule.of === 'target' && base === null) return { ...state, state: 'unknown' }
  return { ...state, ...shareOfBest(view, rule, base) }
}

const shareOfBest = ({ figures }: View, rule: Consistency, base: number | null) => {
  if (base === null) return {}
  const hundredths = Number(dividedUp(BigInt(figures.bestDay) * 10_000n, BigInt(base)))
  return { value: percentText(hundredths), left: percentText(rule.percent * 100 - hundredths), used: usedOf(hundredths, rule.percent * 100) }
}

const dividedUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/** Days with a closed trade. */
export const minimumDaysState = (view: View): RuleState | null => daysState(view, 'minimum-days', view.terms.minimumDays, view.figures.daysTraded)

/** Days with at least the required profit. */
export const winningDaysState = (view: View): RuleState | null => daysState(view, 'winning-days', view.terms.winningDays?.days ?? null, view.figures.daysWon)

const daysState = (view: View, rule: 'minimum-days' | 'winning-days', wanted: number | null, there: number): RuleState | null =>
  wanted === null ? null : { ...blankState(rule, 'days'), ...goal(view, rule), ...counted(there, wanted) }

const counted = (there: number, wanted: number) => ({ limit: String(wanted), value: String(there), left: String(wanted - there), used: usedOf(there, wanted) })

/**
 * The payout gate, in the unit of the first missing condition: money, days, winning days, consistency. If none is missing, in money: `limit` is the
 * buffer, `value` the profit, and the absolute value of `left` is the amount available now, at most the cap.
 */
export const payoutState = (view: View): RuleState | null => {
  const { payout, target } = view.terms
  if (payout === null) return null
  const { figures, profit } = view
  const state: RuleState = { ...blankState('payout', 'money'), limit: moneyText(payout.buffer), notes: differs(view) }
  if (profit === null) return state
  const over = profit - payout.buffer
  const money: RuleState = {
    ...state, ...goal(view, 'payout'),
    value: moneyText(profit), left: moneyText(payout.cap === null ? 0 - over : Math.max(0 - over, 0 - payout.cap)),
    used: payout.buffer > 0 ? usedOf(profit, payout.buffer) : over > 0 ? 1 : 0,
  }
  if (money.state === 'met' || profit <= 0 || over < 0 || figures.lost) return money
  if (payout.minimumDays !== null && figures.daysTraded < payout.minimumDays) return { ...money, unit: 'days', ...counted(figures.daysTraded, payout.minimumDays) }
  if (payout.winningDays !== null && !hasWon(payout.winningDays, figures.payoutDaysWon)) return { ...money, unit: 'days', ...counted(figures.payoutDaysWon, payout.winningDays.days) }
  const rule = payout.consistency
  if (rule === null || isConsistent(rule, figures, target)) return money
  if (rule.of === 'target' && target === null) return { ...state, state: 'unknown' }
  return { ...money, unit: 'percent', limit: String(rule.percent), value: null, left: null, used: null, ...shareOfBest(view, rule, consistencyBase(rule, figures, target)) }
}

/** A passed goal stays met whatever happened since; only the payout gate can close again. */
const goal = (view: View, kind: GoalKind): Pick<RuleState, 'state' | 'since'> => {
  if (kind !== 'payout' && view.passed !== null) return { state: 'met', since: sinceOf({ tradingDay: view.passed, at: null }) }
  if (!isMet(view.terms, kind, view.figures)) return { state: 'open', since: null }
  return { state: 'met', since: sinceOf({ tradingDay: view.metSince[kind] ?? view.tradingDay, at: null }) }
}

const differs = (view: View): RuleState['notes'] => (view.differs ? ['balance-differs'] : [])
