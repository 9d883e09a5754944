import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { lastWholeDay, missingWindows, type DayWindow } from './history-windows.ts'

test('a year is asked for in windows, the newest first, without a day twice', () => {
  expect(missingWindows({ from: '2026-01-01', to: '2026-05-01' }, [], 60)).toEqual([
    { from: '2026-03-03', to: '2026-05-01' },
    { from: '2026-01-02', to: '2026-03-02' },
  ])
})

test('what was asked for is left out, also in the middle', () => {
  const covered = [{ from: '2026-02-01', to: '2026-02-28' }, { from: '2026-02-10', to: '2026-03-05' }]
  expect(missingWindows({ from: '2026-01-26', to: '2026-03-10' }, covered, 60)).toEqual([
    { from: '2026-03-06', to: '2026-03-10' },
    { from: '2026-01-26', to: '2026-01-31' },
  ])
})

test('a weekend, and a day on which nothing trades, are no reason to ask', () => {
  expect(missingWindows({ from: '2026-12-25', to: '2026-12-27' }, [], 60)).toEqual([])
})

test('the session under way is not whole: on a Monday evening the last one is Monday', () => {
  expect(lastWholeDay(Date.UTC(2026, 5, 8, 18))).toBe('2026-06-05')
  expect(lastWholeDay(Date.UTC(2026, 5, 8, 23))).toBe('2026-06-08')
})

const beginning = dayOfDate('2025-01-01')
const window = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 90 })).map(([from, length]): DayWindow => ({ from: isoDate(beginning + from), to: isoDate(beginning + from + length) }))
const daysOf = ({ from, to }: DayWindow): number[] => Array.from({ length: dayOfDate(to) - dayOfDate(from) + 1 }, (_, index) => dayOfDate(from) + index)
const isWeekday = (day: number): boolean => ![0, 6].includes((day + 4) % 7)

test('law: the windows and what was asked for cover every weekday once over, in windows that are short enough', () => {
  fc.assert(
    fc.property(window, fc.array(window, { maxLength: 6 }), fc.integer({ min: 1, max: 63 }), (wanted, covered, longest) => {
      const windows = missingWindows(wanted, covered, longest)
      const asked = windows.flatMap(daysOf)
      const before = new Set(covered.flatMap(daysOf))
      expect(new Set(asked).size).toBe(asked.length)
      expect(asked.some((day) => before.has(day))).toBe(false)
      expect(windows.every((each) => daysOf(each).length <= longest)).toBe(true)
      const holidays = daysOf(wanted).filter((day) => isWeekday(day) && !before.has(day) && !asked.includes(day))
      // New Year, Good Friday, Christmas: windows of one day are left out there.
      expect(holidays.every((day) => ['01-01', '04-18', '12-25', '04-03'].includes(isoDate(day).slice(5)))).toBe(true)
      expect(windows.map(({ to }) => to)).toEqual(windows.map(({ to }) => to).sort().reverse())
    }),
  )
})
