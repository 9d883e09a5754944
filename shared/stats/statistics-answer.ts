import type { StatCurve, StatDrawdown, StatisticsAnswer } from '#shared/api/statistics.ts'
import { exactMoney } from '#shared/money/money.ts'
import type { Drawdown } from './equity.ts'
import { moneyAnswer, sumsAnswer } from './money-figures.ts'
import type { CurrencyEquity, Statistics } from './statistics.ts'
import { thinCurve } from './thin-curve.ts'
import type { GroupFigures } from './trade-group.ts'

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
    unit: counted, zone, timedBy, streaks,
    all: groupAnswer(all),
    rDistribution: [...rDistribution],
    equity: equity.map(curveAnswer),
    days: calendar.days.map((day) => ({ ...day, money: day.money.map(sumsAnswer) })),
    weeks: calendar.weeks.map((week) => ({ ...week, money: week.money.map(sumsAnswer) })),
    bySymbol: statistics.bySymbol.map(groupAnswer),
    byWeekday: statistics.byWeekday.map(groupAnswer),
    byHour: statistics.byHour.map(groupAnswer),
    bySession: statistics.bySession.map(groupAnswer),
    byAccount: statistics.byAccount.map((group) => ({ ...groupAnswer(group), name: accountName(group.key) })),
    // Stored firms are always from the list.
    byFirm: statistics.byFirm.map(groupAnswer) as StatisticsAnswer['byFirm'],
    bySide: statistics.bySide.map(groupAnswer),
    byTag: statistics.byTag.map(groupAnswer),
    firstDay: calendar.days[0]?.tradingDay ?? null,
    lastDay: calendar.days.at(-1)?.tradingDay ?? null,
    ...rest,
  }
}

const groupAnswer = <Group extends GroupFigures>({ money, ...figures }: Group) => ({ ...figures, money: money.map(moneyAnswer) })

const curveAnswer = ({ currency, byDay, drawdownByDay: { deepest, present }, drawdownByTrade }: CurrencyEquity): StatCurve => ({
  currency,
  points: thinCurve(byDay, maxPoints).map(({ tradingDay, net, cumulative }) => ({ tradingDay, netPnl: exactMoney(net), cumulative: exactMoney(cumulative) })),
  deepest: deepest && drawdownAnswer(deepest),
  deepestByTrade: drawdownByTrade.deepest && { ...drawdownByTrade.deepest, depth: exactMoney(drawdownByTrade.deepest.depth) },
  present: present && { ...drawdownAnswer(present), below: exactMoney(present.below) },
})

const drawdownAnswer = ({ depth, start, bottom, recovery }: Drawdown<string>): StatDrawdown => ({ depth: exactMoney(depth), start, bottom, recovery })
