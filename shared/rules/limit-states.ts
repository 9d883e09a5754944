import type { RuleState } from '#shared/api/rules.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { calendarDayOf } from './fold.ts'
import { contractsText, moneyText, usedOf } from './state-text.ts'
import { blankState, sinceOf, type View } from './view.ts'

const minute = 60_000
// The flat-by rule matters only in the last hour.
const warning = 60 * minute

/** The max loss: `limit` and `value` are balances. `used` is the share of the distance from peak to floor that is gone. */
export const maxLossState = ({ maxLoss, start }: View): RuleState | null => {
  if (maxLoss === null) return null
  const { floor, room, value, broken, by, notes, beside } = maxLoss
  const state: RuleState = { ...blankState('max-loss', 'money'), limit: moneyText(start + floor), by, notes: [...notes], beside: beside === null ? null : { limit: moneyText(start + beside.floor), left: beside.value === null ? null : moneyText(beside.value - beside.floor) } }
  if (broken !== null) return { ...state, state: 'breached', since: sinceOf(broken), used: 1, ...amounts(start, floor, value) }
  if (value === null) return state
  return { ...state, state: 'within', used: room === null ? null : usedOf(room - (value - floor), room), ...amounts(start, floor, value) }
}

const amounts = (start: number, floor: number, value: number | null) => (value === null ? {} : { value: moneyText(start + value), left: moneyText(value - floor) })

/** The daily loss: `limit` is the allowed loss, `value` the day's net. */
export const dailyLossState = ({ dailyLoss }: View): RuleState | null => {
  if (dailyLoss === null) return null
  const { amount, value, broken, hard, by, notes, beside } = dailyLoss
  const state: RuleState = {
    ...blankState('daily-loss', 'money'), by, notes: [...notes],
    limit: amount === null ? null : moneyText(amount),
    value: value === null ? null : moneyText(value),
    left: amount === null || value === null ? null : moneyText(amount + value),
    beside: beside === null || beside.amount === null ? null : { limit: moneyText(beside.amount), left: beside.value === null ? null : moneyText(beside.amount + beside.value) },
  }
  if (broken !== null) return { ...state, state: hard ? 'breached' : 'paused', since: sinceOf(broken), used: 1 }
  return amount === null || value === null ? state : { ...state, state: 'within', used: usedOf(0 - value, amount) }
}

/** Contracts at once, by the nearest cap; exactly the cap is allowed. */
export const contractsState = ({ terms, held, tradingDay }: View): RuleState | null => {
  if (terms.caps === null) return null
  const { perContract } = terms.caps
  const state = blankState('contracts', 'contracts')
  if (held === null) return { ...state, state: 'within' }
  const over = held.value > held.limit
  return {
    ...state,
    state: over ? 'breached' : 'within',
    limit: contractsText(held.limit, perContract), value: contractsText(held.value, perContract), left: contractsText(held.limit - held.value, perContract),
    used: usedOf(held.value, held.limit),
    since: over ? sinceOf({ tradingDay, at: null }) : null,
  }
}

/** The flat-by time, in started minutes; `used` is the share of the last hour that is gone, known only while a position is open. */
export const flatByState = ({ terms, flatBy, heldLate, at, tradingDay }: View): RuleState | null => {
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
export const hedgingState = ({ terms, against, tradingDay }: View): RuleState | null => {
  if (!terms.noHedging) return null
  const state = blankState('hedging', 'contracts')
  if (against === null) return state
  const known: RuleState = { ...state, limit: '0', value: String(against), left: String(0 - against + 0), used: against > 0 ? 1 : 0 }
  return against > 0 ? { ...known, state: 'breached', since: sinceOf({ tradingDay, at: null }) } : { ...known, state: 'within' }
}

/** The calendar days to meet the target; the first day is day 1, the last one is included. */
export const timeLimitState = ({ terms, firstDay, tradingDay, passed, figures, foreign }: View): RuleState | null => {
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
