/** @module-tag long */

import { describe, expect, it } from 'vitest'
import { casesOf } from '#tests/helpers/cases.ts'
import { exitRules } from './exit-rules.ts'
import { byChance, byExitRule, lookFor, mostUsual, planted } from './findings-laws.ts'

// Of each of the rules.
const journals = casesOf({ nightly: 60, long: 12, inCi: 2 })

describe('findings', () => {
  it('of pure chance are evident no more often than stated', () => {
    const { reports, evident, alone, intervals } = byChance(0, casesOf({ nightly: 1_000, long: 300, inCi: 60 }))
    expect(evident, 'reports with an evident finding').toBeLessThanOrEqual(mostUsual(reports, 0.05))
    for (const [kind, { tested, below }] of alone) expect(below, `${kind} by itself, of ${String(tested)}`).toBeLessThanOrEqual(mostUsual(tested, 0.05))
    expect(intervals.hold / intervals.counted, 'intervals that hold the truth').toBeGreaterThan(0.95)
  })

  it('of a trader without an edge are evident no more often than stated, however trades are left and days ended', () => {
    const rules = Object.keys(exitRules) as (keyof typeof exitRules)[]
    const results = rules.map((name) => ({ name, ...byExitRule(name, journals) }))
    for (const { name, evident, judged } of results) {
      expect(evident, name).toBeLessThanOrEqual(mostUsual(journals, 0.05))
      expect(judged, name).toEqual([])
    }
    expect(results.reduce((sum, { evident }) => sum + evident, 0), 'over all rules').toBeLessThanOrEqual(mostUsual(journals * rules.length, 0.05))
  })

  const each = casesOf({ nightly: 24, long: 24, inCi: 8 })
  it.each(planted)(`find $name in most of ${String(each)} journals, and its effect within their interval`, (habit) => {
    const all = Array.from({ length: each }, (_, seed) => lookFor(habit, seed))
    const evident = all.filter(({ seen }) => seen?.finding.evidence === 'evident')
    expect(evident.length).toBeGreaterThanOrEqual((2 * each) / 3)
    if (habit.sign !== 0) for (const { seen } of evident) expect(Math.sign(Number(seen?.finding.excess?.value))).toBe(habit.sign)
    const intervals = all.flatMap(({ seen, truth }) => (truth === null || seen === undefined || seen.finding.excess === null ? [] : [{ truth, low: Number(seen.finding.excess.low), high: Number(seen.finding.excess.high) }]))
    const held = intervals.filter(({ truth, low, high }) => low <= truth && truth <= high)
    // One of a thousand such counts is lower where an interval holds the truth 95 times of a hundred.
    expect(intervals.length - held.length).toBeLessThanOrEqual(mostUsual(intervals.length, 0.05))
  })
})
