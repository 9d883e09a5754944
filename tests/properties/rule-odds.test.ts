import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OddsAnswer, RuleSet } from '#shared/api/rules.ts'
import { amountOf, zero } from '#shared/money/money.ts'
import type { DayFacts } from '#shared/rules/day-facts.ts'
import { oddsOf } from '#shared/rules/odds.ts'
import { noRules } from '#shared/rules/terms.ts'

// One trade a day, of so many times 100.
const daysOf = (...nets: readonly number[]): DayFacts[] =>
  nets.map((net) => ({ tradingDay: '2026-03-02', adjustment: zero, trades: [{ product: 'MES', qty: 1, entryAt: 1_772_460_000_000, exitAt: 1_772_460_060_000, net: amountOf(net * 100_0000) }] }))

const bare: RuleSet = { ...noRules('USD'), startingBalance: '50000' }
const set = (target: number, loss: number | null, trail: 'static' | 'end-of-day' | 'intraday' = 'static', locksAt: string | null = null): RuleSet => ({
  ...bare, profitTarget: String(target * 100), maxLoss: loss === null ? null : { amount: String(loss * 100), trail, locksAt },
})
const asked = (seed: number) => ({ seed, runs: 20_000, horizon: 5000 })
const odds = (rules: RuleSet, days: readonly DayFacts[], how = asked(7)): OddsAnswer => {
  const answer = oddsOf(rules, days, how)
  if (answer === null) throw new Error('No odds')
  return answer
}

/** Steps of one up with probability p, one down without: the chance to be `up` steps up before `down` steps down. */
const ruin = (p: number, down: number, up: number): number => {
  const ratio = (1 - p) / p
  return ratio === 1 ? down / (down + up) : (1 - ratio ** down) / (1 - ratio ** (down + up))
}
const fair = daysOf(1, -1)
const good = daysOf(1, 1, 1, -1, -1)
const bad = daysOf(1, 1, -1, -1, -1)

describe('odds compared with exact results', () => {
  it.each<[string, RuleSet, readonly DayFacts[], number]>([
    ['the gambler’s ruin, a fair coin', set(4, 6), fair, ruin(0.5, 6, 4)],
    ['the gambler’s ruin, three of five', set(7, 3), good, ruin(0.6, 3, 7)],
    ['the gambler’s ruin, two of five', set(3, 5), bad, ruin(0.4, 5, 3)],
    // From each new high it is one more step up, or the whole room down.
    ['a floor that trails each close, a fair coin', set(4, 6, 'end-of-day'), fair, ruin(0.5, 6, 1) ** 4],
    ['a floor that trails each close, three of five', set(7, 3, 'end-of-day'), good, ruin(0.6, 3, 1) ** 7],
    ['a floor that trails each trade, one trade a day', set(7, 3, 'intraday'), good, ruin(0.6, 3, 1) ** 7],
    // It trails until the high is as far up as the room, and is static from there on.
    ['a floor that locks at the start', set(8, 3, 'end-of-day', '0'), good, ruin(0.6, 3, 1) ** 3 * ruin(0.6, 3, 5)],
    ['a daily loss that one bad day breaks', { ...set(4, null), dailyLoss: { amount: '100', counts: 'realised', breach: 'hard' } }, good, 0.6 ** 4],
    ['a time limit of five days, as many sessions', { ...set(5, null), timeLimit: 5 }, good, 0.6 ** 5],
    ['a time limit of a week, five sessions', { ...set(5, null), timeLimit: 7 }, good, 0.6 ** 5],
    ['a time limit of eight days, six sessions', { ...set(6, null), timeLimit: 8 }, good, 0.6 ** 6],
    // Up on the first day, and then up at once, or down to where it began and up.
    ['minimum days that hold a target back', { ...set(1, 1), minimumDays: 2 }, fair, 0.5 * (0.5 + 0.5 * 0.5)],
  ])('%s', (_name, rules, days, exact) => {
    const { passed, runs } = odds(rules, days)
    const standardError = Math.sqrt((exact * (1 - exact)) / runs)
    expect(Math.abs(passed - exact)).toBeLessThan(4 * standardError)
  })

  it('a horizon ends what is undecided', () => {
    const answer = odds(set(2, 9), fair, { seed: 3, runs: 20_000, horizon: 2 })
    expect(Math.abs(answer.passed - 0.25)).toBeLessThan(4 * Math.sqrt(0.25 * 0.75 / 20_000))
    expect(answer).toMatchObject({ breached: 0, daysToPass: { p10: 2, p50: 2, p90: 2 } })
    expect(answer.outOfTime).toBeCloseTo(1 - answer.passed, 12)
    expect(answer.fan.map(({ day }) => day)).toEqual([0, 1, 2])
    expect(answer.fan.map(({ p10, p50, p90 }) => [p10, p50, p90])).toEqual([['50000.00', '50000.00', '50000.00'], ['49900.00', expect.any(String), '50100.00'], ['49800.00', '50000.00', '50200.00']])
  })

  it('the interval contains the exact figure nineteen times out of twenty', { tags: ['long', 'nightly'] }, () => {
    const exact = ruin(0.6, 3, 7)
    const inside = Array.from({ length: 200 }, (_, seed) => odds(set(7, 3), good, { seed, runs: 500, horizon: 5000 })).filter(({ passed, plusMinus }) => Math.abs(passed - exact) <= plusMinus)
    expect(inside.length).toBeGreaterThanOrEqual(178)
    expect(inside.length).toBeLessThan(200)
  })
})

