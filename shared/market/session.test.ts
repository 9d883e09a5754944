import { describe, expect, it } from 'vitest'
import { chicagoTime, clearsWithNext, hasSession, nextTradingDay, previousTradingDay, sessionOf, latestTradingDay } from './session.ts'
import { tradingDay } from './trading-day.ts'
import { dayOfDate, isoDate } from './zone-clock.ts'

const inUtc = (day: string): string[] => Object.values(sessionOf(day)).map((time) => new Date(time).toISOString().slice(0, 16))

describe('a session', () => {
  it.each([
    ['2026-01-14', ['2026-01-13T23:00', '2026-01-14T21:55', '2026-01-14T22:00', '2026-01-14T23:00'], 'winter'],
    ['2026-07-15', ['2026-07-14T22:00', '2026-07-15T20:55', '2026-07-15T21:00', '2026-07-15T22:00'], 'summer'],
    ['2026-03-06', ['2026-03-05T23:00', '2026-03-06T21:55', '2026-03-06T22:00', '2026-03-06T23:00'], 'the Friday before the clocks go forward'],
    ['2026-03-09', ['2026-03-08T22:00', '2026-03-09T20:55', '2026-03-09T21:00', '2026-03-09T22:00'], 'the Monday after: it opens on Sunday, in summer time already'],
    ['2026-10-30', ['2026-10-29T22:00', '2026-10-30T20:55', '2026-10-30T21:00', '2026-10-30T22:00'], 'the Friday before the clocks go back'],
    ['2026-11-02', ['2026-11-01T23:00', '2026-11-02T21:55', '2026-11-02T22:00', '2026-11-02T23:00'], 'the Monday after'],
  ])('of %s has these times in UTC: %j (%s)', (day, times) => expect(inUtc(day)).toEqual(times))

  it('holds exactly the moments of its trading day', () => {
    for (let day = '2026-01-02'; day < '2027-12-31'; day = nextTradingDay(day)) {
      const { opens, closes, listedUntil } = sessionOf(day)
      expect([tradingDay(opens), tradingDay(closes), tradingDay(listedUntil - 1)]).toEqual([day, day, day])
      expect(tradingDay(listedUntil) > day).toBe(true)
    }
  })
})

it('reads the clocks of Chicago right on the days on which they change', () => {
  const at = (day: string, hour: number): string => new Date(chicagoTime(dayOfDate(day), hour * 3_600_000)).toISOString().slice(11, 16)
  expect([at('2026-03-08', 1), at('2026-03-08', 4), at('2026-03-08', 17)]).toEqual(['07:00', '09:00', '22:00'])
  expect([at('2026-11-01', 0), at('2026-11-01', 4), at('2026-11-01', 17)]).toEqual(['05:00', '10:00', '23:00'])
})

describe('days without a session', () => {
  // As the exchange had them; a short session counts as one.
  it.each([
    ['2024-01-01', 'New Year, a Monday'],
    ['2026-01-01', 'New Year, a Thursday'],
    ['2023-01-02', "New Year's Sunday is kept on Monday"],
    ['2024-03-29', 'Good Friday'],
    ['2025-04-18', 'Good Friday'],
    ['2027-03-26', 'Good Friday'],
    ['2025-12-25', 'Christmas, a Thursday'],
    ['2022-12-26', "Christmas Sunday is kept on Monday"],
    ['2021-12-24', 'Christmas Saturday is kept on Friday'],
    ['2026-11-21', 'Saturday'],
    ['2026-11-22', 'Sunday'],
  ])('%s: %s', (day) => expect(hasSession(day)).toBe(false))

  it.each([
    ['2021-12-31', "New Year's Saturday is not kept on Friday"],
    ['2025-12-24', 'Christmas Eve is short'],
    ['2025-12-26', 'the day after Christmas'],
    ['2021-04-02', 'Good Friday with the jobs report'],
    ['2023-04-07', 'Good Friday with the jobs report'],
    ['2026-04-03', 'Good Friday with the jobs report'],
    ['2026-01-19', 'Martin Luther King Day is short'],
    ['2026-11-26', 'Thanksgiving is short'],
    ['2026-07-03', 'Independence Day is short'],
  ])('%s is none of them: %s', (day) => expect(hasSession(day)).toBe(true))

  it('have opened, or the last one counts: behind its close, on a weekend and over a holiday', () => {
    const at = (text: string) => latestTradingDay(Date.parse(text))
    expect(at('2026-11-24T21:30:00Z')).toBe('2026-11-24')
    expect(at('2026-11-24T23:00:00Z')).toBe('2026-11-25')
    expect(at('2026-11-27T22:59:00Z')).toBe('2026-11-27')
    expect(at('2026-11-28T12:00:00Z')).toBe('2026-11-27')
    expect(at('2026-11-29T22:59:00Z')).toBe('2026-11-27')
    expect(at('2026-11-29T23:00:00Z')).toBe('2026-11-30')
    expect(at('2026-12-25T12:00:00Z')).toBe('2026-12-24')
  })

  it('are stepped over in both directions', () => {
    expect(nextTradingDay('2025-04-17')).toBe('2025-04-21')
    expect(previousTradingDay('2025-04-21')).toBe('2025-04-17')
    expect(nextTradingDay('2025-12-24')).toBe('2025-12-26')
    expect(previousTradingDay('2026-01-02')).toBe('2025-12-31')
    expect(previousTradingDay('2026-11-22')).toBe('2026-11-20')
  })
})

it('a date and its day are the same thing, leap years and centuries too', () => {
  for (let day = -200_000; day < 200_000; day += 37) expect(dayOfDate(isoDate(day))).toBe(day)
  expect(dayOfDate('2024-02-29')).toBe(Date.UTC(2024, 1, 29) / 86_400_000)
})

describe('a session that clears with the next', () => {
  it.each(['2026-01-19', '2026-02-16', '2026-05-25', '2026-06-19', '2026-07-03', '2026-09-07', '2026-11-26', '2025-05-26', '2024-07-04', '2023-06-19', '2027-06-18', '2027-07-05', '2023-11-23'])('is that of %s', (day) => expect(clearsWithNext(day)).toBe(true))
  it.each(['2026-11-27', '2025-12-24', '2025-07-03', '2026-07-02', '2021-06-18', '2026-05-18', '2026-10-12', '2026-11-11', '2026-04-03', '2026-11-19', '2026-01-12'])('is not that of %s', (day) => expect(clearsWithNext(day)).toBe(false))
})
