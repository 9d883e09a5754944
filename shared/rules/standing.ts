import type { RuleSet, RuleState } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { nearestCap, peaksOfPositions } from './caps.ts'
import type { Broken, BrokerLimits, NowFacts, Past } from './day-facts.ts'
import { flatByOf } from './flat-by.ts'
import { calendarDayOf } from './fold.ts'
import { isPassed, type Figures } from './goals.ts'
import { heldAgainst } from './hedging.ts'
import { statesOf } from './states.ts'
import { floorUnder, isLocked, termsOf, type MaxLoss, type Terms, type WinningDays } from './terms.ts'
import type { DailyLossView, MaxLossView, View } from './view.ts'

/** All rule states of an account, and the trading day on which the evaluation was passed; null if it never was. */
export type RuleResults = { readonly states: readonly RuleState[]; readonly passed: string | null }

/** Today's figures as profit over the starting balance, null if unknown. */
type Today = {
  readonly terms: Terms
  readonly start: number
  readonly startBy: View['startBy']
  readonly past: Past
  readonly broker: BrokerLimits | null
  readonly now: NowFacts
  readonly tradingDay: string
  /** Closed profit at the session's start and now. */
  readonly opening: number | null
  readonly profit: number | null
  /** Open P&L; 0 if flat. */
  readonly open: number | null
  readonly differs: boolean
}

/**
 * Evaluates every rule of an account now. `past` covers exactly the days before today. The broker's own limits win and are marked so; equity is what it
 * liquidates by. A given balance wins over the sum of trades, and a peak is at least the day's starting balance.
 */
export const evaluateRules = (set: RuleSet, past: Past, now: NowFacts, broker: BrokerLimits | null): RuleResults => {
  const view = viewOf(todayOf(set, past, now, broker))
  return { states: statesOf(view), passed: view.passed }
}

const todayOf = (set: RuleSet, past: Past, now: NowFacts, broker: BrokerLimits | null): Today => {
  const terms = termsOf(set)
  const { balance, dayRealised, moved } = now
  const byTrades = dayRealised === null ? null : past.profit + dayRealised
  // One source may know today's transfers before another.
  const addsUp = (profit: number): boolean => byTrades !== null && [0, ...moved].some((amount) => byTrades + amount === profit)
  const size = broker?.startingBalance ?? null
  // A funded account may still have its evaluation's size and start elsewhere: use the size only if balance and trades agree.
  const isBorneOut = size !== null && size !== terms.start && balance !== null && addsUp(balance - size)
  const start = isBorneOut ? size : terms.start
  const profit = balance === null ? (byTrades === null ? null : byTrades + (moved[0] ?? 0)) : balance - start
  return {
    terms, start, startBy: isBorneOut ? 'broker' : 'rules', past, broker, now, profit,
    tradingDay: tradingDay(now.at),
    opening: profit === null || dayRealised === null ? null : profit - dayRealised,
    open: now.open ?? (holds(now) ? null : 0),
    differs: balance !== null && byTrades !== null && !addsUp(balance - start),
  }
}

const viewOf = (today: Today): View => {
  const { terms, past, now, broker, opening } = today
  const maxLoss = maxLossOf(today)
  const dailyLoss = dailyLossOf(today)
  const lost = past.breach !== null || isLate(today) || (maxLoss !== null && maxLoss.broken !== null) || (dailyLoss !== null && dailyLoss.hard && dailyLoss.broken !== null)
  const figures = figuresOf(today, lost)
  const byBroker = broker?.flatBy ?? null
  const flatBy = byBroker ?? (terms.flatBy === null ? null : flatByOf(terms.flatBy, today.tradingDay))
  return {
    terms, maxLoss, dailyLoss, figures,
    start: today.start, startBy: today.startBy, tradingDay: today.tradingDay, at: now.at, profit: today.profit, differs: today.differs,
    held: terms.caps === null ? null : nearestCap(terms.caps, opening ?? past.profit, peaksOfPositions(terms.caps, now.positions)),
    flatBy: flatBy === null ? null : { at: flatBy, holds: holds(now), by: byBroker === null ? 'rules' : 'broker' },
    heldLate: null,
    against: heldAgainst(now.positions, now.others),
    metSince: past.metSince,
    firstDay: past.firstDay ?? (figures.daysTraded > 0 ? today.tradingDay : null),
    passed: past.passed ?? (!lost && isPassed(terms, figures) ? today.tradingDay : null),
  }
}

const holds = ({ positions }: NowFacts): boolean => positions.some(({ net }) => net !== 0)

