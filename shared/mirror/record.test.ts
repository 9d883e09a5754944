import { expect, test } from 'vitest'
import { mirrorRecord } from './record.ts'

const named = (id: string) => mirrorRecord.safeParse({ entity: 'contract', id, content: { contract: 'ESH6' } }).success

test('a record has a name that every database keeps as it is', () => {
  expect(['demo/1', '名'.repeat(620), '🦊'].map(named)).toEqual([true, true, true])
  expect(['', 'a'.repeat(621), 'demo/\0', 'demo/\ud83e', '\udd8a'].map(named)).toEqual([false, false, false, false, false])
})

test('the net of a trade that was entered is what remains of its gross', () => {
  const content = {
    accountId: '', account: 'Depot', symbol: 'ESZ6', date: '2026-01-05', tradingDay: '2026-01-05', side: 'long', qty: 1, tickSize: '0.25', entryPrice: 27_000, exitPrice: 27_004, entryTime: 1, exitTime: 2,
    gross: 500_000, commission: 41_000, currency: 'USD', platform: '', tripId: null, multiplierSource: 'table', feeSource: 'entered', warnings: [], stamp: '000000000000001-00000-00000000',
  }
  const isRecord = (net: number): boolean => mirrorRecord.safeParse({ entity: 'trade', id: 'by-hand', content: { ...content, net } }).success
  expect([isRecord(459_000), isRecord(123_456_789)]).toEqual([true, false])
})
