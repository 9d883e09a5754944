import { describe, expect, it } from 'vitest'
import { countedTrade, money } from '#tests/helpers/counted-trade.ts'
import { averageToDecimalString } from './average.ts'
import { drawdowns, equityByTrade } from './equity.ts'
import type { CountedTrade } from './figures.ts'
import { createStatistics, type Statistics, type StatisticsOptions } from './statistics.ts'

// Chicago and New York set their clocks forward on Sunday, 8 March.
const story: readonly CountedTrade[] = [
  countedTrade({ id: 'a', entry: '2026-03-06T14:30Z', exit: '2026-03-06T14:40Z', gross: 100, fee: 2, risk: 50, firm: 'Apex' }),
  countedTrade({ id: 'b', entry: '2026-03-06T22:30Z', exit: '2026-03-06T23:30Z', gross: -40, fee: 2, risk: 40, firm: 'Apex', side: 'short' }),
  countedTrade({ id: 'd', entry: '2026-03-09T06:59:59Z', exit: '2026-03-09T07:00Z', gross: 0, fee: 2, symbol: 'MESU6', firm: 'Apex' }),
  countedTrade({ id: 'c', entry: '2026-03-09T13:30Z', exit: '2026-03-09T13:50Z', gross: 60, fee: 3, symbol: 'NQM6', account: 'B' }),
  countedTrade({ id: 'e', entry: '2026-03-10T07:00Z', exit: '2026-03-10T07:30Z', gross: -25, fee: 5, risk: 12.5, symbol: 'FDAXH6', account: 'B', currency: 'EUR' }),
  countedTrade({ id: 'f', entry: '2026-03-10T22:00Z', exit: '2026-03-10T22:05Z', gross: -10, fee: 2, risk: 10, firm: 'Apex', side: 'short' }),
]

const statisticsOf = (trades: readonly CountedTrade[], options: Partial<StatisticsOptions> = {}): Statistics => {
  const statistics = createStatistics({ counted: 'trades', zone: 'America/New_York', timedBy: 'entry', ...options })
  for (const trade of trades) statistics.take(trade)
  return statistics.result()
}

const result = statisticsOf(story)

/** Key, trades and net of each group, in their order. */
const outline = (groups: readonly { readonly key: unknown; readonly count: number; readonly money: readonly { readonly currency: string; readonly netPnl: number }[] }[]) =>
  groups.map(({ key, count, money: rows }) => [key, count, ...rows.map(({ currency, netPnl }) => `${String(netPnl / 10_000)} ${currency}`)])

describe('the whole', () => {
  it('reports its unit and clock', () => {
    expect(result).toMatchObject({ counted: 'trades', zone: 'America/New_York', timedBy: 'entry' })
  })

  it('counts wins and losses by gross P&L in all currencies', () => {
    expect(result.all).toMatchObject({ count: 6, wins: 2, losses: 3, winRate: 2 / 6 })
  })

  it('keeps currencies separate', () => {
    expect(result.all.money).toEqual([
      {
        currency: 'EUR', count: 1, wins: 0, losses: 1, grossPnl: money(-25), commission: money(5), otherFees: [], netPnl: money(-30), profitFactor: 0,
        expectancy: { sum: money(-30), count: 1 }, averageWin: null, averageLoss: { sum: money(-25), count: 1 }, largestWin: null, largestLoss: money(-25),
      },
      {
        currency: 'USD', count: 5, wins: 2, losses: 2, grossPnl: money(110), commission: money(11), otherFees: [], netPnl: money(99), profitFactor: 3.2,
        expectancy: { sum: money(99), count: 5 }, averageWin: { sum: money(160), count: 2 }, averageLoss: { sum: money(-50), count: 2 }, largestWin: money(100), largestLoss: money(-40),
      },
    ])
  })

  it('computes average hold times', () => {
    expect(result.all.hold).toEqual({ all: 1_250_167, wins: 900_000, losses: 1_900_000 })
  })

  it('ends a streak at a trade that is neither win nor loss', () => {
    expect(result.streaks).toEqual({ longestWins: 1, longestLosses: 2, present: { of: 'losses', length: 2 } })
    expect(statisticsOf(story.slice(0, 3)).streaks.present).toBeNull()
  })

  it('computes R-multiples of trades with a known stop from net P&L', () => {
    expect(result.all.r.count).toBe(4)
    expect(result.all.r.sum).toBeCloseTo(-2.69, 10)
    expect(result.all.r.average).toBeCloseTo(-0.6725, 10)
    expect(result.rDistribution.filter(({ count }) => count > 0)).toEqual([
      { from: -2.5, to: -2, count: 1 },
      { from: -1.5, to: -1, count: 2 },
      { from: 1.5, to: 2, count: 1 },
    ])
  })

  it('has null figures without trades', () => {
    const none = statisticsOf([])
    expect(none.all).toEqual({ count: 0, wins: 0, losses: 0, winRate: null, hold: { all: null, wins: null, losses: null }, r: { count: 0, sum: 0, average: null }, money: [] })
    expect(none).toMatchObject({ streaks: { longestWins: 0, longestLosses: 0, present: null }, equity: [], calendar: { days: [], weeks: [] }, bySymbol: [], byHour: [] })
  })

  it('is plain data that survives JSON', () => {
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })
})

