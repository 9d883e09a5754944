import type { RuleSet, RuleState } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { zero } from '#shared/money/money.ts'
import { nearestCap, peaksOfPositions } from './caps.ts'
import type { Broken, BrokerLimits, NowFacts, Past, HeldContract } from './day-facts.ts'
import { flatByOf } from './flat-by.ts'
import { calendarDayOf } from './fold.ts'
import { isPassed, type Figures } from './goals.ts'
import { statesOf } from './states.ts'
import { drawdownLimitUnder, isLocked, termsOf, type MaxLoss, type Terms, type WinningDays } from './terms.ts'
import { leaves } from './unexplained.ts'
import type { DailyLossView, MaxLossView, View, WithBeside } from './view.ts'
import { marketOf } from '#shared/market/micros.ts'

/** Contracts that other accounts hold against an account: opposite side, same market, micros and minis alike. */
const heldAgainst = (positions: readonly HeldContract[], others: NowFacts['others']): number => {
  const sides = new Set(positions.filter(({ net }) => net !== 0).map(({ product, net }) => sideOf(product, net)))
  return others.reduce((sum, { product, net }) => (net !== 0 && sides.has(sideOf(product, 0 - net)) ? sum + Math.abs(net) : sum), 0)
}

const sideOf = (product: string, net: number): string => `${marketOf(product)} ${net > 0 ? 'long' : 'short'}`

/** All rule states of an account, the trading day on which the evaluation was passed (null if it never was), and the part of the balance that its trades do not explain. */
export type RuleResults = { readonly states: readonly RuleState[]; readonly passed: string | null; readonly unexplained: number }

/** Today's figures as profit over the starting balance, null if unknown. */
type Today = {
  readonly terms: Terms
  readonly start: number
  readonly startBy: View['startBy']
  readonly past: Past
  readonly broker: BrokerLimits | null
  readonly now: NowFacts
  readonly tradingDay: string
  /** The session of the day's figures: the broker's while it still shows one that is over. */
  readonly session: string
  /** Closed profit at the session's start and now. */
  readonly opening: number | null
  readonly profit: number | null
  /** Open P&L; 0 if flat. */
  readonly open: number | null
  /** The part of the balance that the trades do not explain, of unknown time; 0 if they add up. */
  readonly unexplained: number
  readonly foreign: View['foreign']
}

/**
 * Evaluates every rule of an account now. `past` covers exactly the days before today. Of the rules' and the broker's
 * own limit the nearer one counts, and the other is given beside it; equity is what the broker liquidates by. A given
 * balance overrides the sum of trades, and a peak is at least the day's starting balance.
 */
export const evaluateRules = (set: RuleSet, past: Past, now: NowFacts, broker: BrokerLimits | null): RuleResults => {
  const today = todayOf(set, past, now, broker)
  const view = viewOf(today)
  return { states: statesOf(view), passed: view.passed, unexplained: today.unexplained }
}

/**
 * The facts of today: what a session of an earlier day made, and the days of `past` hold already, is not made again
 * today. Balance and past show whether they do.
 */
export const factsOfToday = (set: RuleSet, past: Past, now: NowFacts, broker: BrokerLimits | null): NowFacts => {
  const { balance, moved, openCosts } = now
  const session = now.session ?? null
  if (balance === null || session === null || session >= tradingDay(now.at)) return now
  const isPast = [termsOf(set).start, broker?.startingBalance ?? null].some((start) => start !== null && [0, ...moved].some((amount) => leaves(balance - start - past.profit - amount, openCosts) === 0))
  return isPast ? { ...now, session: null, dayRealized: zero, lowestRealized: null, lowestDay: null } : now
}

const todayOf = (set: RuleSet, past: Past, now: NowFacts, broker: BrokerLimits | null): Today => {
  const terms = termsOf(set)
  const { balance, dayRealized, moved, openCosts, session = null } = now
  const byTrades = dayRealized === null ? null : past.profit + dayRealized
  // One source may know today's transfers before another.
  const addsUp = (profit: number): boolean => byTrades !== null && [0, ...moved].some((amount) => leaves(profit - byTrades - amount, openCosts) === 0)
  const size = broker?.startingBalance ?? null
  // A funded account may still have its evaluation's size and start elsewhere: use the size only if balance and trades agree.
  const isBorneOut = size !== null && size !== terms.start && balance !== null && addsUp(balance - size)
  const start = isBorneOut ? size : terms.start
  const day = tradingDay(now.at)
  const shown = session !== null && session < day ? session : day
  const profit = balance === null ? (byTrades === null ? null : byTrades + (moved[0] ?? 0)) : balance - start
  return {
    terms, start, startBy: isBorneOut ? 'broker' : 'rules', past, broker, now, profit,
    tradingDay: day,
    session: shown,
    foreign: { day: now.foreign === true || past.foreign?.last === shown, any: now.foreign === true || past.foreign !== null },
    opening: profit === null || dayRealized === null ? null : profit - dayRealized,
    open: now.open ?? (holds(now) ? null : 0),
    unexplained: balance === null || byTrades === null || addsUp(balance - start) ? 0 : balance - start - byTrades - latestOf(moved),
  }
}

