// @module-tag slow
import { describe, expect, test } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { randomBelow } from '#shared/rules/random.ts'
import { judgeSides, type SideDays } from './side-by-side.ts'

const day = (number: number): string => `2026-${String(1 + Math.floor(number / 28)).padStart(2, '0')}-${String(1 + (number % 28)).padStart(2, '0')}`

/** `days` days from `first` on with `each` trades, whose net is `mean` and up to `spread` more or less, in 1/10,000. */
const sideOf = (draw: (below: number) => number, first: number, days: number, mean: number, spread: number, each = 3): SideDays =>
  new Map(Array.from({ length: days }, (_, at) => [day(first + at), { count: each, net: amountOf(Array.from({ length: each }, () => mean + draw(2 * spread + 1) - spread).reduce((sum, one) => sum + one, 0)) }]))

describe('sides against the first one', () => {
  const draw = randomBelow(7)
  const good = sideOf(draw, 0, 40, 500_000, 1_000_000)
  const bad = sideOf(draw, 0, 40, -500_000, 1_000_000)

  test('a plain difference is significant, with an interval on one side of zero', () => {
    const [[first, second] = []] = judgeSides([[good, bad]])
    expect(first).toBeNull()
    expect(second?.evidence).toBe('evident')
    expect(Number(second?.difference?.high)).toBeLessThan(0)
    const nets = [good, bad].map((side) => [...side.values()].reduce((sum, { net }) => sum + net, 0) / 120 / 10_000)
    expect(Number(second?.difference?.value)).toBeCloseTo((nets[1] ?? 0) - (nets[0] ?? 0), 1)
  })

  test('a side is no different from itself, and two that share all their trades neither', () => {
    expect(judgeSides([[good, good, good]])[0]?.slice(1)).toEqual([1, 2].map(() => ({ evidence: 'none', difference: { value: '0.00', low: '0.00', high: '0.00' } })))
  })

  test.each([
    ['19 trades', sideOf(randomBelow(1), 0, 19, 900_000, 10, 1), good],
    ['9 days', sideOf(randomBelow(1), 0, 9, 900_000, 10), good],
    ['a first side of 9 days', good, sideOf(randomBelow(1), 0, 9, -900_000, 10)],
    ['no trades', new Map(), good],
  ])('%s are not enough data, however large the difference', (_, side, first) => {
    expect(judgeSides([[first, side]])[0]?.[1]).toEqual({ evidence: 'too-little', difference: null })
  })

  test('what is significant against one side must show more beside many, of whatever currency', () => {
    const seeds = Array.from({ length: 60 }, (_, seed) => randomBelow(100 + seed))
    const narrow = seeds.map((drawn) => [sideOf(drawn, 0, 30, 0, 1_000_000), sideOf(drawn, 0, 30, 260_000, 1_000_000)] as const)
    const alone = narrow.map((pair) => judgeSides([pair])[0]?.[1]?.evidence)
    const amongMany = narrow.map((pair) => judgeSides([pair, [good, good, good, good, good, good]])[0]?.[1]?.evidence)
    expect(alone).toContain('evident')
    for (const [at, evidence] of alone.entries()) if (evidence !== 'evident') expect(amongMany[at]).toBe(evidence)
    expect(alone.some((evidence, at) => evidence === 'evident' && amongMany[at] === 'possible')).toBe(true)
    for (const pair of narrow) for (const one of judgeSides([pair, [good, good, good, good, good, good]]).flat()) if (one?.difference) expect(Number(one.difference.low) > 0 || Number(one.difference.high) < 0).toBe(one.evidence === 'evident')
  })

  test('where there is no difference, few comparisons say one: periods of ten days, of twenty, and six sides of one calendar', () => {
    const trials = 300
    const share = (sides: (drawn: (below: number) => number) => readonly SideDays[]): number =>
      Array.from({ length: trials }, (_, seed) => judgeSides([sides(randomBelow(1_000 + seed))])).filter(([judged]) => judged?.some((one) => one?.evidence === 'evident')).length / trials
    const found = [
      share((drawn) => [sideOf(drawn, 0, 10, 50_000, 1_000_000), sideOf(drawn, 20, 10, 50_000, 1_000_000)]),
      share((drawn) => [sideOf(drawn, 0, 20, 50_000, 1_000_000), sideOf(drawn, 20, 20, 50_000, 1_000_000)]),
      share((drawn) => Array.from({ length: 6 }, () => sideOf(drawn, 0, 20, 50_000, 1_000_000))),
    ]
    // 5 %, and three standard errors of so many trials.
    for (const one of found) expect(one).toBeLessThan(0.088)
  })
})
