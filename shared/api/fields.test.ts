import { expect, test } from 'vitest'
import { tradingDay } from '#shared/market/trading-day.ts'
import { calendarDay, moment } from './fields.ts'
import { newFill, newTrade, tradeUpdates } from './records.ts'

const trade = { id: 'a', symbol: 'MESZ6', qty: 1, entryPrice: 1, exitPrice: 2, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }
const fill = { id: '1', accountId: '1', contractId: 5, contractSymbol: 'MESZ6', action: 'buy', qty: 1, price: 1, timestamp: '2026-11-02T15:00:00Z', platform: '' }

test.each(['1970-01-01T00:00:00Z', '2026-11-02T15:00:00.123456789+05:30', '9999-12-24T15:59:59Z'])('%s is a moment that a journal can keep', (text) => {
  expect(moment.safeParse(text).success).toBe(true)
  expect(calendarDay.safeParse(tradingDay(Date.parse(text))).success).toBe(true)
})

test.each(['0026-11-02T15:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z', '2026-11-02', 'now', ''])('%j is none, and no error either', (text) => {
  expect(moment.safeParse(text).success).toBe(false)
})

test('a lookup key is text that every database stores unchanged', () => {
  for (const wrong of ['MESZ6\0', '\ud800']) {
    expect(newTrade.safeParse({ ...trade, symbol: wrong }).success).toBe(false)
    expect(newFill.safeParse({ ...fill, contractSymbol: wrong }).success).toBe(false)
    expect(newFill.safeParse({ ...fill, contractId: wrong }).success).toBe(false)
  }
  expect([newTrade.safeParse(trade).success, newFill.safeParse(fill).success]).toEqual([true, true])
})

test('a commission is never negative, and the error says what to do', () => {
  const problems = (commission: string) => [newTrade.safeParse({ ...trade, commission }), tradeUpdates.safeParse({ commission })].flatMap(({ error }) => error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [])
  const message = 'negative, and a commission is a cost: leave the minus out'
  expect(problems('-4.58')).toEqual([['commission', message], ['commission', message]])
  expect([...problems('4.58'), ...problems('-0.00'), ...problems('0')]).toEqual([])
})
