import type { ReplayAnswer, ReplayDay, RuleSet } from '#shared/api/rules.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import type { DayFacts, DayOutcome, Past } from './day-facts.ts'
import { foldDays } from './fold.ts'
import { moneyText } from './state-text.ts'
import { statesOf } from './states.ts'
import { termsOf, type Terms } from './terms.ts'
import { leaves, pastWithUnexplained } from './unexplained.ts'
import { sinceOf, type View } from './view.ts'

/**
 * Runs a rule set over an account's history from its starting balance. A hard breach ends the account: max loss, a hard
 * daily loss, or the time limit. Too many contracts, or a position held too long, breach their day but end nothing. If
 * the account's final `balance` is known, the days lead to it: any excess counts as made before the first day. If it is
 * lower, for example after an unrecorded payout, the days keep their start. In both cases the last day notes that they
 * do not add up.
 */
export const replay = (set: RuleSet, facts: readonly DayFacts[], balance: { readonly amount: Amount; readonly openCosts: Amount } | null = null): ReplayAnswer => {
  const terms = termsOf(set)
  const fromStart = foldDays(set, facts)
  const unexplained = balance === null ? 0 : leaves(balance.amount - terms.start - fromStart.past.profit, balance.openCosts)
  const { days, past } = unexplained > 0 ? foldDays(set, facts, pastWithUnexplained(amountOf(unexplained))) : fromStart
  const { breach } = past
  return {
    days: days.map((day, index) => replayDay(terms, day, index === days.length - 1 && unexplained !== 0)),
    breach: breach === null ? null : { ...sinceOf(breach), rule: breach.rule },
    passed: past.passed,
    outcome: outcomeOf(past),
  }
}

const outcomeOf = ({ passed, breach, daysTraded }: Past): ReplayAnswer['outcome'] => {
  if (passed !== null) return 'passed'
  if (breach !== null) return breach.rule === 'time-limit' ? 'out-of-time' : 'breached'
  return daysTraded === 0 ? 'no-trades' : 'running'
}

const replayDay = (terms: Terms, day: DayOutcome, differs: boolean): ReplayDay => ({
  tradingDay: day.tradingDay,
  net: moneyText(day.net),
  balance: moneyText(terms.start + day.closing),
  drawdownLimit: day.drawdownLimit === null ? null : moneyText(terms.start + day.drawdownLimit),
  low: moneyText(terms.start + day.low),
  high: moneyText(terms.start + day.high),
  trades: day.trades,
  states: [...statesOf(endOf(terms, day, differs))],
})

const endOf = (terms: Terms, day: DayOutcome, differs: boolean): View => {
  const { after } = day
  const { maxLoss, dailyLoss } = terms
  return {
    terms, start: terms.start, startBy: 'rules', tradingDay: day.tradingDay, at: null,
    figures: { ...after, lost: after.breach !== null },
    profit: day.closing,
    maxLoss: maxLoss === null || day.drawdownLimit === null ? null : {
      drawdownLimit: day.drawdownLimit,
      room: maxLoss.amount,
      value: day.closing,
      broken: after.lost['max-loss'],
      by: 'rules',
      notes: [...(maxLoss.withOpen ? ['history-realized' as const] : []), ...(differs ? ['balance-differs' as const] : [])],
      beside: null,
    },
    dailyLoss: dailyLoss === null ? null : { amount: dailyLoss.amount, value: day.net, broken: dailyLoss.hard ? after.lost['daily-loss'] : day.dailyLoss, hard: dailyLoss.hard, by: 'rules', notes: dailyLoss.withOpen ? ['history-realized'] : [], beside: null },
    nearestCap: day.nearestCap,
    flatBy: null,
    heldLate: day.heldLate,
    against: null,
    metSince: after.metSince,
    firstDay: after.firstDay,
    passed: after.passed,
    differs,
    foreign: { day: after.foreign?.last === day.tradingDay, any: after.foreign !== null },
  }
}
