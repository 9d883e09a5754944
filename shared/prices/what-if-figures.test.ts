// @module-tag slow
import { describe, expect, it } from 'vitest'
import type { Amount } from '#shared/money/money.ts'
import { randomBelow } from '#shared/rules/random.ts'
import { variantsOf, type TriedResult } from './what-if-figures.ts'

const amount = (dollars: number): Amount => (dollars * 10_000) as Amount
const dayOf = (number: number): string => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10)

/** Two trades on each of so many days; `gain` is what the rule adds, in dollars, as [least, most]. */
const results = (days: number, gain: (day: number, trade: number) => readonly [number, number]): readonly TriedResult[] =>
  Array.from({ length: days * 2 }, (_, place) => {
    const [day, net] = [Math.floor(place / 2), place % 2 === 0 ? 100 : -50]
    const [least, most] = gain(day, place)
    return { tradingDay: dayOf(day), tags: place % 2 === 0 ? ['open'] : [], net: amount(net), would: [{ least: amount(net + least), most: amount(net + most) }] }
  })

const verdict = (rows: readonly TriedResult[], tried: number): string | undefined => variantsOf(rows, 1, tried).variants[0]?.verdict
const noisy = (mean: number, spread: number, seed = 7) => {
  const below = randomBelow(seed)
  return (): readonly [number, number] => {
    const gain = mean + below(2 * spread + 1) - spread
    return [gain, gain]
  }
}

describe('figures of a variant', () => {
  it('are sums of bounds, with the later half of the days apart and by tag', () => {
    const { heldFrom, variants: [found] } = variantsOf(results(4, (day) => (day < 2 ? [10, 10] : [-20, 5])), 1, 1)
    expect(heldFrom).toBe(dayOf(2))
    expect(found?.all).toEqual({ trades: 8, was: '200.00', would: { least: '160.00', most: '260.00' }, gain: { least: '-40.00', most: '60.00' }, better: 4, worse: 0, same: 0, unclear: 4 })
    expect([found?.tried.gain, found?.held.gain]).toEqual([{ least: '40.00', most: '40.00' }, { least: '-80.00', most: '20.00' }])
    expect(found?.tags).toMatchObject([{ tag: 'open', trades: 4, was: '400.00' }])
  })

  it('leave out what is not known', () => {
    const rows: readonly TriedResult[] = results(2, () => [1, 1]).map((row, place) => ({ ...row, would: place === 0 ? [null] : place === 1 ? ['no-risk'] : row.would }))
    expect(variantsOf(rows, 1, 1).variants[0]).toMatchObject({ all: { trades: 2 }, notKnown: 1, noRisk: 1 })
  })
})

describe('what may be believed', () => {
  it('is a gain that resampled days do not undo, and that the half held back shows', () => {
    expect(verdict(results(60, noisy(40, 50)), 1)).toBe('gain')
    expect(verdict(results(60, noisy(-40, 50)), 1)).toBe('loss')
    expect(verdict(results(60, noisy(0, 50)), 1)).toBe('none')
  })

  it('is less the more variants were tried', () => {
    const rows = results(40, noisy(12, 60, 3))
    expect([1, 5, 300].map((tried) => verdict(rows, tried))).toEqual(['gain', 'possible', 'possible'])
    expect(verdict(results(60, noisy(40, 50)), 501)).toBe('too-many')
  })

  it('is one of a hundred variants by chance alone in few journals, also with twenty days', { tags: 'long' }, () => {
    const below = randomBelow(11)
    const gain = (): Amount => amount(below(2_001) - 1_000)
    const fooled = Array.from({ length: 10 }, () => {
      const rows = Array.from({ length: 20 }, (_, place): TriedResult => ({ tradingDay: dayOf(place), tags: [], net: amount(0), would: Array.from({ length: 100 }, gain).map((made) => ({ least: made, most: made })) }))
      return variantsOf(rows, 100, 100).variants.some((found) => found.verdict === 'gain' || found.verdict === 'loss')
    })
    // One in twenty is meant to be.
    expect(fooled.filter(Boolean).length).toBeLessThan(3)
  })

  it('asks the least of a gain: what the prices leave open is no evidence', () => {
    expect(verdict(results(60, () => [-10, 80]), 1)).toBe('none')
  })

  it('needs twenty days on which the rule changes something', () => {
    expect(verdict(results(19, noisy(40, 5)), 1)).toBe('too-little')
    expect(verdict(results(20, noisy(40, 5)), 1)).toBe('gain')
    expect(verdict(results(40, (day) => (day < 19 ? [40, 45] : [0, 0])), 1)).toBe('too-little')
  })

  it('does not stand on the first half alone', () => {
    const below = randomBelow(1)
    expect(verdict(results(60, (day) => { const gain = (day < 30 ? 90 : -4) + below(21) - 10; return [gain, gain] }), 1)).toBe('not-held')
  })

  it('calls at most a few of a hundred rules without an effect a gain or a loss, however many are tried', () => {
    const called = Array.from({ length: 200 }, (_, seed) => verdict(results(30, noisy(0, 80, seed)), 1)).filter((one) => one !== 'none').length
    expect(called).toBeLessThanOrEqual(14)
    const among = Array.from({ length: 100 }, (_, seed) => verdict(results(30, noisy(0, 80, seed)), 100)).filter((one) => one === 'gain' || one === 'loss').length
    expect(among).toBeLessThanOrEqual(1)
  })
})
