import { describe, expect, it } from 'vitest'
import type { exitRules } from './exit-rules.ts'
import { holdsZero } from '#shared/stats/findings/excess-for-verdict.ts'
import { madeTrades, shapeOf } from '../helpers/made-trades.ts'
import { byExitRule, found, lookFor, mostUsual, planted } from './findings-laws.ts'

// Those that once made a report evident in every journal or nearly so.
const worst = [
  'a stop of 1 and a target of 3',
  'a stop of 1, closed after half an hour',
  'the day ends after two losses in a row',
  'the day ends with its first win',
  'two products at once',
  'a loss limit of 1.5 a day',
  'five times larger and lopsided in the first hour',
  'doubling until the first win',
] as const satisfies readonly (keyof typeof exitRules)[]

describe('findings', () => {
  it.each(worst)('of a trader without an edge are evident no more often than stated: %s', { tags: ['long', 'nightly'] }, (name) => {
    const { evident, judged } = byExitRule(name, 20)
    expect(evident).toBeLessThanOrEqual(mostUsual(20, 0.05))
    expect(judged, 'what no test can tell from chance').toEqual([])
  })

  it.each(planted)('tell $name', (habit) => {
    const { seen } = lookFor(habit, 4)
    expect(seen?.finding).toMatchObject({ evidence: 'evident', trades: seen?.members.length })
    if (habit.sign !== 0) expect(Math.sign(Number(seen?.finding.excess?.value))).toBe(habit.sign)
  })

  it('have intervals that exclude zero exactly if the finding is significant, for any trades', { tags: ['long', 'nightly'] }, () => {
    const reports = [...[1, 2, 3, 4, 5, 6].map((seed) => found(madeTrades(seed, shapeOf(seed)))), ...planted.flatMap((habit) => [4, 5].map((seed) => lookFor(habit, seed).report))]
    const intervals = reports.flatMap(({ findings }) => findings.flatMap(({ finding: { key, evidence, excess } }) => (excess === null ? [] : [{ key, evident: evidence === 'evident', zero: holdsZero(excess), inside: Number(excess.low) <= Number(excess.value) && Number(excess.value) <= Number(excess.high) }])))
    expect(intervals.filter(({ evident }) => evident).length).toBeGreaterThan(5)
    expect(intervals.filter(({ evident }) => !evident).length).toBeGreaterThan(50)
    expect(intervals.filter(({ evident, zero, inside }) => evident === zero || !inside)).toEqual([])
  })

  it('have intervals that contain the true effect of a habit', { tags: ['long', 'nightly'] }, () => {
    const looked = planted.filter(({ tells }) => tells === true).flatMap((habit) => [4, 5].map((seed) => lookFor(habit, seed)))
    const missed = looked.filter(({ seen, truth }) => truth === null || truth < Number(seen?.finding.excess?.low) || truth > Number(seen?.finding.excess?.high))
    expect(missed.length).toBeLessThanOrEqual(mostUsual(looked.length, 0.05))
  })
})
