import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RuleSet, RuleState } from '#shared/api/rules.ts'
import { chicagoTime, nextTradingDay } from '#shared/market/session.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import { amountOf, parseAmount, zero, type Amount } from '#shared/money/money.ts'
import type { DayFacts, DayOutcome, NowFacts } from '#shared/rules/day-facts.ts'
import { emptyPast, foldDays } from '#shared/rules/fold.ts'
import { replay } from '#shared/rules/replay.ts'
import { evaluateRules } from '#shared/rules/standing.ts'

const start = 50_000_0000
const trails = ['static', 'end-of-day', 'intraday'] as const
const hour = 3_600_000
const cents = (value: number): Amount => amountOf(value * 100)
const text = (value: number): string => `${value < 0 ? '-' : ''}${String(Math.floor(Math.abs(value) / 100))}.${String(Math.abs(value) % 100).padStart(2, '0')}`

// Nets in cents; often round, so that limits are met to the cent.
const net = fc.oneof(fc.integer({ min: -20, max: 20 }).map((value) => value * 10_000), fc.integer({ min: -150_000, max: 150_000 }))
const dayNets = fc.array(fc.record({ adjustment: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: net }), nets: fc.array(net, { maxLength: 5 }) }), { maxLength: 10 })
const factsOf = (days: readonly { readonly adjustment: number; readonly nets: readonly number[] }[]): DayFacts[] => {
  let tradingDay = '2026-03-02'
  return days.map(({ adjustment, nets }, index) => {
    if (index > 0) tradingDay = nextTradingDay(tradingDay)
    const morning = chicagoTime(dayOfDate(tradingDay), 9 * hour)
    return { tradingDay, adjustment: cents(adjustment), trades: nets.map((value, at) => ({ product: 'MES', qty: 1, entryAt: morning + at * 1000, exitAt: morning + at * 1000 + 500, net: cents(value) })) }
  })
}
const days = dayNets.map(factsOf)
// Money that goes in or out a moment after some trade, and days that were higher with what was open.
const watchedDays = fc.tuple(days, fc.array(fc.record({ day: fc.nat(9), trade: fc.nat(4), amount: net }), { maxLength: 4 }), fc.array(fc.option(fc.nat(300_000), { nil: null }), { maxLength: 10 })).map(([facts, moves, highest]) =>
  facts.map((day, index): DayFacts => {
    const own = moves.flatMap(({ day: place, trade, amount }) => (place === index && day.trades[trade] !== undefined ? [{ at: day.trades[trade].exitAt + 100, amount: cents(amount) }] : [])).sort((one, other) => one.at - other.at)
    const top = highest[index] ?? null
    return { ...day, ...(own.length > 0 && { moves: own }), ...(top !== null && { highest: cents(top) }) }
  }),
)

const maxLoss = fc.record({ amount: fc.integer({ min: 1, max: 30 }).map((value) => text(value * 10_000)), trail: fc.constantFrom(...trails), locksAt: fc.option(fc.integer({ min: -20, max: 30 }).map((value) => text(value * 10_000)), { nil: null }), withOpen: fc.boolean() })
const winningDays = fc.option(fc.record({ days: fc.integer({ min: 1, max: 4 }), profit: fc.constantFrom('0.01', '100', '500') }), { nil: null })
const consistency = fc.option(fc.record({ percent: fc.integer({ min: 1, max: 100 }), of: fc.constantFrom('total', 'target') }), { nil: null })
const minimumDays = fc.option(fc.integer({ min: 1, max: 6 }), { nil: null })
const ruleSet: fc.Arbitrary<RuleSet> = fc.record({
  startingBalance: fc.constant('50000'), currency: fc.constant('USD'),
  maxLoss: fc.option(maxLoss, { nil: null }),
  dailyLoss: fc.option(fc.record({ amount: fc.constantFrom('100', '500', '1000.01'), counts: fc.constantFrom('realised', 'with-open'), breach: fc.constantFrom('pause', 'hard') }), { nil: null }),
  profitTarget: fc.option(fc.constantFrom('0.01', '1000', '3000'), { nil: null }),
  consistency, minimumDays, winningDays,
  contracts: fc.constant(null), flatBy: fc.constant(null), noHedging: fc.constant(false),
  timeLimit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
  payout: fc.option(fc.record({ buffer: fc.option(fc.constantFrom('0', '1000'), { nil: null }), minimumDays, winningDays, consistency, cap: fc.option(fc.constant('500'), { nil: null }) }), { nil: null }),
})
const withLoss = fc.tuple(ruleSet, maxLoss).map(([set, rule]) => ({ ...set, maxLoss: rule }))
const runs = { numRuns: 1500 }

