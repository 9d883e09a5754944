import { createFormat } from '#renderer/lib/format.ts'
import { expect, test } from 'vitest'
import { pointsShown } from './change-words.ts'

const format = createFormat('en', 'UTC')

test.each([
  ['0.526316', '0.526190', 0],
  ['0.526', '0.5265', 0.1],
  ['0.500000', '0.528300', 2.8],
  ['0.6', '0.5', -10],
  ['1.0005', '1.0004', -0.1],
])('%s and %s differ by %s points, as the two figures shown do', (was, is, points) => {
  expect(pointsShown(was, is)).toBe(points)
  const [before, now] = [was, is].map((share) => Number(format.percent(Number(share)).replace('%', '')))
  expect(points).toBeCloseTo((now ?? 0) - (before ?? 0), 6)
})
