import type { AboutTrades, Finding, Measure, MeasureName, ReportFact } from '#shared/api/reports.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { divideRounded, writeDecimal } from '#shared/money/decimal.ts'
import { amountOf, exactMoney, negate, type Amount } from '#shared/money/money.ts'
import { averageToDecimalString } from '#shared/stats/average.ts'
import { drawdowns, equityByTrade } from '#shared/stats/equity.ts'
import type { FindingsResult } from '#shared/stats/findings/find.ts'
import type { ReportTrade } from '#shared/stats/findings/report-trade.ts'
import type { MoneyFigures } from '#shared/stats/money-figures.ts'
import { streaksOf } from '#shared/stats/streaks.ts'
import { addToGroup, emptyGroup, groupFigures, type GroupFigures } from '#shared/stats/trade-group.ts'
import { weekdayAndHour } from '#shared/stats/trade-times.ts'

/** A fact with its trades as ascending indexes into the list of trades. */
export type FactWithMembers = { readonly fact: ReportFact; readonly members: Uint32Array }

type Kind = ReportFact['kind']
type Group = { readonly about: AboutTrades; readonly members: number[]; readonly sums: ReturnType<typeof emptyGroup> }

// Together they keep the facts to about 150.
const [maxAccounts, maxProducts, maxDays, maxFindings] = [30, 25, 31, 30]
const bestOrWorstDays = 10

/**
 * The figures of a report that a narrative may cite, at most about 150: the whole period, the accounts and products with
 * the most trades, sides, weekdays, hours, days (above 31 the ten best and ten worst by net P&L), and findings. Ids and order
 * are the same for the same trades. Money is rounded once, to cents; commission and drawdown are negative; rates have six
 * decimals.
 */
export const factsOf = (trades: readonly ReportTrade[], found: FindingsResult, { zone }: { readonly zone: string }): readonly FactWithMembers[] => {
  if (trades.length === 0) return []
  const all = emptyGroup()
  const [accounts, products, sides, weekdays, hours, days] = [newGroups(), newGroups(), newGroups(), newGroups(), newGroups(), newGroups()]
  const roots = new Map<string, string>()
  trades.forEach((trade, index) => {
    const { weekday, hour } = weekdayAndHour(trade.entryTime, zone)
    const product = roots.get(trade.symbol) ?? wholeRootOf(trade.symbol)
    roots.set(trade.symbol, product)
    addToGroup(all, trade, null)
    accounts.take(trade.account, { account: trade.account }, trade, index)
    products.take(product, { product }, trade, index)
    sides.take(trade.side, { side: trade.side }, trade, index)
    weekdays.take(weekday, { weekday }, trade, index)
    hours.take(hour, { hour }, trade, index)
    days.take(trade.tradingDay, { day: trade.tradingDay }, trade, index)
  })
  const plain = (kind: Kind, groups: readonly Group[]) => groups.map(({ about, members, sums }) => ({ kind, about, finding: null, members: Uint32Array.from(members), measures: groupMeasures(groupFigures(sums)) }))
  const facts = [
    { kind: 'total' as const, about: {}, finding: null, members: Uint32Array.from(trades.keys()), measures: totalMeasures(trades, groupFigures(all), days.inOrder().length) },
    ...plain('account', mostTraded(accounts.inOrder(), maxAccounts)),
    ...plain('product', mostTraded(products.inOrder(), maxProducts)),
    ...plain('side', sides.inOrder()),
    ...plain('weekday', weekdays.inOrder()),
    ...plain('hour', hours.inOrder()),
    ...plain('day', bestAndWorst(days.inOrder())),
    // A narrative's model may run elsewhere, and figures from licensed prices must stay on this computer.
    ...found.findings.filter(({ finding }) => finding.kind !== 'excursions').slice(0, maxFindings).map(({ finding, members }) => ({ kind: finding.kind, about: finding.about, finding: finding.key, members, measures: findingMeasures(finding) })),
  ]
  return facts.map(({ kind, about, finding, members, measures }, index) => ({ fact: { id: `f${String(index + 1)}`, about, finding, kind, measures, trades: members.length }, members }))
}

const newGroups = () => {
  const groups = new Map<string | number, Group>()
  return {
    take: (key: string | number, about: AboutTrades, trade: ReportTrade, index: number): void => {
      let group = groups.get(key)
      if (group === undefined) {
        group = { about, members: [], sums: emptyGroup() }
        groups.set(key, group)
      }
      group.members.push(index)
      addToGroup(group.sums, trade, null)
    },
    inOrder: (): readonly Group[] => [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group),
  }
}

const mostTraded = (groups: readonly Group[], most: number): readonly Group[] => {
  if (groups.length <= most) return groups
  const kept = new Set([...groups].sort((one, other) => other.members.length - one.members.length).slice(0, most))
  return groups.filter((group) => kept.has(group))
}

