import { expect, test } from 'vitest'
import { dayRows } from './day-rows.ts'

test('the newest day comes first, with bars measured against the largest day', () => {
  const rows = dayRows([
    {
      currency: 'USD',
      points: [
        { tradingDay: '2026-02-11', netPnl: '200.00', cumulative: '200.00' },
        { tradingDay: '2026-02-12', netPnl: '-50.00', cumulative: '150.00' },
        { tradingDay: '2026-02-13', netPnl: '0.00', cumulative: '150.00' },
      ],
    },
  ])
  expect(rows.map(({ tradingDay, share, sign }) => [tradingDay, share, sign])).toEqual([
    ['2026-02-13', 0, 'flat'],
    ['2026-02-12', 0.25, 'loss'],
    ['2026-02-11', 1, 'gain'],
  ])
})

test('each currency has its own measure, and a day of both stands together', () => {
  const rows = dayRows([
    { currency: 'USD', points: [{ tradingDay: '2026-02-13', netPnl: '1000.00', cumulative: '1000.00' }] },
    { currency: 'EUR', points: [{ tradingDay: '2026-02-13', netPnl: '-3.00', cumulative: '-3.00' }] },
  ])
  expect(rows.map(({ currency, share }) => [currency, share])).toEqual([['EUR', 1], ['USD', 1]])
})

test('days that all came to nothing have no bars', () => {
  expect(dayRows([{ currency: 'USD', points: [{ tradingDay: '2026-02-13', netPnl: '0.00', cumulative: '0.00' }] }])[0]?.share).toBe(0)
})
