import { expect, test } from 'vitest'
import { belowHigh } from './below-high.ts'

test('a curve is measured against its highest point so far, a first loss against zero', () => {
  expect(belowHigh([-20, 30, 10, 45, 45, 5])).toEqual([-20, 0, -20, 0, 0, -40])
  expect(belowHigh([])).toEqual([])
})
