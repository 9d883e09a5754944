import { describe, expect, test } from 'vitest'
import { chicagoTime } from '#shared/market/session.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import { amountOf, zero } from '#shared/money/money.ts'
import type { DayFacts } from './day-facts.ts'
import { resetDayOf } from './reset-day.ts'
import { onlyBooked, onlyWritten, withTransfers, type Booked } from './transfers.ts'

const dollars = (value: number) => amountOf(value * 10_000)
const at = (day: string, hour: number): number => chicagoTime(dayOfDate(day), hour * 3_600_000)
const booked = (tradingDay: string, amount: number, hour = 12): Booked => ({ tradingDay, at: at(tradingDay, hour), amount: dollars(amount) })
const payout = (date: string, amount: number) => ({ date, amount: dollars(amount) })
const day = (tradingDay: string, ...hours: number[]): DayFacts => ({
  tradingDay, adjustment: zero,
  trades: hours.map((hour) => ({ product: 'MES', qty: 1, entryAt: at(tradingDay, hour) - 60_000, exitAt: at(tradingDay, hour), net: dollars(10) })),
})
// A Monday to the Friday after it.
const [monday, tuesday, wednesday, thursday, friday] = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'] as const

describe('a payout that both broker and user have', () => {
  test('counts once if account and amount are equal and the dates near', () => {
    expect(onlyWritten([payout(thursday, 500)], [booked(tuesday, -500)])).toEqual([])
    expect(onlyWritten([payout(monday, 500)], [booked(thursday, -500)])).toEqual([])
    expect(onlyWritten([payout('2026-03-12', 500)], [booked(monday, -500)])).toEqual([])
  })
  test('counts twice if date or amount differ or it is a deposit', () => {
    for (const other of [booked('2026-02-19', -500), booked(friday, -500), booked(monday, -499.99), booked(monday, 500)]) expect(onlyWritten([payout(monday, 500)], [other])).toHaveLength(1)
  })
  test('is still one if the firm kept a share', () => {
    expect(onlyWritten([payout(thursday, 450)], [booked(tuesday, -500)])).toEqual([])
    expect(onlyWritten([payout(thursday, 249.99)], [booked(tuesday, -500)])).toHaveLength(1)
  })
  test('matches one withdrawal each: equal amounts first, then the nearest', () => {
    const withdrawals = [booked(monday, -500), booked(tuesday, -600)]
    expect(onlyWritten([payout(wednesday, 500), payout(wednesday, 600)], withdrawals)).toEqual([])
    expect(onlyWritten([payout(wednesday, 500), payout(wednesday, 500), payout(wednesday, 500)], withdrawals)).toHaveLength(1)
    const [early, late] = [booked('2026-02-26', -500), booked(wednesday, -500)]
    expect(onlyWritten([payout(thursday, 500), payout('2026-02-27', 500)], [early, late])).toEqual([])
  })
})

test('a withdrawal that no payout matches is left, and a deposit never', () => {
  const [first, second, deposit] = [booked(monday, -500), booked(wednesday, -300), booked(friday, 400)]
  expect(onlyBooked([payout(thursday, 450)], [first, second, deposit])).toEqual([second])
  expect(onlyBooked([], [first, second, deposit])).toEqual([first, second])
  expect(onlyBooked([payout(thursday, 500), payout(thursday, 300)], [first, second])).toEqual([])
})

describe('days with transfers', () => {
  const traded = [day(monday, 10), day(wednesday, 10, 14)]
  const moneyOf = (days: readonly DayFacts[]) => days.map(({ tradingDay, adjustment, moves = [], trades }) => [tradingDay, adjustment / 10_000, moves.map(({ amount }) => amount / 10_000), trades.length])

  test('a booking before the first trade is part of the starting balance, whatever the user entered', () => {
    expect(withTransfers(traded, [booked('2026-02-27', 50_000), booked(monday, 100, 9)], [payout('2026-03-01', 5)], [])).toEqual(traded)
    expect(withTransfers([], [booked(monday, 50_000)], [payout(monday, 5)], [])).toEqual([])
  })
  test('a booking before a day’s first close counts before it, a later one in its place, and one without trades gets its own day', () => {
    const days = withTransfers(traded, [booked(wednesday, -300, 12), booked(wednesday, -20, 10), booked(thursday, -7), booked(monday, -1, 15), booked(wednesday, 4, 15)], [], [])
    expect(moneyOf(days)).toEqual([[monday, 0, [-1], 1], [wednesday, -20, [-300, 4], 2], [thursday, -7, [], 0]])
  })
  test('a payout that only the user entered counts from the session after its date', () => {
    expect(moneyOf(withTransfers(traded, [], [payout(monday, 100), payout(friday, 50), payout('2026-03-07', 8)], []))).toEqual([[monday, 0, [], 1], [tuesday, -100, [], 0], [wednesday, 0, [], 2], ['2026-03-09', -58, [], 0]])
  })
  test('a session’s high is on its day, even without trades if open P&L made it', () => {
    const watched = [['2026-02-27', 900], [monday, -5], [tuesday, 250], [thursday, 0]] as const
    expect(withTransfers(traded, [], [], watched.map(([tradingDay, highest]) => ({ tradingDay, highest: dollars(highest) }))).map(({ tradingDay, highest }) => [tradingDay, highest])).toEqual([[monday, -50_000], [tuesday, 2_500_000], [wednesday, undefined]])
  })
})

describe('payouts of one amount', () => {
  test('match their withdrawals by date, whichever was entered first', () => {
    const withdrawals = [booked('2026-08-03', -5_000, 12), booked('2026-08-11', -5_000, 12)]
    const payouts = ['2026-08-10', '2026-08-19'].map((date) => ({ date, amount: dollars(5_000) }))
    for (const written of [payouts, payouts.toReversed()]) expect([onlyBooked(written, withdrawals), onlyWritten(written, withdrawals)]).toEqual([[], []])
  })
})

describe('the day after a reset', () => {
  const days = [day(monday, 10), day(tuesday, 10)]
  test('is the same day if nothing closed on it before, otherwise the next', () => {
    expect(resetDayOf(days, [wednesday], [])).toBe(wednesday)
    expect(resetDayOf(days, [tuesday], [])).toBe(wednesday)
    expect(resetDayOf(days, ['2026-03-07'], [])).toBe('2026-03-09')
    expect(resetDayOf(days, [], [booked(tuesday, 900, 9)])).toBe(tuesday)
    expect(resetDayOf(days, [], [booked(tuesday, 900, 12)])).toBe(wednesday)
  })
  test('is the last reset’s, and null if no trade precedes it', () => {
    expect(resetDayOf(days, [thursday, wednesday], [booked(tuesday, 900, 12)])).toBe(thursday)
    expect(resetDayOf(days, ['2026-02-27'], [])).toBeNull()
    expect(resetDayOf([], [wednesday], [])).toBeNull()
    expect(resetDayOf(days, [], [])).toBeNull()
  })
})
