import { describe, expect, it } from 'vitest'
import { byChance, lookFor, mostUsual, planted } from './findings-laws.ts'

describe('findings', () => {
  it('of pure chance are evident no more often than stated, in 60 journals', () => {
    const { reports, evident } = byChance(1, 61)
    expect(evident).toBeLessThanOrEqual(mostUsual(reports, 0.05))
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