const isLate = ({ terms, past, tradingDay: day }: Today): boolean => terms.timeLimit !== null && past.firstDay !== null && past.passed === null && calendarDayOf(past.firstDay, day) > terms.timeLimit

const figuresOf = ({ terms, past, now, profit }: Today, lost: boolean): Figures => {
  const made = now.dayRealised ?? 0
  const won = (rule: WinningDays | null): number => (rule !== null && made >= rule.profit ? 1 : 0)
  return {
    profit: profit ?? past.profit, net: past.net + made, bestDay: Math.max(past.bestDay, made), lost,
    daysTraded: past.daysTraded + (made === 0 ? 0 : 1),
    daysWon: past.daysWon + won(terms.winningDays),
    payoutDaysWon: past.payoutDaysWon + won(terms.payout?.winningDays ?? null),
  }
}

const maxLossOf = (today: Today): MaxLossView | null => {
  const { terms, start, past, broker, now, opening, profit, open } = today
  const rule = terms.maxLoss
  const equity = profit === null ? null : profit + (open ?? 0)
  const byBroker = broker?.floor ?? null
  if (byBroker !== null) return brokerMaxLoss(today, byBroker, equity)
  if (rule === null) return null
  const atOpening = Math.max(rule.trail === 'intraday' ? Math.max(past.highest, now.earlierPeak === null ? 0 : now.earlierPeak - start) : past.highestClose, opening ?? 0)
  const peak = rule.trail === 'intraday' ? Math.max(atOpening, profit ?? 0, equity ?? 0, now.peak === null ? 0 : now.peak - start) : atOpening
  const floor = floorUnder(rule, peak)
  const value = rule.withOpen ? equity : profit
  const reached = value !== null && value <= floor
  // A peak with open P&L does not apply to cash alone.
  const isSure = !rule.withOpen || open !== null || floor === floorUnder(rule, atOpening)
  const broken = (reached && isSure) || lowestOf(today, rule) <= floorUnder(rule, atOpening)
  return {
    floor, value: reached && !isSure ? null : value, room: rule.amount, by: today.startBy,
    broken: past.lost['max-loss'] ?? (broken ? brokenToday(today) : null),
    notes: [
      ...(rule.withOpen && open === null ? ['open-unknown' as const] : []),
      ...(rule.trail === 'intraday' && past.days > 0 && !isLocked(rule, peak) ? ['history-realised' as const] : []),
      ...(today.differs ? ['balance-differs' as const] : []),
    ],
  }
}

const brokerMaxLoss = (today: Today, byBroker: number, equity: number | null): MaxLossView => {
  const floor = byBroker - today.start
  const fall = (today.opening ?? 0) - floor
  const room = today.terms.maxLoss?.amount ?? (floor < 0 ? 0 - floor : fall)
  const reached = equity !== null && equity <= floor
  // The broker liquidates by equity: cash alone is no proof of a breach.
  const isSure = today.open !== null
  return { floor, room: room > 0 ? room : null, value: reached && !isSure ? null : equity, broken: reached && isSure ? brokenToday(today) : null, by: 'broker', notes: isSure ? [] : ['open-unknown'] }
}

// Whether the session's peak or trough came first is unknown: compare the trough with the session's opening floor.
const lowestOf = ({ start, now }: Today, { withOpen }: MaxLoss): number => {
  const lowest = withOpen ? now.trough : now.lowestBalance
  return lowest === null ? Infinity : lowest - start
}

const dailyLossOf = (today: Today): DailyLossView | null => {
  const { terms, past, broker, now, open } = today
  const byBroker = broker?.dailyLoss ?? null
  const rule = terms.dailyLoss
  const reduceOnly = broker?.reduceOnly === true
  if (rule === null && byBroker === null && !reduceOnly) return null
  const amount = byBroker ?? rule?.amount ?? null
  const withOpen = byBroker !== null || rule?.withOpen !== false
  const value = now.dayRealised === null ? null : now.dayRealised + (withOpen ? (open ?? 0) : 0)
  const lowest = withOpen ? now.lowestDay : now.lowestRealised
  const reached = amount !== null && Math.min(value ?? 0, lowest ?? 0) <= 0 - amount
  const before = byBroker === null ? past.lost['daily-loss'] : null
  const broken = before ?? (reached || reduceOnly ? brokenToday(today) : null)
  return {
    amount, value, broken,
    hard: before !== null || (reached && rule?.hard === true),
    by: byBroker !== null || (reduceOnly && !reached && before === null) ? 'broker' : 'rules',
    notes: withOpen && open === null ? ['open-unknown'] : [],
  }
}

const brokenToday = ({ tradingDay: day }: Today): Broken => ({ tradingDay: day, at: null })
