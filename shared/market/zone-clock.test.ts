import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOfCalendar, isoDate, timeOfWall, zoneClock } from './zone-clock.ts'

const wall = (text: string): number => Date.parse(`${text}Z`)
const utc = (text: string, zone: string): string => new Date(timeOfWall(wall(text), zone)).toISOString()

describe('the time at which a wall clock shows something', () => {
  it.each([
    ['2025-01-22T23:02:03', 'America/Chicago', '2025-01-23T05:02:03.000Z'],
    ['2025-07-22T23:02:03', 'America/Chicago', '2025-07-23T04:02:03.000Z'],
    ['2026-06-10T14:41:43', 'Europe/Berlin', '2026-06-10T12:41:43.000Z'],
    ['2025-03-13T19:41:25', 'Asia/Kolkata', '2025-03-13T14:11:25.000Z'],
    ['2025-01-01T00:30:00', 'Pacific/Kiritimati', '2024-12-31T10:30:00.000Z'],
  ])('%s in %s', (text, zone, time) => expect(utc(text, zone)).toBe(time))

  it('is the first of two where clocks are set back', () => {
    expect(utc('2025-11-02T01:30:00', 'America/New_York')).toBe('2025-11-02T05:30:00.000Z')
    expect(utc('2025-11-02T01:00:00', 'America/New_York')).toBe('2025-11-02T05:00:00.000Z')
    expect(utc('2025-11-02T02:00:00', 'America/New_York')).toBe('2025-11-02T07:00:00.000Z')
    expect(utc('2025-10-26T02:30:00', 'Europe/Berlin')).toBe('2025-10-26T00:30:00.000Z')
  })

  it('moves forward where clocks are set forward and skip it', () => {
    expect(utc('2025-03-09T01:59:59', 'America/New_York')).toBe('2025-03-09T06:59:59.000Z')
    expect(utc('2025-03-09T02:30:00', 'America/New_York')).toBe('2025-03-09T07:30:00.000Z')
    expect(utc('2025-03-09T03:00:00', 'America/New_York')).toBe('2025-03-09T07:00:00.000Z')
  })

  it('shows the wall time that was asked for, and never the later of two', () => {
    const zones = fc.constantFrom('America/Chicago', 'Europe/London', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Auckland', 'UTC')
    fc.assert(
      fc.property(zones, fc.integer({ min: wall('2020-01-01T00:00'), max: wall('2030-01-01T00:00') }), (zone, time) => {
        const shown = time + zoneClock(zone).offsetAt(time)
        const found = timeOfWall(shown, zone)
        expect(found + zoneClock(zone).offsetAt(found)).toBe(shown)
        expect(found).toBeLessThanOrEqual(time)
      }),
      { numRuns: 3000 },
    )
  })
})

it('a day of the calendar is one that the calendar has', () => {
  expect(isoDate(dayOfCalendar(2024, 2, 29) ?? 0)).toBe('2024-02-29')
  expect(isoDate(dayOfCalendar(2025, 12, 31) ?? 0)).toBe('2025-12-31')
  for (const [year, month, day] of [[2025, 2, 29], [2025, 4, 31], [2025, 13, 1], [2025, 0, 1], [2025, 1, 0], [2025, 12, 32]] as const) expect(dayOfCalendar(year, month, day)).toBeNull()
})