describe('the groups', () => {
  it('by symbol are products', () => {
    expect(outline(result.bySymbol)).toEqual([['FDAX', 1, '-30 EUR'], ['MES', 4, '42 USD'], ['NQ', 1, '57 USD']])
  })

  it('by weekday and hour use the zone’s local time on both sides of a clock change', () => {
    expect(outline(result.byWeekday)).toEqual([[1, 2, '55 USD'], [2, 2, '-30 EUR', '-12 USD'], [5, 2, '56 USD']])
    expect(outline(result.byHour)).toEqual([[2, 1, '-2 USD'], [3, 1, '-30 EUR'], [9, 2, '155 USD'], [17, 1, '-42 USD'], [18, 1, '-12 USD']])
    expect(outline(statisticsOf(story, { zone: 'Asia/Kolkata' }).byHour).map(([hour, count]) => [hour, count])).toEqual([[3, 1], [4, 1], [12, 2], [19, 1], [20, 1]])
  })

  it('by time can use the exit', () => {
    const byExit = statisticsOf(story, { timedBy: 'exit' })
    expect(outline(byExit.byHour).map(([hour, count]) => [hour, count])).toEqual([[3, 2], [9, 2], [18, 2]])
    expect(outline(byExit.bySession)).toEqual([['asia', 2, '-54 USD'], ['london', 2, '-30 EUR', '-2 USD'], ['new-york', 2, '155 USD']])
  })

  it('by session use Chicago time', () => {
    expect(outline(result.bySession)).toEqual([['asia', 2, '-14 USD'], ['london', 1, '-30 EUR'], ['new-york', 2, '155 USD'], ['closed', 1, '-42 USD']])
  })

  it('exist by account, firm and side', () => {
    expect(outline(result.byAccount)).toEqual([['A', 4, '42 USD'], ['B', 2, '-30 EUR', '57 USD']])
    expect(outline(result.byFirm)).toEqual([['Apex', 4, '42 USD'], [null, 2, '-30 EUR', '57 USD']])
    expect(outline(result.bySide)).toEqual([['long', 4, '-30 EUR', '153 USD'], ['short', 2, '-54 USD']])
  })

  it('have all figures', () => {
    expect(result.bySide[1]).toMatchObject({ wins: 0, losses: 2, winRate: 0, hold: { all: 1_950_000, wins: null, losses: 1_950_000 }, r: { count: 2 } })
  })
})

