import type { RuleKind, RuleState } from '#shared/api/rules.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { GoalKind } from './day-facts.ts'
import { calendarDayOf } from './fold.ts'
import { consistencyBase, hasWon, isConsistent, isMet } from './goals.ts'
import { contractsText, moneyText, percentText, usedOf } from './state-text.ts'
import type { Consistency } from './terms.ts'
import { blankState, sinceOf, type View } from './view.ts'

const minute = 60_000
// The flat-by rule matters only in the last hour.
const warning = 60 * minute

/** The max loss: `limit` and `value` are balances. `used` is the share of the distance from peak to floor that is gone. */
const maxLossState = ({ maxLoss, start }: View): RuleState | null => {
  if (maxLoss === null) return null
  const { drawdownLimit, room, value, broken, by, notes, beside } = maxLoss
  const state: RuleState = {
    ...blankState('max-loss', 'money'),
    limit: moneyText(start + drawdownLimit),
    by,
    notes: [...notes],
    beside: beside === null ? null : { limit: moneyText(start + beside.drawdownLimit), left: beside.value === null ? null : moneyText(beside.value - beside.drawdownLimit) },
  }
  if (broken !== null) return { ...state, state: 'breached', since: sinceOf(broken), used: 1, ...amounts(start, drawdownLimit, value) }
  if (value === null) return state
  return { ...state, state: 'within', used: room === null ? null : usedOf(room - (value - drawdownLimit), room), ...amounts(start, drawdownLimit, value) }
}

const amounts = (start: number, drawdownLimit: number, value: number | null) => (value === null ? {} : { value: moneyText(start + value), left: moneyText(value - drawdownLimit) })

/** The daily loss: `limit` is the allowed loss, `value` the day's net. */
const dailyLossState = ({ dailyLoss }: View): RuleState | null => {
  if (dailyLoss === null) return null
  const { amount, value, broken, hard, by, notes, beside } = dailyLoss
  const state: RuleState = {
    ...blankState('daily-loss', 'money'),
    by,
    notes: [...notes],
    limit: amount === null ? null : moneyText(amount),
    value: value === null ? null : moneyText(value),
    left: amount === null || value === null ? null : moneyText(amount + value),
    beside: beside === null || beside.amount === null ? null : { limit: moneyText(beside.amount), left: beside.value === null ? null : moneyText(beside.amount + beside.value) },
  }
  if (broken !== null) return { ...state, state: hard ? 'breached' : 'paused', since: sinceOf(broken), used: 1 }
  return amount === null || value === null ? state : { ...state, state: 'within', used: usedOf(0 - value, amount) }
}

/** Contracts at once, by the nearest cap; exactly the cap is allowed. */
const contractsState = ({ terms, nearestCap: cap, tradingDay }: View): RuleState | null => {
  if (terms.caps === null) return null
  const { perContract } = terms.caps
  const state = blankState('contracts', 'contracts')
  if (cap === null) return { ...state, state: 'within' }
  const over = cap.value > cap.limit
  return {
    ...state,
    state: over ? 'breached' : 'within',
    limit: contractsText(cap.limit, perContract),
    value: contractsText(cap.value, perContract),
    left: contractsText(cap.limit - cap.value, perContract),
    used: usedOf(cap.value, cap.limit),
    since: over ? sinceOf({ tradingDay, at: null }) : null,
  }
}

/** The flat-by time, in started minutes; `used` is the share of the last hour that is gone, known only while a position is open. */
const flatByState = ({ terms, flatBy, heldLate, at, tradingDay }: View): RuleState | null => {
  if (flatBy === null && terms.flatBy === null) return null
  const state: RuleState = { ...blankState('flat-by', 'minutes'), state: 'within', by: flatBy?.by ?? 'rules' }
  if (heldLate !== null) return { ...state, state: 'breached', since: sinceOf(heldLate), used: 1 }
  if (flatBy === null || at === null) return state
  const rest = flatBy.at - at
  const minutes = String(Math.ceil(rest / minute) + 0)
  const timed: RuleState = { ...state, limit: '0', value: minutes, left: minutes }
  if (!flatBy.holds) return timed
  return rest < 0 ? { ...timed, state: 'breached', used: 1, since: sinceOf({ tradingDay, at: flatBy.at }) } : { ...timed, used: usedOf(warning - rest, warning) }
}

/** No opposite position in the same market: `value` is the contracts that other accounts hold against this one. */
const hedgingState = ({ terms, against, tradingDay }: View): RuleState | null => {
  if (!terms.noHedging) return null
  const state = blankState('hedging', 'contracts')
  if (against === null) return state
  const known: RuleState = { ...state, limit: '0', value: String(against), left: String(0 - against + 0), used: against > 0 ? 1 : 0 }
  return against > 0 ? { ...known, state: 'breached', since: sinceOf({ tradingDay, at: null }) } : { ...known, state: 'within' }
}

