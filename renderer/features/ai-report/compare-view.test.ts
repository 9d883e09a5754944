// @module-tag slow
import { createFormat } from '#renderer/lib/format.ts'
import { expect, test } from 'vitest'
import { shownDifference } from './compare-view.tsx'

const format = createFormat('en', 'UTC')

test.each([
  ['0.526316', '0.526190', 0],
  ['0.526', '0.5265', 0.1],
  ['0.500000', '0.528300', 2.8],
  ['0.6', '0.5', -10],
  ['1.0005', '1.0004', -0.1],
])('%s and %s differ by %s points, as the two figures shown do', (was, is, points) => {
  expect(shownDifference('share', was, is)).toBe(points)
  const [before, now] = [was, is].map((share) => Number(format.percent(Number(share)).replace('%', '')))
  expect(points).toBeCloseTo((now ?? 0) - (before ?? 0), 6)
})

test('a difference is that of the figures as they are shown, in the decimals they have', () => {
  // 1.23 and 1.12: 0.11, though they differ by 0.1198.
  expect(shownDifference('ratio', '1.1150', '1.2348')).toBe(0.11)
  expect(shownDifference('contracts', '2.004', '1.996')).toBe(0)
  // 58m 30s and 1h 5m.
  expect(shownDifference('time', '3510400', '3899000')).toBe(390_000)
  expect(shownDifference('count', '12', '9')).toBe(-3)
  expect(shownDifference('money', '12.3456', '9')).toBeNull()
})
