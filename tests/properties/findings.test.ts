import { describe, expect, it } from 'vitest'
import type { exitRules } from './exit-rules.ts'
import { byChance, byExitRule, lookFor, mostUsual, planted } from './findings-laws.ts'

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
  it('of pure chance are evident no more often than stated, in 60 journals', { tags: 'long' }, () => {
    const { reports, evident } = byChance(1, 61)
    expect(evident).toBeLessThanOrEqual(mostUsual(reports, 0.05))
  })

  it.each(worst)('of a trader without an edge are evident no more often than stated: %s', (name) => {
    const { evident, judged } = byExitRule(name, 20)
    expect(evident).toBeLessThanOrEqual(mostUsual(20, 0.05))
    expect(judged, 'what no test can tell from chance').toEqual([])
  })

  it.each(planted)('tell $name', (habit) => {
    const { seen } = lookFor(habit, 4)
    expect(seen?.finding).toMatchObject({ evidence: 'evident', trades: seen?.members.length })
    if (habit.sign !== 0) expect(Math.sign(Number(seen?.finding.excess?.value))).toBe(habit.sign)
  })

  it('have intervals that hold what a habit truly made', () => {
    const told = planted.filter(({ tells }) => tells === true).flatMap((habit) => [4, 5].map((seed) => lookFor(habit, seed)))
    const missed = told.filter(({ seen, truth }) => truth === null || truth < Number(seen?.finding.excess?.low) || truth > Number(seen?.finding.excess?.high))
    expect(missed.length).toBeLessThanOrEqual(mostUsual(told.length, 0.05))
  })
})
