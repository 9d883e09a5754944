import { expect, it } from 'vitest'
import { randomBelow } from '#shared/rules/random.ts'
import { permutationTest } from './permutation-test.ts'

const all = (length: number): Uint32Array => new Uint32Array(length).map((_, index) => index)

it('compares a group with the mean of its block, day by day', () => {
  const day = Uint32Array.of(0, 0, 0, 1, 1, 2)
  const labels = Uint16Array.of(0, 0, 1, 0, 1, 1)
  const [tests] = permutationTest(day, [Float64Array.of(3, 1, 0, 5, -2, -1)], [{ labels, groups: 1, column: 0 }], 9, randomBelow(1))
  // The mean is 1: the group made 2 on the first day and 4 on the second.
  expect(tests?.[0]).toMatchObject({ sign: 1, days: 2 })
  expect(tests?.[0]?.tested.value).toBeCloseTo(6 / Math.sqrt(20), 12)
})

it('permutes results within sixty days, with every permutation possible', () => {
  // Two blocks, of which the second is of another size of money: none of it may reach the first.
  const day = all(90)
  const labels = Uint16Array.from(day, (own) => (own === 0 ? 0 : 1))
  const made = Float64Array.from(day, (own) => (own < 60 ? own % 2 : 1000 * (own % 3)))
  const [tests] = permutationTest(day, [made], [{ labels, groups: 1, column: 0 }], 99, randomBelow(1))
  // One day says the same whichever result it gets: a sum over its own size.
  expect(new Set(tests?.[0]?.tested.drawn)).toEqual(new Set([1]))
  const two = Uint16Array.from(day, (own) => (own < 2 ? 0 : 1))
  const [pairs] = permutationTest(day, [made], [{ labels: two, groups: 1, column: 0 }], 99, randomBelow(1))
  // Results of the first block are half above its mean and half below, by as much.
  expect([...new Set(pairs?.[0]?.tested.drawn)].map((value) => value.toFixed(6)).sort()).toEqual(['0.000000', Math.SQRT2.toFixed(6)])
})