// One source may not know of today's transfers yet.
const latestOf = (moved: readonly number[]): number => moved.reduce((most, amount) => (Math.abs(amount) > Math.abs(most) ? amount : most), 0)

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
    start: today.start, startBy: today.startBy, tradingDay: today.tradingDay, at: now.at, profit: today.profit, differs: today.unexplained !== 0, foreign: today.foreign,
    nearestCap: terms.caps === null ? null : nearestCap(terms.caps, opening ?? past.profit, peaksOfPositions(terms.caps, now.positions)),
    flatBy: flatBy === null ? null : { at: flatBy, holds: holds(now), by: byBroker === null ? 'rules' : 'broker' },
    heldLate: null,
    against: heldAgainst(now.positions, now.others),
    metSince: past.metSince,
    firstDay: past.firstDay ?? (figures.daysTraded > 0 ? today.session : null),
    passed: past.passed ?? (!lost && !today.foreign.any && isPassed(terms, figures) ? today.session : null),
  }
}

const holds = ({ positions }: NowFacts): boolean => positions.some(({ net }) => net !== 0)

const isLate = ({ terms, past, foreign, tradingDay: day }: Today): boolean => !foreign.any && terms.timeLimit !== null && past.firstDay !== null && past.passed === null && calendarDayOf(past.firstDay, day) > terms.timeLimit

const figuresOf = ({ terms, past, now, profit }: Today, lost: boolean): Figures => {
  const made = now.dayRealized ?? 0
  const won = (rule: WinningDays | null): number => (rule !== null && made >= rule.profit ? 1 : 0)
  return {
    profit: profit ?? past.profit, net: past.net + made, bestDay: Math.max(past.bestDay, made), lost,
    daysTraded: past.daysTraded + (made === 0 && now.foreign !== true ? 0 : 1),
    daysWon: past.daysWon + won(terms.winningDays),
    payoutDaysWon: past.payoutDaysWon + won(terms.payout?.winningDays ?? null),
  }
}

const maxLossOf = (today: Today): WithBeside<MaxLossView> | null => {
  const { profit, open, broker } = today
  const equity = profit === null ? null : profit + (open ?? 0)
  const byBroker = broker?.drawdownLimit ?? null
  return nearerOf(ruleMaxLoss(today, equity), byBroker === null ? null : brokerMaxLoss(today, byBroker, equity), ({ value, drawdownLimit }) => (value ?? 0) - drawdownLimit)
}

const ruleMaxLoss = (today: Today, equity: number | null): MaxLossView | null => {
  const { terms, start, past, now, opening, profit, open, unexplained } = today
  const rule = terms.maxLoss
  if (rule === null) return null
  // What the trades do not explain happened before or after them, and may lack fees of open ones: the drawdown limit is only known to be between these.
  const peaks = (unexplained === 0 ? [0] : [0, unexplained, unexplained + now.openCosts]).map((before) => {
    const atOpening = Math.max(before + (rule.trail === 'intraday' ? past.highest : past.highestClose), rule.trail !== 'intraday' || now.earlierPeak === null ? 0 : now.earlierPeak - start, opening ?? 0)
    return { atOpening, peak: rule.trail === 'intraday' ? Math.max(atOpening, profit ?? 0, equity ?? 0, now.peak === null ? 0 : now.peak - start) : atOpening }
  })
  const [drawdownLimit, surest] = [Math.max, Math.min].map((pick) => pick(...peaks.map(({ peak }) => drawdownLimitUnder(rule, peak)))) as [number, number]
  const surestAtOpening = Math.min(...peaks.map(({ atOpening }) => drawdownLimitUnder(rule, atOpening)))
  const value = rule.withOpen ? equity : profit
  const reached = value !== null && value <= surest
  // A peak with open P&L does not apply to cash alone.
  const isSure = !rule.withOpen || open !== null || surest === surestAtOpening
  const broken = !today.foreign.any && ((reached && isSure) || lowestOf(today, rule) <= surestAtOpening)
  return {
    drawdownLimit, value: value !== null && value <= drawdownLimit && !(reached && isSure) ? null : value, room: rule.amount, by: today.startBy,
    broken: past.lost['max-loss'] ?? (broken ? brokenToday(today) : null),
    notes: [
      ...(rule.withOpen && open === null ? ['open-unknown' as const] : []),
      ...(rule.trail === 'intraday' && past.days > 0 && !isLocked(rule, Math.min(...peaks.map(({ peak }) => peak))) ? ['history-realized' as const] : []),
      ...(unexplained === 0 ? [] : ['balance-differs' as const]),
    ],
  }
}

