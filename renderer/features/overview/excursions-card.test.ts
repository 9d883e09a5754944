// @module-tag slow
import { expect, test } from 'vitest'
import { axisOf, placeOn } from './excursions-card.tsx'

test.each([
  [[], 0, 0.2],
  [[12, 480], 0, 500],
  [[-1_502.5, 809.4], -2_000, 1_000],
  [[0.004], 0, 0.004],
  [[-7], -8, 0],
])('an axis of %j holds it and zero, from %d to %d', (values, from, to) => {
  const axis = axisOf(values)
  expect([axis.from, axis.to]).toEqual([expect.closeTo(from, 9), expect.closeTo(to, 9)])
  expect(axis.ticks.length).toBeLessThanOrEqual(8)
  for (const value of values) expect(placeOn(axis, value)).toSatisfy((place: number) => place >= -1e-9 && place <= 1 + 1e-9)
})
