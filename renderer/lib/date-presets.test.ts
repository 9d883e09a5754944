import { expect, test } from 'vitest'
import { datePresets, datesOf, monthAfter, monthBefore, presetOf } from './date-presets.ts'

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

test('a stretch is known by its name on the day it was chosen, and by its dates later', () => {
  for (const preset of datePresets) expect(presetOf(datesOf(preset, '2026-02-12'), '2026-02-12')).toBe(preset)
  expect(presetOf(datesOf('today', '2026-02-12'), '2026-02-13')).toBeNull()
  expect(presetOf({ from: '2026-02-09', to: null }, '2026-02-12')).toBeNull()
})

test('months follow each other over the end of a year', () => {
  expect([monthAfter('2026-12-31'), monthAfter('2026-01-31'), monthBefore('2026-01-01'), monthBefore('2026-03-31')]).toEqual(['2027-01-01', '2026-02-01', '2025-12-01', '2026-02-01'])
})