const brokerMaxLoss = (today: Today, byBroker: number, equity: number | null): MaxLossView => {
  const drawdownLimit = byBroker - today.start
  const fall = (today.opening ?? 0) - drawdownLimit
  const room = today.broker?.trailing ?? today.terms.maxLoss?.amount ?? (drawdownLimit < 0 ? 0 - drawdownLimit : fall)
  const reached = equity !== null && equity <= drawdownLimit
  // The broker liquidates by equity: cash alone is no proof of a breach.
  const isSure = today.open !== null
  return { drawdownLimit, room: room > 0 ? room : null, value: reached && !isSure ? null : equity, broken: reached && isSure && !today.foreign.any ? brokenToday(today) : null, by: 'broker', notes: isSure ? [] : ['open-unknown'] }
}

/** Of the rules' and the broker's limit the one broken first, else the nearer one, with the other beside it. */
const nearerOf = <V extends { readonly broken: Broken | null }>(rules: V | null, broker: V | null, left: (view: V) => number): WithBeside<V> | null => {
  if (rules === null || broker === null) {
    const only = rules ?? broker
    return only === null ? null : { ...only, beside: null }
  }
  const [byRules, byBroker] = [rules.broken?.tradingDay ?? unbroken, broker.broken?.tradingDay ?? unbroken]
  const isRules = byRules === byBroker ? byRules === unbroken && left(rules) < left(broker) : byRules < byBroker
  return isRules ? { ...rules, beside: broker } : { ...broker, beside: rules }
}

// Sorts after every day.
const unbroken = '~'

// Whether the session's peak or trough came first is unknown: compare the trough with the session's opening floor.
const lowestOf = ({ start, now }: Today, { withOpen }: MaxLoss): number => {
  const lowest = withOpen ? now.trough : now.lowestBalance
  return lowest === null ? Infinity : lowest - start
}

const dailyLossOf = (today: Today): WithBeside<DailyLossView> | null => {
  const { terms: { dailyLoss: rule }, past, broker } = today
  const before = past.lost['daily-loss']
  const byRules = rule === null ? null : dailyLossBy(today, rule)
  const limit = broker?.dailyLoss ?? null
  const byBroker = limit === null ? null : dailyLossBy(today, { amount: limit, withOpen: true, hard: false })
  const nearer = nearerOf<DailyLossView>(
    byRules === null ? null : { ...byRules, broken: before ?? byRules.broken, hard: before !== null || (byRules.broken !== null && rule?.hard === true), by: 'rules' },
    byBroker === null ? null : { ...byBroker, hard: false, by: 'broker' },
    ({ amount, value }) => (amount ?? 0) + (value ?? 0),
  )
  if (broker?.reduceOnly !== true || (nearer !== null && nearer.broken !== null)) return nearer
  const known = nearer ?? { amount: null, value: dayOf(today, true), hard: false, notes: today.open === null ? ['open-unknown' as const] : [], beside: null }
  return { ...known, broken: brokenToday(today), by: 'broker' }
}

const dailyLossBy = (today: Today, { amount, withOpen, hard }: NonNullable<Terms['dailyLoss']>) => {
  const { now, open } = today
  const shown = dayOf(today, withOpen)
  // The next session begins with all of the limit, unless breaking it in the one that is over ended the account.
  const isOver = today.session < today.tradingDay && !(hard && (shown ?? 0) <= 0 - amount)
  const value = isOver ? (withOpen ? open : 0) : shown
  const reached = !today.foreign.day && Math.min(value ?? 0, (withOpen ? now.lowestDay : now.lowestRealized) ?? 0) <= 0 - amount
  return { amount, value, broken: reached ? brokenToday(today) : null, notes: withOpen && open === null ? ['open-unknown' as const] : [] }
}

const dayOf = ({ now: { dayRealized }, open }: Today, withOpen: boolean): number | null => (dayRealized === null ? null : dayRealized + (withOpen ? (open ?? 0) : 0))

const brokenToday = ({ session }: Today): Broken => ({ tradingDay: session, at: null })
