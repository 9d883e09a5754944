import { expect, test } from 'vitest'
import { datePresets, datesOf, monthAfter, monthBefore, periodPresetOf, periodPresets, presetOf } from './date-presets.ts'

test('weeks begin on Mondays, months and years are whole, and the end of a year is no edge', () => {
  expect(datePresets.map((preset) => datesOf(preset, '2027-01-01'))).toEqual([
    { from: '2027-01-01', to: '2027-01-01' },
    { from: '2026-12-28', to: '2027-01-03' },
    { from: '2026-12-21', to: '2026-12-27' },
    { from: '2027-01-01', to: '2027-01-31' },
    { from: '2026-12-01', to: '2026-12-31' },
    { from: '2026-12-03', to: '2027-01-01' },
    { from: '2027-01-01', to: '2027-12-31' },
    { from: null, to: null },
  ])
  expect(datesOf('month', '2028-02-10').to).toBe('2028-02-29')
  expect(datesOf('month', '2026-12-10').to).toBe('2026-12-31')
  expect(['2026-02-09', '2026-02-15'].map((day) => datesOf('week', day).from)).toEqual(['2026-02-09', '2026-02-09'])
})

test('quarters and years that are compared are whole, whatever their months', () => {
  const spans = (today: string) => (['quarter', 'last-quarter', 'last-year'] as const).map((preset) => Object.values(datesOf(preset, today)).join(' '))
  expect(spans('2026-01-01')).toEqual(['2026-01-01 2026-03-31', '2025-10-01 2025-12-31', '2025-01-01 2025-12-31'])
  expect(spans('2026-06-30')).toEqual(['2026-04-01 2026-06-30', '2026-01-01 2026-03-31', '2025-01-01 2025-12-31'])
  expect(spans('2028-12-31')).toEqual(['2028-10-01 2028-12-31', '2028-07-01 2028-09-30', '2027-01-01 2027-12-31'])
  for (const preset of periodPresets) expect(periodPresetOf(datesOf(preset, '2026-05-13'), '2026-05-13')).toBe(preset)
  expect(periodPresetOf(datesOf('quarter', '2026-05-13'), '2026-07-01')).toBe('last-quarter')
})

test('a stretch is known by its name on the day it was chosen, and by its dates later', () => {
  for (const preset of datePresets) expect(presetOf(datesOf(preset, '2026-02-12'), '2026-02-12')).toBe(preset)
  expect(presetOf(datesOf('today', '2026-02-12'), '2026-02-13')).toBeNull()
  expect(presetOf({ from: '2026-02-09', to: null }, '2026-02-12')).toBeNull()
})

test('months follow each other over the end of a year', () => {
  expect([monthAfter('2026-12-31'), monthAfter('2026-01-31'), monthBefore('2026-01-01'), monthBefore('2026-03-31')]).toEqual(['2027-01-01', '2026-02-01', '2025-12-01', '2026-02-01'])
})
