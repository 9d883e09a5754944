// @module-tag slow
import { expect, test } from 'vitest'
import { statistics as contract } from '#shared/api/statistics.ts'
import { isoDate } from '#shared/market/zone-clock.ts'
import { countedTrade, type TradeSketch } from '#tests/helpers/counted-trade.ts'
import { statisticsAnswer } from './statistics-answer.ts'
import { createStatistics } from './statistics.ts'

const answerOf = (...trades: readonly TradeSketch[]) => {
  const statistics = createStatistics({ counted: 'trades', zone: 'America/New_York', timedBy: 'entry' })
  for (const one of trades) statistics.take(countedTrade(one))
  return contract.parse(statisticsAnswer(statistics.result(), { recent: [], warned: 0, accounts: 1, trades: trades.length, accountName: (key) => `Account ${key}` }))
}
const at = (id: string, gross: number, more: Partial<TradeSketch> = {}): TradeSketch => ({ id, entry: '2026-03-09T15:00:00Z', exit: '2026-03-09T15:01:00Z', gross, fee: 0, ...more })

test('money is rounded once, in the answer: three thirds of a cent are one cent', () => {
  const { all, days, byAccount } = answerOf(at('1', 0.0033), at('2', 0.0033), at('3', 0.0034), at('4', -0.01, { currency: 'EUR' }))
  expect(all.money).toMatchObject([{ currency: 'EUR', netPnl: '-0.01', expectancy: '-0.01', averageWin: null, profitFactor: 0 }, { currency: 'USD', netPnl: '0.01', expectancy: '0.00', largestLoss: null, profitFactor: null }])
  expect(days).toMatchObject([{ tradingDay: '2026-03-09', count: 4, wins: 3, money: [{ currency: 'EUR' }, { currency: 'USD', netPnl: '0.01' }] }])
  expect(byAccount).toMatchObject([{ key: 'A', name: 'Account A', count: 4 }])
})

test('a long curve keeps its max drawdown after thinning', () => {
  const days = Array.from({ length: 5_000 }, (_, index) => {
    const date = isoDate(7_000 + index)
    return { id: date, entry: `${date}T15:00:00Z`, exit: `${date}T15:01:00Z`, gross: index === 2_501 ? -900 : index % 2 === 0 ? 3 : -1, fee: 0 }
  })
  const { equity, days: all } = answerOf(...days)
  const [curve] = equity
  expect(all.length).toBeGreaterThan(3_000)
  expect(curve?.points.length).toBeLessThanOrEqual(2_000)
  // A Saturday, which counts for Monday's session.
  expect(curve?.deepest?.bottom).toBe('1996-01-08')
  expect(curve?.points.map(({ tradingDay }) => tradingDay)).toContain('1996-01-08')
})

test('without trades there are no figures', () => {
  expect(answerOf()).toMatchObject({ all: { count: 0, winRate: null, hold: { all: null }, r: { count: 0, average: null }, money: [] }, equity: [], days: [], weeks: [], firstDay: null, lastDay: null })
})
