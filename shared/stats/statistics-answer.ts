import type { StatCurve, StatDrawdown, StatGroup, StatisticsAnswer, StatMoney } from '#shared/api/statistics.ts'
import { amountTexts } from '#shared/money/currency-amounts.ts'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { averageToDecimalString, type Average } from './average.ts'
import type { CalendarMoney } from './calendar.ts'
import type { Drawdown } from './equity.ts'
import type { MoneyFigures, TradeCounts } from './money-figures.ts'
import type { CurrencyEquity, Statistics } from './statistics.ts'
import { thinCurve } from './thin-curve.ts'
import type { GroupFigures, TradeGroup } from './trade-group.ts'

const maxPoints = 2_000

/** The parts of an answer besides the statistics. */
export type AnswerContext = Pick<StatisticsAnswer, 'recent' | 'warned' | 'accounts' | 'trades'> & {
  /** The display name of an account key. */
  readonly accountName: (key: string) => string
}

/** Statistics as the call answers them: money as decimal text, and curves thinned to 2,000 points. */
export const statisticsAnswer = (statistics: Statistics, { accountName, ...rest }: AnswerContext): StatisticsAnswer => {
  const { counted, zone, timedBy, all, streaks, rDistribution, equity, calendar } = statistics
  return {
    ...{ unit: counted, zone, timedBy, streaks },
    all: groupAnswer(all),
    rDistribution: [...rDistribution],
    equity: equity.map(curveAnswer),
    days: calendar.days.map(({ tradingDay, money, ...counts }) => ({ ...countsOf(counts), tradingDay, money: money.map(dayMoney) })),
    weeks: calendar.weeks.map(({ monday, days, money, ...counts }) => ({ ...countsOf(counts), monday, days, money: money.map(dayMoney) })),
    bySymbol: statistics.bySymbol.map(keyed),
    byWeekday: statistics.byWeekday.map(keyed),
    byHour: statistics.byHour.map(keyed),
    bySession: statistics.bySession.map(keyed),
    byAccount: statistics.byAccount.map((group) => ({ ...keyed(group), name: accountName(group.key) })),
    // Stored firms are always from the list.
    byFirm: statistics.byFirm.map(keyed) as StatisticsAnswer['byFirm'],
    bySide: statistics.bySide.map(keyed),
    byTag: statistics.byTag.map(keyed),
    firstDay: calendar.days[0]?.tradingDay ?? null,
    lastDay: calendar.days.at(-1)?.tradingDay ?? null,
    ...rest,
  }
}

const keyed = <Key>(group: TradeGroup<Key>): StatGroup & { key: Key } => ({ key: group.key, ...groupAnswer(group) })

const countsOf = ({ count, wins, losses, winRate }: TradeCounts): TradeCounts => ({ count, wins, losses, winRate })

const groupAnswer = ({ hold, r, exitEfficiency, money, ...counts }: GroupFigures): StatGroup => ({ ...countsOf(counts), hold, r, ...(exitEfficiency === undefined ? {} : { exitEfficiency }), money: money.map(moneyAnswer) })

const moneyAnswer = (figures: MoneyFigures): StatMoney => ({
  ...dayMoney(figures),
  ...(figures.otherFees.length === 0 ? {} : { otherFees: amountTexts(figures.otherFees) }),
  count: figures.count,
  wins: figures.wins,
  losses: figures.losses,
  profitFactor: figures.profitFactor,
  expectancy: averageToDecimalString(figures.expectancy),
  averageWin: averageText(figures.averageWin),
  averageLoss: averageText(figures.averageLoss),
  largestWin: amountText(figures.largestWin),
  largestLoss: amountText(figures.largestLoss),
})

const dayMoney = ({ currency, grossPnl, commission, netPnl }: CalendarMoney) => ({
  currency,
  grossPnl: exactMoney(grossPnl),
  commission: exactMoney(commission),
  netPnl: exactMoney(netPnl),
})

const averageText = (average: Average | null): string | null => (average === null ? null : averageToDecimalString(average))

const amountText = (amount: Amount | null): string | null => (amount === null ? null : exactMoney(amount))

const curveAnswer = ({ currency, byDay, drawdownByDay: { deepest, present }, drawdownByTrade }: CurrencyEquity): StatCurve => ({
  currency,
  points: thinCurve(byDay, maxPoints).map(({ tradingDay, net, cumulative }) => ({ tradingDay, netPnl: exactMoney(net), cumulative: exactMoney(cumulative) })),
  deepest: deepest && drawdownAnswer(deepest),
  deepestByTrade: drawdownByTrade.deepest && { ...drawdownByTrade.deepest, depth: exactMoney(drawdownByTrade.deepest.depth) },
  present: present && { ...drawdownAnswer(present), below: exactMoney(present.below) },
})

const drawdownAnswer = ({ depth, start, bottom, recovery }: Drawdown<string>): StatDrawdown => ({ depth: exactMoney(depth), start, bottom, recovery })
