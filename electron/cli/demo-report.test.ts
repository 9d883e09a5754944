import { expect, test } from 'vitest'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { amountOf } from '#shared/money/money.ts'
import type { Currency } from '#shared/money/money.ts'
import { demoReport, demoTable } from './demo-report.ts'

const receipt: SyncReceipt = {
  runId: 'r', trigger: 'manual', startedAt: '2026-11-20T15:00:00Z', endedAt: '2026-11-20T15:00:01Z', outcome: 'complete', logins: 1, accounts: 1,
  fills: { received: 2, added: 2, changed: 0, unchanged: 0, refused: 0 }, batches: 1, pairs: { added: 1, changed: 0, removed: 0 }, trades: { added: 1, changed: 0, removed: 0 }, outbox: 2, refused: [], refusedTotal: 0, holdings: [], troubles: [],
}
const sums = (currency: string, gross: number, commission: number) => ({ currency: currency as Currency, grossPnl: amountOf(gross), commission: amountOf(commission), netPnl: amountOf(gross - commission) })
const counts = { accounts: 1, fills: 2, pairs: 1, trades: 1 }
const { trades, ...run } = receipt
const shown = { ...run, trips: trades }

test('one currency: the sums are texts to their last place, and no currency is named', () => {
  const report = demoReport({ ...counts, money: [sums('USD', 781_250, 38_000)], byTradingDay: [{ account: 'A', tradingDay: '2026-11-20', ...sums('USD', 781_250, 38_000) }] }, receipt, 7)
  expect(report).toEqual({ accounts: 1, fills: 2, pairs: 1, trips: 1, grossPnl: '78.125', commission: '3.80', netPnl: '74.325', byTradingDay: [{ account: 'A', tradingDay: '2026-11-20', grossPnl: '78.125', commission: '3.80', netPnl: '74.325' }], mirrored: 7, receipt: shown })
  expect(demoTable(report).split('\n').slice(0, 3)).toEqual(['Trading day  Account  Gross P&L  Commissions & fees  Net P&L', '2026-11-20   A           78.125                3.80   74.325', 'All                      78.125                3.80   74.325'])
})

test('two currencies are never added', () => {
  const report = demoReport({ ...counts, money: [sums('EUR', -100_000, 0), sums('USD', 500_000, 10_000)], byTradingDay: [] }, receipt, 0)
  expect(report).toMatchObject({ grossPnl: null, commission: null, netPnl: null, byCurrency: [{ currency: 'EUR', netPnl: '-10.00' }, { currency: 'USD', grossPnl: '50.00', commission: '1.00', netPnl: '49.00' }] })
})

test('nothing at all is nought', () => {
  expect(demoReport({ accounts: 0, fills: 0, pairs: 0, trades: 0, money: [], byTradingDay: [] }, receipt, null)).toMatchObject({ grossPnl: '0.00', netPnl: '0.00', byTradingDay: [] })
})

test('a cloud that was not reached is no number', () => {
  const nothing = { accounts: 0, fills: 0, pairs: 0, trades: 0, money: [], byTradingDay: [] }
  expect([null, 0, 12].map((mirrored) => demoReport(nothing, receipt, mirrored).mirrored)).toEqual([null, 0, 12])
  expect([null, 12].map((mirrored) => demoTable(demoReport(nothing, receipt, mirrored)).split('\n').at(-1))).toEqual(['The cloud could not be reached: the journal is on this computer only.', 'The cloud holds 12 of its records.'])
})