/** The calendar days to meet the target; the first day is day 1, the last one is included. */
const timeLimitState = ({ terms, firstDay, tradingDay, passed, figures, foreign }: View): RuleState | null => {
  if (terms.timeLimit === null) return null
  const day = firstDay === null ? 0 : calendarDayOf(firstDay, tradingDay)
  const left = terms.timeLimit - day
  const state: RuleState = { ...blankState('time-limit', 'days'), limit: String(terms.timeLimit), value: String(day), left: String(left), used: usedOf(day, terms.timeLimit) }
  if (passed !== null) return { ...state, state: 'met', since: sinceOf({ tradingDay: passed, at: null }) }
  if (left >= 0 || firstDay === null) return { ...state, state: 'within' }
  // Whether the target was met in time is unknown.
  if (foreign.any && !figures.lost) return { ...state, state: 'unknown', used: null, notes: ['other-currency'] }
  return { ...state, state: 'breached', since: sinceOf({ tradingDay: isoDate(dayOfDate(firstDay) + terms.timeLimit), at: null }) }
}

/** The profit target: closed profit over the starting balance. */
const targetState = (view: View): RuleState | null => {
  const { target } = view.terms
  if (target === null) return null
  const state: RuleState = { ...blankState('profit-target', 'money'), limit: moneyText(target), by: view.startBy, notes: differs(view) }
  if (view.profit === null) return state
  return { ...state, ...goal(view, 'profit-target'), value: moneyText(view.profit), left: moneyText(view.passed === null ? target - view.profit : Math.min(0, target - view.profit)), used: usedOf(view.profit, target) }
}

/** The best day's share, rounded up to 1/100 percent for display. */
const consistencyState = (view: View): RuleState | null => {
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
const minimumDaysState = (view: View): RuleState | null => daysState(view, 'minimum-days', view.terms.minimumDays, view.figures.daysTraded)

/** Days with at least the required profit. */
const winningDaysState = (view: View): RuleState | null => daysState(view, 'winning-days', view.terms.winningDays?.days ?? null, view.figures.daysWon)

const daysState = (view: View, rule: 'minimum-days' | 'winning-days', wanted: number | null, there: number): RuleState | null =>
  wanted === null ? null : { ...blankState(rule, 'days'), ...goal(view, rule), ...counted(there, wanted) }

const counted = (there: number, wanted: number) => ({ limit: String(wanted), value: String(there), left: String(wanted - there), used: usedOf(there, wanted) })

/**
 * The payout gate, in the unit of the first missing condition: money, days, winning days, consistency. If none is missing, in money: `limit` is the
 * buffer, `value` the profit, and the absolute value of `left` is the amount available now, at most the cap.
 */
const payoutState = (view: View): RuleState | null => {
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

const rules = [maxLossState, dailyLossState, targetState, consistencyState, minimumDaysState, winningDaysState, contractsState, flatByState, hedgingState, timeLimitState, payoutState]

/** The states of all rules that apply, in rule kind order, for now and for past days. */
export const statesOf = (view: View): readonly RuleState[] => rules.flatMap((rule) => rule(view) ?? []).map((state) => withForeign(view, state))

/** Rules of sums of money over days. */
const sums: readonly RuleKind[] = ['max-loss', 'profit-target', 'consistency', 'winning-days', 'payout']

/** A state of money that lacks what trades in another currency made: unknown, unless it was settled without them. */
const withForeign = ({ foreign, passed }: View, state: RuleState): RuleState => {
  const { rule, unit, limit, by, beside, notes } = state
  const lacks = rule === 'daily-loss' ? foreign.day : foreign.any && sums.includes(rule)
  const isSettled = state.state === 'breached' || state.state === 'paused' || (passed !== null && state.state === 'met' && rule !== 'payout')
  if (!lacks || isSettled) return state
  // A floor of the rules follows a peak that is unknown too.
  return { ...blankState(rule, unit), limit: rule === 'max-loss' && by === 'rules' ? null : limit, by, beside: beside === null ? null : { ...beside, left: null }, notes: [...notes, 'other-currency'] }
}

/** Rules that one more loss or minute can break. */
const ending: readonly RuleKind[] = ['max-loss', 'daily-loss', 'flat-by']

/** The rule nearest to ending the account or day: broken or paused first, then the most used of losses and flat-by. Null if none. */
export const nearestOf = (states: readonly RuleState[]): RuleKind | null => {
  const broken = states.find(({ state }) => state === 'breached') ?? states.find(({ state }) => state === 'paused')
  if (broken !== undefined) return broken.rule
  let nearest: RuleState | null = null
  for (const state of states) if (ending.includes(state.rule) && state.used !== null && (nearest?.used ?? -1) < state.used) nearest = state
  return nearest?.rule ?? null
}
