// @module-tag slow
import { figures } from '#renderer/ui/statistics.tsx'
import type { StatisticsAnswer, StatMoney } from '#shared/api/statistics.ts'
import { expect, test } from 'vitest'
import { breakdownRows, filterOfRow, sortRows } from './breakdown-panel.tsx'

const money = (currency: string, netPnl: string, more: Partial<StatMoney> = {}): StatMoney => ({
  currency, count: 4, wins: 1, losses: 3, grossPnl: netPnl, commission: '0.00', netPnl, profitFactor: 0.5, expectancy: '1.00', averageWin: null, averageLoss: null, largestWin: null, largestLoss: null, ...more,
})
const group = <Key>(key: Key, ...rows: StatMoney[]) => ({ key, count: 4, wins: 1, losses: 3, winRate: 0.25, hold: { all: 60_000, wins: null, losses: null }, r: { count: 0, sum: 0, average: null }, money: rows })
const statistics = (more: Partial<StatisticsAnswer>): StatisticsAnswer => ({
  unit: 'trades', zone: 'UTC', timedBy: 'entry', all: group(null), streaks: { longestWins: 0, longestLosses: 0, present: null }, rDistribution: [], equity: [], days: [], weeks: [],
  bySymbol: [], byWeekday: [], byHour: [], bySession: [], byAccount: [], byFirm: [], bySide: [], byTag: [], recent: [], firstDay: null, lastDay: null, warned: 0, accounts: 0, trades: 0, ...more,
})

test('each currency of a key has a line of its own, and its bars one zero', () => {
  const rows = breakdownRows('symbol', statistics({ bySymbol: [group('FDAX', money('EUR', '-40.00')), group('MES', money('USD', '40.00'), money('EUR', '10.00')), group('MNQ', money('USD', '-10.00'))] }))
  expect(rows.map((row) => [row.key, row.money.currency, row.bar.from, row.bar.to, figures['win-rate'].of(row), figures.hold.of(row)])).toEqual([
    ['FDAX', 'EUR', 0, 0.8, 0.25, 60_000],
    ['MES', 'USD', 0.2, 1, 0.25, null],
    ['MES', 'EUR', 0.8, 1, 0.25, null],
    ['MNQ', 'USD', 0, 0.2, 0.25, 60_000],
  ])
})

test('lines are sorted by number, not by text, and unknown figures come last', () => {
  const rows = breakdownRows('hour', statistics({ byHour: [group(9, money('USD', '-9.00', { profitFactor: 2 })), group(10, money('USD', '100.00', { profitFactor: null })), group(11, money('USD', '20.00', { profitFactor: 10 }))] }))
  const keys = (column: Parameters<typeof sortRows>[1]['column'], direction: 'asc' | 'desc') => sortRows(rows, { column, direction }).map(({ key }) => key)
  expect([keys('net', 'asc'), keys('net', 'desc'), keys('key', 'desc')]).toEqual([[9, 11, 10], [10, 11, 9], [11, 10, 9]])
  expect([keys('profit-factor', 'asc'), keys('profit-factor', 'desc')]).toEqual([[9, 11, 10], [11, 9, 10]])
})

test('a line narrows the filter to its trades, by the clock of the statistics', () => {
  const clock = { zone: 'Asia/Kolkata', timedBy: 'exit' as const }
  const accounts = (firm: string | null): string[] => (firm === null ? [] : ['a', 'b'])
  expect(filterOfRow('symbol', 'MES', clock, accounts)).toEqual({ symbols: ['MES'] })
  expect(filterOfRow('firm', 'Apex Trader Funding', clock, accounts)).toEqual({ accounts: ['a', 'b'] })
  expect(filterOfRow('side', 'short', clock, accounts)).toEqual({ sides: ['short'] })
  expect(filterOfRow('tag', 'A+', clock, accounts)).toEqual({ tags: ['A+'] })
  expect(filterOfRow('hour', 9, clock, accounts)).toEqual({ hours: [9], ...clock })
  expect(filterOfRow('weekday', 1, clock, accounts)).toEqual({ weekdays: [1], ...clock })
  expect(filterOfRow('session', 'asia', clock, accounts)).toEqual({ sessions: ['asia'], timedBy: 'exit' })
  expect([filterOfRow('tag', null, clock, accounts), filterOfRow('firm', null, clock, accounts)]).toEqual([null, null])
})