describe('odds', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(odds(set(7, 3), good)).toEqual(odds(set(7, 3), good))
    expect(odds(set(7, 3), good, asked(8)).passed).not.toBe(odds(set(7, 3), good).passed)
  })

  it('end a day at the trade that reached a daily loss that pauses', () => {
    const [first] = daysOf(-3)
    const [, later] = daysOf(1, -9)
    const day: DayFacts = { tradingDay: '2026-03-02', adjustment: zero, trades: [...(first?.trades ?? []), ...(later?.trades ?? []).map((trade) => ({ ...trade, exitAt: trade.exitAt + 1 }))] }
    const rules: RuleSet = { ...set(9, 10), dailyLoss: { amount: '200', counts: 'realised', breach: 'pause' } }
    // Three a day: the floor at ten is reached on the fourth day.
    expect(odds(rules, [day], { seed: 1, runs: 100, horizon: 3 })).toMatchObject({ breached: 0, outOfTime: 1 })
    expect(odds(rules, [day], { seed: 1, runs: 100, horizon: 4 })).toMatchObject({ breached: 1, lostBy: [{ rule: 'max-loss', share: 1 }] })
    expect(odds({ ...rules, dailyLoss: null }, [day], { seed: 1, runs: 100, horizon: 1 })).toMatchObject({ breached: 1 })
  })

  it('are none without a day that was traded, or without a target', () => {
    expect(oddsOf(set(7, 3), [{ tradingDay: '2026-03-02', adjustment: zero, trades: [] }], asked(1))).toBeNull()
    expect(oddsOf({ ...set(7, 3), profitTarget: null }, good, asked(1))).toBeNull()
  })

  it('add up, whatever the days and rules', () => {
    const rules = fc.record({ target: fc.integer({ min: 1, max: 9 }), loss: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }), trail: fc.constantFrom('static', 'end-of-day', 'intraday'), hard: fc.boolean() })
    fc.assert(
      fc.property(rules, fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 12 }), fc.nat({ max: 4_294_967_295 }), fc.integer({ min: 1, max: 200 }), ({ target, loss, trail, hard }, nets, seed, horizon) => {
        const answer = odds({ ...set(target, loss, trail), dailyLoss: { amount: '300', counts: 'realised', breach: hard ? 'hard' : 'pause' } }, daysOf(...nets), { seed, runs: 100, horizon })
        expect(answer.passed + answer.breached + answer.outOfTime).toBeCloseTo(1, 12)
        expect(answer.lostBy.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(answer.breached, 12)
        expect(answer.fan.length).toBeLessThanOrEqual(60)
        expect([answer.fan[0]?.day, answer.fan.at(-1)?.day]).toEqual([0, horizon])
        for (const { p10, p50, p90 } of answer.fan) expect(Number(p10) <= Number(p50) && Number(p50) <= Number(p90)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
