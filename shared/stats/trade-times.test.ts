import { describe, expect, it } from 'vitest'
import { marketSessionAt, wallClock, weekdayAndHour } from './trade-times.ts'

const at = (iso: string): number => Date.parse(iso)

describe('the market session', () => {
  it.each([
    ['2026-01-14T23:00:00.000Z', 'asia', '17:00 in winter'],
    ['2026-01-15T07:59:59.999Z', 'asia', 'before 02:00'],
    ['2026-01-15T08:00:00.000Z', 'london', '02:00'],
    ['2026-01-15T14:29:59.999Z', 'london', 'before 08:30'],
    ['2026-01-15T14:30:00.000Z', 'new-york', '08:30'],
    ['2026-01-15T21:59:59.999Z', 'new-york', 'before 16:00'],
    ['2026-01-15T22:00:00.000Z', 'closed', '16:00'],
    ['2026-01-15T22:59:59.999Z', 'closed', 'before 17:00'],
    ['2026-07-15T22:00:00.000Z', 'asia', '17:00 in summer'],
    ['2026-07-15T13:30:00.000Z', 'new-york', '08:30 in summer'],
    ['2026-03-08T07:59:59.999Z', 'asia', 'the last moment before the clocks go forward, over 02:00'],
    ['2026-03-08T08:00:00.000Z', 'london', '03:00, the moment after'],
    ['2026-11-01T07:30:00.000Z', 'asia', '01:30 for the second time'],
    ['1969-12-31T23:00:00.000Z', 'asia', 'before 1970'],
  ])('%s is %s (%s)', (time, session) => expect(marketSessionAt(at(time))).toBe(session))
})

describe('weekday and hour', () => {
  it.each([
    ['2026-03-08T06:59:59Z', 'America/New_York', 7, 1, 'before the clocks go forward'],
    ['2026-03-08T07:00:00Z', 'America/New_York', 7, 3, 'behind it: there is no hour 2'],
    ['2026-11-01T05:30:00Z', 'America/New_York', 7, 1, 'the first 01:30'],
    ['2026-11-01T06:30:00Z', 'America/New_York', 7, 1, 'the second 01:30'],
    ['2026-03-08T18:30:00Z', 'Asia/Kolkata', 1, 0, 'Monday already, at half past an hour of UTC'],
    ['2026-03-08T18:29:59Z', 'Asia/Kolkata', 7, 23, 'still Sunday'],
    ['1969-12-31T23:59:59Z', 'UTC', 3, 23, 'the day before day 0, a Wednesday'],
  ])('%s in %s is weekday %i, hour %i (%s)', (time, zone, weekday, hour) => expect(weekdayAndHour(at(time), zone)).toEqual({ weekday, hour }))
})

it('the wall clock is a day and the ms since its midnight', () => {
  expect(wallClock(at('1970-01-02T00:00:00.250Z'), 'UTC')).toEqual({ day: 1, wallTime: 250 })
  expect(wallClock(at('1969-12-31T23:00:00Z'), 'UTC')).toEqual({ day: -1, wallTime: 23 * 3_600_000 })
})
