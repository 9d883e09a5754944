// @module-tag slow
import { expect, test } from 'vitest'
import { ignoredUpTo, ratioExample } from './rule-fields.tsx'

test('an example shows the rounding where there is one', () => {
  expect(ratioExample({ num: 1, den: 1 })).toEqual({ leader: 1, follower: 1 })
  expect(ratioExample({ num: 2, den: 1 })).toEqual({ leader: 1, follower: 2 })
  expect(ratioExample({ num: 1, den: 2 })).toEqual({ leader: 3, follower: 1 })
  expect(ratioExample({ num: 3, den: 2 })).toEqual({ leader: 3, follower: 4 })
  expect(ratioExample({ num: 4, den: 2 })).toEqual({ leader: 1, follower: 2 })
})

test('a quantity too small to be copied', () => {
  expect(ignoredUpTo({ num: 1, den: 1 })).toBe(0)
  expect(ignoredUpTo({ num: 3, den: 2 })).toBe(0)
  expect(ignoredUpTo({ num: 1, den: 2 })).toBe(1)
  expect(ignoredUpTo({ num: 2, den: 5 })).toBe(2)
  expect(ignoredUpTo({ num: 1, den: 10 })).toBe(9)
})
