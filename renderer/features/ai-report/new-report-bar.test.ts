// @module-tag slow
import { expect, test } from 'vitest'
import { periodOf, steppedPeriod, turnedPeriod, usualPeriod } from './new-report-bar.tsx'

test('a day lies in its day, its week from Monday to Friday, and its month', () => {
  expect(periodOf('day', '2026-11-18')).toEqual({ kind: 'day', from: '2026-11-18', to: '2026-11-18' })
  for (const day of ['2026-11-16', '2026-11-20', '2026-11-22']) expect(periodOf('week', day)).toEqual({ kind: 'week', from: '2026-11-16', to: '2026-11-20' })
  expect(periodOf('month', '2028-02-10')).toEqual({ kind: 'month', from: '2028-02-01', to: '2028-02-29' })
})

test('one step leads to the next of the kind, over weekends and years, and back', () => {
  expect(steppedPeriod(periodOf('day', '2026-11-20'), 1).from).toBe('2026-11-23')
  expect(steppedPeriod(periodOf('day', '2026-11-23'), -1).from).toBe('2026-11-20')
  expect(steppedPeriod(periodOf('week', '2026-12-30'), 1)).toEqual({ kind: 'week', from: '2027-01-04', to: '2027-01-08' })
  expect(steppedPeriod(periodOf('month', '2026-01-05'), -1)).toEqual({ kind: 'month', from: '2025-12-01', to: '2025-12-31' })
  expect(steppedPeriod({ kind: 'free', from: '2026-11-02', to: '2026-11-11' }, -1)).toEqual({ kind: 'free', from: '2026-10-23', to: '2026-11-01' })
  for (const kind of ['day', 'week', 'month', 'free'] as const) {
    const period = periodOf(kind, '2026-03-11')
    expect(steppedPeriod(steppedPeriod(period, 1), -1)).toEqual(period)
  }
})

test('as another kind it is around its last day, and free it keeps its days', () => {
  const week = periodOf('week', '2026-10-28')
  expect(turnedPeriod(week, 'month')).toEqual({ kind: 'month', from: '2026-10-01', to: '2026-10-31' })
  expect(turnedPeriod(week, 'day').from).toBe('2026-10-30')
  expect(turnedPeriod(week, 'free')).toEqual({ kind: 'free', from: '2026-10-26', to: '2026-10-30' })
})

test('usually it is the week under way, or that of the last trade', () => {
  expect(usualPeriod('2026-11-18', '2026-11-17').from).toBe('2026-11-16')
  expect(usualPeriod('2026-11-18', '2026-11-16').from).toBe('2026-11-16')
  expect(usualPeriod('2026-11-18', '2026-11-13').from).toBe('2026-11-09')
  expect(usualPeriod('2026-11-18', null).from).toBe('2026-11-09')
  // On a Sunday the trading day is the Monday after.
  expect(usualPeriod('2026-11-23', null)).toEqual({ kind: 'week', from: '2026-11-16', to: '2026-11-20' })
})