describe('equity', () => {
  const [euro, dollar] = result.equity
  const curve = equityByTrade(story.filter(({ currency }) => currency === 'USD'))

  it('moves trade by trade, with drawdown down to its lowest trade', () => {
    expect(curve.map(({ id, net, cumulative }) => [id, net / 10_000, cumulative / 10_000])).toEqual([['a', 98, 98], ['b', -42, 56], ['d', -2, 54], ['c', 57, 111], ['f', -12, 99]])
    expect(drawdowns(curve, ({ exitTime }) => exitTime)).toEqual({
      deepest: { depth: money(44), start: Date.parse('2026-03-06T14:40Z'), bottom: Date.parse('2026-03-09T07:00Z'), recovery: Date.parse('2026-03-09T13:50Z') },
      present: { depth: money(12), start: Date.parse('2026-03-09T13:50Z'), bottom: Date.parse('2026-03-10T22:05Z'), recovery: null, below: money(12) },
    })
  })

  it('has a max drawdown by trade and one by end of day', () => {
    expect(dollar?.drawdownByTrade).toEqual(drawdowns(curve, ({ exitTime }) => exitTime))
    expect(euro?.drawdownByTrade.deepest?.depth).toBe(money(30))
  })

  it('by trading day hides drawdowns that recover within a day', () => {
    expect(dollar?.byDay.map(({ tradingDay, net, cumulative }) => [tradingDay, net / 10_000, cumulative / 10_000])).toEqual([['2026-03-06', 98, 98], ['2026-03-09', 13, 111], ['2026-03-11', -12, 99]])
    expect(dollar?.drawdownByDay.deepest).toEqual({ depth: money(12), start: '2026-03-09', bottom: '2026-03-11', recovery: null })
  })

  it('has a curve for each currency, starting at zero', () => {
    expect(euro).toMatchObject({ currency: 'EUR', byDay: [{ tradingDay: '2026-03-10', net: money(-30), cumulative: money(-30) }] })
    expect(euro?.drawdownByDay.present).toEqual({ depth: money(30), start: null, bottom: '2026-03-10', recovery: null, below: money(30) })
  })
})

it('the calendar uses the trading day of the exit, and weeks start on Monday', () => {
  expect(result.calendar.days.map(({ tradingDay, count, wins, losses, money: rows }) => [tradingDay, count, wins, losses, ...rows.map(({ netPnl }) => netPnl / 10_000)])).toEqual([
    ['2026-03-06', 1, 1, 0, 98],
    ['2026-03-09', 3, 1, 1, 13],
    ['2026-03-10', 1, 0, 1, -30],
    ['2026-03-11', 1, 0, 1, -12],
  ])
  expect(result.calendar.weeks.map(({ monday, days, count, wins, losses, money: rows }) => [monday, days, count, wins, losses, ...rows.map(({ netPnl }) => netPnl / 10_000)])).toEqual([
    ['2026-03-02', 1, 1, 1, 0, 98],
    ['2026-03-09', 3, 5, 1, 3, -30, 1],
  ])
})

it('the broker’s trading day wins over the one computed from the time', () => {
  // Thanksgiving: what is traded on Thursday the broker books on Friday.
  const holiday = { ...countedTrade({ id: 'h', entry: '2026-11-26T15:00Z', exit: '2026-11-26T16:00Z', gross: 5, fee: 1 }), tradingDay: '2026-11-27' }
  expect(statisticsOf([holiday]).calendar.days.map(({ tradingDay }) => tradingDay)).toEqual(['2026-11-27'])
  expect(statisticsOf([holiday]).equity[0]?.byDay[0]?.tradingDay).toBe('2026-11-27')
})

it('an average is rounded once, to cents, half away from zero', () => {
  expect(averageToDecimalString({ sum: money(100), count: 3 })).toBe('33.33')
  expect(averageToDecimalString({ sum: money('0.01'), count: 2 })).toBe('0.01')
  expect(averageToDecimalString({ sum: money('-0.01'), count: 2 })).toBe('-0.01')
  // Rounded to 1/10,000 first it would be 0.0050, and then a cent.
  expect(averageToDecimalString({ sum: money('0.0149'), count: 3 })).toBe('0.00')
})