const ofTrail = (set: RuleSet, trail: (typeof trails)[number]): RuleSet => ({ ...set, maxLoss: set.maxLoss && { ...set.maxLoss, trail } })
const floors = (set: RuleSet, facts: readonly DayFacts[]): number[] => foldDays(set, facts).days.map(({ drawdownLimit }) => drawdownLimit ?? Number.NaN)
// The place of a breach among all trades; past the end where there is none.
const placeOf = (outcomes: readonly DayOutcome[], facts: readonly DayFacts[], kind: 'maxLoss' | 'dailyLoss'): number => {
  const day = outcomes.findIndex((outcome) => outcome[kind] !== null)
  if (day < 0) return Infinity
  return day * 100 + (facts[day]?.trades.findIndex(({ exitAt }) => exitAt === outcomes[day]?.[kind]?.at) ?? 0)
}
const better = (facts: readonly DayFacts[], place: number, by: number): DayFacts[] => {
  let left = place % Math.max(1, facts.reduce((sum, { trades }) => sum + trades.length, 0))
  return facts.map((day) => ({ ...day, trades: day.trades.map((trade) => (left-- === 0 ? { ...trade, net: amountOf(trade.net + by) } : trade)) }))
}

describe('the laws of the rules', () => {
  it('a better trade never moves a breach of a static loss or a daily loss closer', () => {
    fc.assert(
      fc.property(withLoss, days, fc.nat(), fc.integer({ min: 0, max: 2_000_0000 }), (set, facts, place, by) => {
        const fixed = ofTrail(set, 'static')
        const improved = better(facts, place, by)
        const [was, is] = [foldDays(fixed, facts).days, foldDays(fixed, improved).days]
        for (const kind of ['maxLoss', 'dailyLoss'] as const) {
          if (kind === 'dailyLoss' && set.dailyLoss === null) continue
          expect(placeOf(is, improved, kind)).toBeGreaterThanOrEqual(placeOf(was, facts, kind))
        }
        for (const [index, day] of is.entries()) expect(day.closing - (day.drawdownLimit ?? 0)).toBeGreaterThanOrEqual((was[index]?.closing ?? 0) - (was[index]?.drawdownLimit ?? 0))
      }),
      runs,
    )
  })

  it('the floor never falls, is never under the static one, and intraday never under the end of the day’s', () => {
    fc.assert(
      fc.property(withLoss, days, (set, facts) => {
        const [fixed, closes, within] = trails.map((trail) => floors(ofTrail(set, trail), facts)) as [number[], number[], number[]]
        for (const index of facts.keys()) {
          expect(closes[index]).toBeGreaterThanOrEqual(fixed[index] ?? 0)
          expect(within[index]).toBeGreaterThanOrEqual(closes[index] ?? 0)
          for (const rows of [fixed, closes, within]) expect(rows[index]).toBeGreaterThanOrEqual(rows[index - 1] ?? -Infinity)
        }
      }),
      runs,
    )
  })

  it('folding in pieces is folding the whole', () => {
    fc.assert(
      fc.property(ruleSet, watchedDays, fc.array(fc.nat({ max: 10 }), { maxLength: 3 }), (set, facts, cuts) => {
        const edges = [0, ...cuts.map((cut) => Math.min(cut, facts.length)).sort((one, other) => one - other), facts.length]
        const inPieces = edges.slice(1).reduce(
          ({ outcomes, past }, end, index) => {
            const piece = foldDays(set, facts.slice(edges[index] ?? 0, end), past)
            return { outcomes: [...outcomes, ...piece.days], past: piece.past }
          },
          { outcomes: [] as DayOutcome[], past: emptyPast },
        )
        const whole = foldDays(set, facts)
        expect(inPieces).toEqual({ outcomes: whole.days, past: whole.past })
      }),
      runs,
    )
  })

  it('a day equals its definition, looked up in every balance there ever was', () => {
    fc.assert(
      fc.property(withLoss, watchedDays, (set, facts) => {
        const { maxLoss: rule } = set
        if (rule === null) return
        const [amount, lock] = [units(rule.amount), rule.locksAt === null ? Infinity : units(rule.locksAt)]
        const closes = [0]
        const all = [0]
        for (const [index, day] of foldDays(set, facts).days.entries()) {
          const { adjustment = zero, trades = [], moves = [], highest } = facts[index] ?? {}
          let balance = (closes.at(-1) ?? 0) + adjustment
          let broken: number | null | undefined
          const drawdownLimit = (): number => Math.max(0 - amount, rule.trail === 'static' ? 0 - amount : Math.min(lock, Math.max(...(rule.trail === 'intraday' ? all : closes)) - amount))
          all.push(balance)
          closes.push(balance)
          const opening = balance
          if (balance <= drawdownLimit()) broken = null
          const booked = [...trades.map(({ exitAt: at, net: amount }) => ({ at, amount })), ...moves].sort((one, other) => one.at - other.at)
          // Two that are booked at one moment are one.
          for (const [at, parts] of Map.groupBy(booked, (one) => one.at)) {
            balance += parts.reduce((sum, one) => sum + one.amount, 0)
            all.push(balance)
            if (broken === undefined && balance <= drawdownLimit()) broken = at
          }
          if (highest !== undefined) all.push(opening + highest)
          if (broken === undefined && balance <= drawdownLimit()) broken = booked.at(-1)?.at ?? null
          expect(day.net).toBe(trades.reduce((sum, trade) => sum + trade.net, 0))
          expect([day.closing, day.drawdownLimit, day.maxLoss === null ? undefined : day.maxLoss.at]).toEqual([balance, drawdownLimit(), broken])
          closes.push(balance)
        }
      }),
      runs,
    )
  })

  it('the last day of a replay equals the live rules on the same facts', () => {
    fc.assert(
      fc.property(ruleSet, days, (set, facts) => {
        const last = facts.at(-1)
        const outcome = foldDays(set, facts).days.at(-1)
        if (last === undefined || outcome === undefined || (outcome.net === 0 && outcome.trades > 0)) return
        const { past } = foldDays(set, facts.slice(0, -1))
        // A first day starts with its first trade; live, it has not started before.
        if (past.firstDay === null && outcome.trades === 0) return
        const live = evaluateRules(set, past, nowOf(outcome, last.adjustment), null).states
        // Only the trades show which of peak and trough came first.
        const orderMatters = set.maxLoss?.trail === 'intraday' && outcome.maxLoss !== null
        const then = replay(set, facts).days.at(-1)?.states ?? []
        if (!orderMatters) expect(live.map(plain)).toEqual(then.map(plain))
        else expect(live.map(({ rule, limit, value, left }) => ({ rule, limit, value, left }))[0]).toEqual(then.map(({ rule, limit, value, left }) => ({ rule, limit, value, left }))[0])
      }),
      runs,
    )
  })

  it('a breach is final, and nothing passes after it', () => {
    fc.assert(
      fc.property(ruleSet, days, (set, facts) => {
        const outcomes = foldDays(set, facts).days
        for (const [index, { after }] of outcomes.entries()) {
          const before = index === 0 ? emptyPast : (outcomes[index - 1]?.after ?? emptyPast)
          if (before.breach !== null) expect([after.breach, after.passed]).toEqual([before.breach, before.passed])
          if (before.passed !== null) expect(after.passed).toBe(before.passed)
        }
      }),
      runs,
    )
  })
})

const units = (decimal: string): number => {
  const read = parseAmount(decimal)
  if (!read.ok) throw new Error(decimal)
  return read.value
}

const nowOf = ({ tradingDay, opening, low, high, closing, net: made }: DayOutcome, adjustment: Amount): NowFacts => ({
  at: chicagoTime(dayOfDate(tradingDay), 15 * hour), balance: amountOf(start + closing), dayRealized: made, open: zero, positions: [], others: [],
  peak: amountOf(start + high), earlierPeak: null, trough: amountOf(start + low), lowestBalance: amountOf(start + low), lowestRealized: amountOf(low - opening), lowestDay: amountOf(low - opening), moved: [adjustment], openCosts: zero,
})

const plain = (state: RuleState) => ({ ...state, notes: null, since: state.since?.tradingDay })
