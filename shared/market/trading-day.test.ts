// @module-tag slow
import { describe, expect, it } from 'vitest'
import { tradingDay } from './trading-day.ts'
import { isTimeZone, localDate, zoneClock } from './zone-clock.ts'

const at = (iso: string): number => Date.parse(iso)

describe('the trading day', () => {
  it.each([
    ['2026-03-03T22:59:59.999Z', '2026-03-03', 'before 17:00 in winter'],
    ['2026-03-03T23:00:00.000Z', '2026-03-04', 'from 17:00 in winter'],
    ['2026-07-14T21:59:59.999Z', '2026-07-14', 'before 17:00 in summer'],
    ['2026-07-14T22:00:00.000Z', '2026-07-15', 'from 17:00 in summer'],
    ['2026-03-06T20:00:00.000Z', '2026-03-06', 'Friday afternoon'],
    ['2026-03-06T23:30:00.000Z', '2026-03-09', 'Friday evening'],
    ['2026-03-07T15:00:00.000Z', '2026-03-09', 'Saturday'],
    ['2026-03-08T21:59:59.999Z', '2026-03-09', 'Sunday before the open, the day the clocks go forward'],
    ['2026-03-08T22:00:00.000Z', '2026-03-09', 'Sunday at the open'],
    ['2026-03-09T21:59:59.999Z', '2026-03-09', 'the first Monday of summer time'],
    ['2026-03-09T22:00:00.000Z', '2026-03-10', 'its evening'],
    ['2026-11-01T23:00:00.000Z', '2026-11-02', 'the day the clocks go back'],
    ['2026-11-02T22:30:00.000Z', '2026-11-02', 'the first Monday of winter time'],
    ['2026-11-02T23:00:00.000Z', '2026-11-03', 'its evening'],
    ['2026-12-31T23:00:00.000Z', '2027-01-01', 'the end of the year'],
    ['2024-02-28T23:00:00.000Z', '2024-02-29', 'a leap day'],
  ])('%s belongs to %s (%s)', (time, day) => expect(tradingDay(at(time))).toBe(day))
})

describe('the local date', () => {
  it.each([
    ['2026-03-08T04:59:59Z', 'America/New_York', '2026-03-07'],
    ['2026-03-08T05:00:00Z', 'America/New_York', '2026-03-08'],
    ['2026-03-09T04:00:00Z', 'America/New_York', '2026-03-09'],
    ['2026-03-09T03:59:59Z', 'America/New_York', '2026-03-08'],
    ['2026-11-02T04:59:59Z', 'America/New_York', '2026-11-01'],
    ['2026-11-02T05:00:00Z', 'America/New_York', '2026-11-02'],
    ['2026-10-25T22:59:59Z', 'Europe/Berlin', '2026-10-25'],
    ['2026-10-25T23:00:00Z', 'Europe/Berlin', '2026-10-26'],
    ['2026-03-02T18:29:59Z', 'Asia/Kolkata', '2026-03-02'],
    ['2026-03-02T18:30:00Z', 'Asia/Kolkata', '2026-03-03'],
    ['2026-04-04T13:30:00Z', 'Australia/Lord_Howe', '2026-04-05'],
    ['2026-04-04T12:59:59Z', 'Australia/Lord_Howe', '2026-04-04'],
    ['2026-04-05T13:29:59Z', 'Australia/Lord_Howe', '2026-04-05'],
    ['2026-04-05T13:30:00Z', 'Australia/Lord_Howe', '2026-04-06'],
    ['1969-12-31T23:59:59Z', 'UTC', '1969-12-31'],
  ])('%s in %s is %s', (time, zone, date) => expect(localDate(at(time), zone)).toBe(date))

  it('agrees with the platform around every change of the clocks of a year, asked forwards and backwards', () => {
    for (const zone of ['America/Chicago', 'Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu']) {
      const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
      const times = Array.from({ length: 366 * 12 }, (_, index) => at('2026-01-01T00:17:00Z') + index * 7_200_000)
      for (const time of [...times, ...times.toReversed()]) expect(localDate(time, zone), zone).toBe(format.format(time))
    }
  })

  it('finds the very minute of a change', () => {
    const { offsetAt } = zoneClock('America/Chicago')
    expect(offsetAt(at('2026-03-08T07:59:59.999Z'))).toBe(-6 * 3_600_000)
    expect(offsetAt(at('2026-03-08T08:00:00.000Z'))).toBe(-5 * 3_600_000)
  })

  it('knows a zone from a word', () => {
    expect(isTimeZone('Asia/Kolkata')).toBe(true)
    expect(isTimeZone('Mars/Olympus')).toBe(false)
  })
})
