import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { replayAnswer, ruleKind, ruleSet, ruleState, type RuleState } from '#shared/api/rules.ts'
import { chicagoTime } from '#shared/market/session.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import { amountOf, parseAmount, type Amount } from '#shared/money/money.ts'
import type { BrokerLimits, DayFacts, NowFacts } from './day-facts.ts'
import { emptyPast, foldDays } from './fold.ts'
import { replay } from './replay.ts'
import { evaluateRules } from './standing.ts'
import { nearestOf } from './states.ts'

const amount = z.string().transform((text): Amount => {
  const read = parseAmount(text)
  if (!read.ok) throw new Error(`${text} is ${read.error}`)
  return read.value
})
const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const known = amount.nullable().default(null)
const position = z.tuple([z.string(), z.string(), z.number().int()]).transform(([contract, product, net]) => ({ contract, product, net }))
const otherPosition = z.tuple([z.string(), z.string(), z.number().int()]).transform(([account, product, net]) => ({ account, product, net }))
const states = z.partialRecord(ruleKind, ruleState.partial().strict())

// 10:00 in Chicago and a minute later with each trade, unless a story has times.
const morning = 10 * 3_600_000
const minute = 60_000

const story = z.strictObject({
  rule: ruleKind.or(z.literal('nearest')),
  why: z.string().min(20),
  set: ruleSet.partial().strict(),
  days: z
    .array(
      z.strictObject({
        day: z.iso.date(),
        adjustment: amount.default(amountOf(0)),
        moves: z.array(z.strictObject({ at: moment, amount })).optional(),
        highest: amount.optional(),
        trades: z.array(z.strictObject({ net: amount, product: z.string().default('MES'), side: z.enum(['long', 'short']).default('long'), qty: z.number().int().default(1), from: moment.optional(), at: moment.optional() })),
      }),
    )
    .default([]),
  now: z
    .strictObject({ at: moment, balance: known, dayRealized: known, open: known, positions: z.array(position).default([]), others: z.array(otherPosition).default([]), moved: z.array(amount).default([]), openCosts: amount.default(amountOf(0)), peak: known, earlierPeak: known, trough: known, lowestBalance: known, lowestRealized: known, lowestDay: known })
    .optional(),
  broker: z.strictObject({ startingBalance: known, drawdownLimit: known, trailing: known, dailyLoss: known, reduceOnly: z.boolean().default(false), flatBy: moment.nullable().default(null) }).optional(),
  expect: z.strictObject({
    replay: z
      .strictObject({ ...replayAnswer.omit({ days: true }).partial().shape, days: z.array(z.strictObject({ day: z.iso.date(), states, drawdownLimit: z.string().optional(), balance: z.string().optional(), low: z.string().optional(), high: z.string().optional(), net: z.string().optional() })).default([]) })
      .optional(),
    standing: states.optional(),
    nearest: ruleKind.optional(),
  }),
})

const nothing = {
  startingBalance: '50000', currency: 'USD', maxLoss: null, dailyLoss: null, profitTarget: null, consistency: null, minimumDays: null, winningDays: null,
  contracts: null, flatBy: null, noHedging: false, timeLimit: null, payout: null,
}

const folder = new URL('../../tests/fixtures/rules/', import.meta.url)
const stories = readdirSync(folder).map((file) => ({ name: file.replace('.json', ''), ...story.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))) }))

const factsOf = (days: (typeof stories)[number]['days']): readonly DayFacts[] =>
  days.map(({ day, adjustment, moves, highest, trades }) => ({
    tradingDay: day, adjustment, ...(moves && { moves }), ...(highest !== undefined && { highest }),
    trades: trades.map(({ net, product, qty, from, at }, index) => {
      const exitAt = at ?? chicagoTime(dayOfDate(day), morning + index * minute)
      return { product, qty, net, exitAt, entryAt: from ?? exitAt - minute / 2 }
    }),
  }))

const check = (got: readonly RuleState[], wanted: z.infer<typeof states>): void => {
  for (const state of got) expect(ruleState.parse(state)).toEqual(state)
  for (const [rule, parts] of Object.entries(wanted)) expect(got.find((state) => state.rule === rule), rule).toMatchObject(parts)
}

describe('stories', () => {
  it.each(stories)('$name: $why', ({ set: changes, days, now, broker, expect: wanted }) => {
    const set = ruleSet.parse({ ...nothing, ...changes })
    const facts = factsOf(days)
    if (wanted.replay !== undefined) {
      const { days: wantedDays, ...whole } = wanted.replay
      const answer = replay(set, facts)
      expect(replayAnswer.parse(answer)).toEqual(answer)
      expect(answer).toMatchObject(whole)
      for (const { day, states: wantedStates, ...figures } of wantedDays) {
        const own = answer.days.find(({ tradingDay }) => tradingDay === day)
        expect(own, day).toMatchObject(figures)
        check(own?.states ?? [], wantedStates)
      }
    }
    if (now === undefined) return
    const standing = evaluateRules(set, facts.length === 0 ? emptyPast : foldDays(set, facts).past, now satisfies NowFacts, (broker satisfies BrokerLimits | undefined) ?? null).states
    check(standing, wanted.standing ?? {})
    if (wanted.nearest !== undefined) expect(nearestOf(standing)).toBe(wanted.nearest)
  })

  it('cover every rule at, inside, and beyond its limit', () => {
    const counts = new Map(ruleKind.options.map((rule) => [rule, stories.filter((story) => story.rule === rule).length]))
    for (const [rule, count] of counts) expect(count, rule).toBeGreaterThanOrEqual(3)
  })
})
