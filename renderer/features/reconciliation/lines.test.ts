import type { ReconciledDay, ReconciledMonth } from '#shared/api/reconciliation.ts'
import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

const none = { grossPnl: '0.00', commission: '0.00', netPnl: '0.00' }
const counts = { days: 1, daysEqual: 1, daysDiffer: 0, daysUnchecked: 0, pairsChecked: 0, pairsEqual: 0 }
const day = (account: string, tradingDay: string, currency: string | null = 'USD'): ReconciledDay => ({
  account, tradingDay, currency, fillbook: none, broker: { ...none, netFrom: 'balance' }, openings: null, difference: '0.00', state: 'equal', reason: null, removed: 0, entered: 0,
})
const month = (account: string, name: string, currency: string | null = 'USD'): ReconciledMonth => ({ account, month: name, currency, fillbook: none, difference: '0.00', days: 1, daysEqual: 1, daysDiffer: 0, daysUnchecked: 0 })

test('the latest month comes first, in it accounts by name, each with its sums and its days from the latest on', () => {
  const lines = linesOf({
    days: [day('b', '2026-02-03'), day('a', '2026-02-03'), day('a', '2026-02-03', 'EUR'), day('a', '2026-02-02'), day('a', '2026-01-30')],
    months: [month('a', '2026-01'), month('a', '2026-02'), month('a', '2026-02', 'EUR'), month('b', '2026-02')],
    accounts: [{ ...counts, account: 'a', name: 'Zeta', fileOnly: false, statedBy: null }, { ...counts, account: 'b', name: 'Alpha', fileOnly: true, statedBy: null }],
    all: counts,
  })
  expect(lines.map((line) => (line.kind === 'month' ? `${line.month.month} ${line.name} ${line.month.currency ?? ''}` : `${line.day.tradingDay}${line.fileOnly ? ' file' : ''}`))).toEqual([
    '2026-02 Alpha USD', '2026-02-03 file', '2026-02 Zeta EUR', '2026-02-03', '2026-02 Zeta USD', '2026-02-03', '2026-02-02', '2026-01 Zeta USD', '2026-01-30',
  ])
  const differing = { ...day('a', '2026-02-02'), state: 'differs' as const }
  const ofState = linesOf({ days: [day('a', '2026-02-03'), differing, day('a', '2026-01-30')], months: [month('a', '2026-01'), month('a', '2026-02')], accounts: [], all: counts }, 'differs')
  expect(ofState.map((line) => (line.kind === 'month' ? line.month.month : line.day.tradingDay))).toEqual(['2026-02', '2026-02-02'])
  expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length)
})
