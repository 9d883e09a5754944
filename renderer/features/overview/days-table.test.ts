// @module-tag slow
import { expect, test } from 'vitest'
import { dayRows } from './days-table.tsx'

const day = (tradingDay: string, ...money: [currency: string, netPnl: string][]) => ({
  tradingDay,
  count: 1,
  wins: 1,
  losses: 0,
  winRate: 1,
  money: money.map(([currency, netPnl]) => ({ currency, netPnl, grossPnl: netPnl, commission: '0.00' })),
})

test('the newest day comes first, with bars measured against the largest day', () => {
  const rows = dayRows({ days: [day('2026-02-11', ['USD', '200.00']), day('2026-02-12', ['USD', '-50.00']), day('2026-02-13', ['USD', '0.00'])], equity: [] })
  expect(rows.map(({ tradingDay, share, sign }) => [tradingDay, share, sign])).toEqual([
    ['2026-02-13', 0, 'flat'],
    ['2026-02-12', 0.25, 'loss'],
    ['2026-02-11', 1, 'gain'],
  ])
})

test('each currency has its own scale, and a day with both stays together', () => {
  const rows = dayRows({ days: [day('2026-02-13', ['USD', '1000.00'], ['EUR', '-3.00'])], equity: [] })
  expect(rows.map(({ currency, share }) => [currency, share])).toEqual([['EUR', 1], ['USD', 1]])
})

test('a running total is the one of the curve, and missing where the curve was thinned', () => {
  const curve = { currency: 'USD', points: [{ tradingDay: '2026-02-12', netPnl: '0.004', cumulative: '10.01' }], deepest: null, deepestByTrade: null, present: null }
  const rows = dayRows({ days: [day('2026-02-12', ['USD', '0.00']), day('2026-02-13', ['USD', '0.00'])], equity: [curve] })
  expect(rows.map(({ tradingDay, cumulative, share }) => [tradingDay, cumulative, share])).toEqual([['2026-02-13', null, 0], ['2026-02-12', '10.01', 0]])
})
