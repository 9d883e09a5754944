// @module-tag slow
import { expect, test } from 'vitest'
import type { FillPairRecord } from '#shared/api/records.ts'
import { selectedTotals } from './selection-bar.tsx'

const pair = (id: string, tradeId: string | null, grossPnl: string, netPnl: string, currency = 'USD') => ({ id, tradeId, grossPnl, commission: '1.00', netPnl, currency }) as FillPairRecord
const totals = (...given: Parameters<typeof selectedTotals>) => selectedTotals(...given).map(({ currency, netPnl, wins, count, profitFactor }) => ({ currency, netPnl, winRate: wins / count, profitFactor }))

test('the totals of a selection are those of its rows: of trades, the fill pairs of one are one', () => {
  const pairs = [pair('a', '1', '30.00', '28.00'), pair('b', '1', '-10.00', '-12.00'), pair('c', '2', '-40.00', '-41.10'), pair('d', null, '0.00', '-0.10')]
  expect(totals(pairs, 'trades')).toEqual([{ currency: 'USD', netPnl: '-25.20', winRate: 1 / 3, profitFactor: 0.5 }])
  expect(totals(pairs, 'pairs')).toEqual([{ currency: 'USD', netPnl: '-25.20', winRate: 1 / 4, profitFactor: 0.6 }])
  expect(selectedTotals([...pairs.slice(0, 1), pair('e', '3', '5.00', '4.00', 'EUR')], 'trades').map(({ currency, netPnl }) => [currency, netPnl])).toEqual([['EUR', '4.00'], ['USD', '28.00']])
  expect(selectedTotals([], 'trades')).toEqual([])
})
