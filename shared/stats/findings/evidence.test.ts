import { describe, expect, it } from 'vitest'
import { randomBelow } from '#shared/rules/random.ts'
import { chancesOf, evidenceOf, level, testedOf } from './evidence.ts'
import { medianOf, rowShuffler } from './studentized.ts'

const columns = (...values: readonly (readonly number[])[]): readonly Float64Array[] => values.map((column) => Float64Array.from(column))

describe('p-values of many tests', () => {
  it('are corrected by step-down over the largest statistics', () => {
    const [large, small] = columns([1, 2, 3, 4, 1, 1, 1, 1, 1], [0, 9, 0, 0, 0, 0, 0, 0, 0])
    if (large === undefined || small === undefined) throw new Error('No columns')
    const [first, second] = chancesOf([testedOf(-5, large), testedOf(3.5, small)]).map(({ chance }) => chance)
    // Nothing of its own reaches 5, but the 9 of the other does.
    expect(first).toEqual({ alone: 0.1, corrected: 0.2 })
    // Once the larger is judged, it is held against its own alone, and never below the larger's.
    expect(second).toEqual({ alone: 0.2, corrected: 0.2 })
  })

  it('are two-sided', () => {
    const [drawn] = columns([-9, 3, -1, 0])
    if (drawn === undefined) throw new Error('No column')
    expect(chancesOf([testedOf(2, drawn)]).map(({ chance }) => chance)).toEqual([{ alone: 0.6, corrected: 0.6 }])
  })

  it('are above the level exactly where the statistic does not exceed its critical size', () => {
    const draw = randomBelow(3)
    for (let time = 0; time < 200; time += 1) {
      const strength = 1 + draw(4)
      const tests = Array.from({ length: 1 + draw(6) }, () => testedOf(draw(40 * strength), Float64Array.from({ length: 99 }, () => draw(60))))
      for (const [place, { chance, critical }] of chancesOf(tests).entries()) expect((tests[place]?.value ?? 0) > critical).toBe(chance.corrected <= level)
    }
  })

  it.each([
    [0.01, 0.05, 'evident'],
    [0.01, 0.0501, 'possible'],
    [0.0501, 0.2, 'none'],
  ] as const)('%d alone and %d corrected are %s', (alone, corrected, evidence) => expect(evidenceOf({ alone, corrected })).toBe(evidence))

  it('are empty without tests', () => expect(chancesOf([])).toEqual([]))
})

describe('a permutation', () => {
  it('takes every order equally often, the same in all columns', () => {
    const orders = new Map<string, number>()
    const rows = columns([9, 1, 2, 3, 9], [0, 10, 20, 30, 0])
    const shuffle = rowShuffler(rows, Uint32Array.of(0, 1, 4), randomBelow(1))
    for (let time = 0; time < 6000; time += 1) {
      shuffle()
      expect(rows[1]).toEqual((rows[0] ?? new Float64Array()).map((value) => (value === 9 ? 0 : value * 10)))
      const order = String(rows[0])
      orders.set(order, (orders.get(order) ?? 0) + 1)
    }
    expect(orders.size).toBe(6)
    for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  it('has a median', () => expect([[], [3], [5, 1], [9, 1, 5]].map((values) => medianOf(Float64Array.from(values)))).toEqual([0, 3, 1, 5]))
})