// Ranks days in the currency with the most trades only.
const bestAndWorst = (days: readonly Group[]): readonly Group[] => {
  if (days.length <= maxDays) return days
  const counts = new Map<string, number>()
  for (const { sums } of days) for (const { currency, count } of sums.money) counts.set(currency, (counts.get(currency) ?? 0) + count)
  const main = [...counts].sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))[0]?.[0]
  const net = ({ sums }: Group): number => sums.money.find(({ currency }) => currency === main)?.net ?? 0
  const ranked = [...days].sort((one, other) => net(other) - net(one))
  const kept = new Set([...ranked.slice(0, bestOrWorstDays), ...ranked.slice(-bestOrWorstDays)])
  return days.filter((day) => kept.has(day))
}

const countOf = (name: MeasureName, value: number, unit: Measure['unit'] = 'count'): Measure => ({ name, unit, value: String(value), currency: null })
const moneyOf = (name: MeasureName, value: string, currency: string): Measure => ({ name, unit: 'money', value, currency })
const amountIn = (name: MeasureName, amount: Amount, currency: string): Measure => moneyOf(name, exactMoney(amount), currency)
const ratioText = (dividend: number, divisor: number): string => writeDecimal(divideRounded(BigInt(dividend) * 1_000_000n, BigInt(divisor), 'half-away'), 6)
// A chance is never 0, however small.
const plainDecimal = (value: number): string => (value > 0 && value < 0.000_001 ? '0.000001' : value.toFixed(6))

const groupMeasures = ({ count, wins, losses, money }: GroupFigures): Measure[] => [
  ...money.flatMap(({ currency, netPnl, expectancy }) => [amountIn('net', netPnl, currency), moneyOf('average', averageToDecimalString(expectancy), currency)]),
  ...counted(count, wins, losses),
]

const counted = (count: number, wins: number, losses: number): Measure[] => [
  countOf('trades', count),
  countOf('wins', wins),
  countOf('losses', losses),
  { name: 'win-rate', unit: 'share', value: ratioText(wins, count), currency: null },
]

const totalMeasures = (trades: readonly ReportTrade[], { count, wins, losses, hold, money }: GroupFigures, days: number): Measure[] => {
  const inOrder = [...trades].sort((one, other) => one.exitTime - other.exitTime || (one.id < other.id ? -1 : 1))
  const byCurrency = Map.groupBy(inOrder, ({ currency }) => currency)
  const { longestWins, longestLosses } = streaksOf(inOrder)
  return [
    ...money.flatMap((row) => [...moneyMeasures(row), ...maxDrawdown(byCurrency.get(row.currency) ?? [], row.currency)]),
    ...counted(count, wins, losses),
    countOf('days', days, 'days'),
    countOf('hold', hold.all ?? 0, 'time'),
    countOf('longest-wins', longestWins),
    countOf('longest-losses', longestLosses),
  ]
}

const moneyMeasures = ({ currency, netPnl, grossPnl, commission, expectancy, averageWin, averageLoss, largestWin, largestLoss }: MoneyFigures): Measure[] => [
  amountIn('net', netPnl, currency),
  amountIn('gross', grossPnl, currency),
  amountIn('commission', negate(commission), currency),
  moneyOf('average', averageToDecimalString(expectancy), currency),
  ...(averageWin === null ? [] : [moneyOf('average-win', averageToDecimalString(averageWin), currency)]),
  ...(averageLoss === null ? [] : [moneyOf('average-loss', averageToDecimalString(averageLoss), currency)]),
  ...(largestWin === null ? [] : [amountIn('largest-win', largestWin, currency)]),
  ...(largestLoss === null ? [] : [amountIn('largest-loss', largestLoss, currency)]),
  ...profitFactor({ averageWin, averageLoss, currency }),
]

// From the exact sums behind the averages.
const profitFactor = ({ averageWin, averageLoss, currency }: Pick<MoneyFigures, 'averageWin' | 'averageLoss' | 'currency'>): Measure[] =>
  averageLoss === null ? [] : [{ name: 'profit-factor', unit: 'ratio', value: ratioText(averageWin?.sum ?? 0, -averageLoss.sum), currency }]

const maxDrawdown = (inOrder: readonly ReportTrade[], currency: string): Measure[] => {
  const deepest = drawdowns(equityByTrade(inOrder), ({ exitTime }) => exitTime).deepest
  return [amountIn('drawdown', deepest === null ? amountOf(0) : negate(deepest.depth), currency)]
}

const findingMeasures = ({ currency, net, excess, chance, trades, measures }: Finding): Measure[] => {
  const own: Measure[] = [
    moneyOf('net', net, currency),
    countOf('trades', trades),
    ...(excess === null ? [] : [moneyOf('excess', excess.value, currency), moneyOf('excess-low', excess.low, currency), moneyOf('excess-high', excess.high, currency)]),
    ...(chance === null ? [] : [{ name: 'chance' as const, unit: 'chance' as const, value: plainDecimal(chance.corrected), currency: null }]),
  ]
  const known = new Set(own.map(({ name }) => name))
  return [...own, ...measures.filter(({ name }) => !known.has(name))]
}
