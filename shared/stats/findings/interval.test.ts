import { expect, it } from 'vitest'
import { randomBelow } from '#shared/rules/random.ts'
import { intervalAbout, resampleDays, withTest } from './interval.ts'

const days = Array.from({ length: 24 }, (_, at) => String(at))
const resampled = resampleDays({ days })
const columnsOf = (own: readonly number[]) => ({ own: Float64Array.from(own), owned: null, other: new Float64Array(), others: new Float64Array(), count: 0, informativeDays: own.length })
const sumOf = (made: readonly number[]): number => made.reduce((sum, one) => sum + one, 0)

it.each([0.05, 0.01])('holds each total that the test by resampled days does not reject at %d, and no other', (at) => {
  const draw = randomBelow(5)
  const made = days.map(() => draw(200) - 80)
  const { low, high } = intervalAbout(sumOf(made), 1, columnsOf(made), resampled, at)
  // By the definition: the days less their share of what is claimed, tested by the share of resamples with the other sign.
  const isRejected = (claimed: number): boolean => {
    const rest = made.map((one) => one - claimed / made.length)
    const value = sumOf(rest)
    return intervalAbout(value, Math.sign(value), columnsOf(rest), resampled, at).otherSide <= at
  }
  const step = (high - low) / 40
  for (let claimed = low - 10.5 * step; claimed < high + 10 * step; claimed += step) expect([claimed, isRejected(claimed)]).toEqual([claimed, claimed < low || claimed > high])
})

it('leaves zero out with a test exactly where days and test both reject it, to the same side', () => {
  const cases = [-5, -3, -1, 0, 1, 3, 5].flatMap((statistic) => [[100, 900], [-900, -100], [-100, 900]].map(([low = 0, high = 0]) => ({ statistic, low, high })))
  for (const { statistic, low, high } of cases) {
    const joined = withTest({ value: (low + high) / 2, low, high, otherSide: 0 }, statistic, 3.2)
    const rejected = (low > 0 && statistic > 3.2) || (high < 0 && statistic < -3.2)
    expect([statistic, low, joined.low <= 0 && joined.high >= 0]).toEqual([statistic, low, !rejected])
    expect(joined.low <= low && joined.high >= high).toBe(true)
  }
})
