import { expect, test } from 'vitest'
import { calendarMonth, isSlim, monthOf, type TradedDay } from './calendar-month.ts'

const day = (tradingDay: string, netPnl: string, currency = 'USD'): TradedDay => ({ tradingDay, count: 2, wins: 1, losses: 1, winRate: 0.5, money: [{ currency, grossPnl: netPnl, commission: '0.00', netPnl }] })

test('a month has whole weeks, weekends too, with the days of its neighbors beside them', () => {
  const { weekdays, weeks, onWeekend } = calendarMonth('2026-02-13', { days: [], weeks: [] })
  expect([weekdays, onWeekend]).toEqual([[1, 2, 3, 4, 5, 6, 7], false])
  // 1 February 2026 is a Sunday, which can have a note.
  expect(weeks.map(({ monday }) => monday)).toEqual(['2026-01-26', '2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23'])
  const march = calendarMonth('2026-03-01', { days: [], weeks: [] }).weeks
  expect(march.at(-1)?.days.map(({ tradingDay, inMonth }) => [tradingDay, inMonth])).toEqual([['2026-03-30', true], ['2026-03-31', true], ...[1, 2, 3, 4, 5].map((date) => [`2026-04-0${String(date)}`, false])])
})

test('the month adds up its own days, and a week says what the statistics say of it', () => {
  const days = [day('2026-03-31', '10.10'), day('2026-04-01', '-3.05'), day('2026-04-02', '1.00', 'EUR')]
  const week = { monday: '2026-03-30', days: 3, count: 6, wins: 3, losses: 3, winRate: 0.5, money: [{ currency: 'USD', grossPnl: '7.05', commission: '0.00', netPnl: '7.05' }] }
  const april = calendarMonth('2026-04-15', { days, weeks: [week] })
  expect(april.money.map(({ currency, netPnl }) => [currency, netPnl])).toEqual([['EUR', '1.00'], ['USD', '-3.05']])
  expect([april.count, april.tradedDays]).toEqual([4, 2])
  expect(april.weeks[0]).toMatchObject({ count: 6, money: [{ netPnl: '7.05' }] })
  expect(april.weeks[0]?.days[1]).toMatchObject({ tradingDay: '2026-03-31', inMonth: false, traded: { count: 2 } })
})

test('weekends take their full room where something was traded on one', () => {
  const month = calendarMonth('2026-02-01', { days: [day('2026-02-01', '1.00')], weeks: [] })
  expect([month.onWeekend, isSlim(7, month), isSlim(7, { onWeekend: false }), isSlim(5, { onWeekend: false })]).toEqual([true, false, true, false])
  expect(month.weeks[0]?.days.at(-1)).toMatchObject({ tradingDay: '2026-02-01', inMonth: true, traded: { count: 2 } })
})

test('a month of an address is one that the calendar has', () => {
  expect(['2026-02', '2026-13', '2026-2', null, 'x'].map(monthOf)).toEqual(['2026-02-01', null, null, null, null])
})
