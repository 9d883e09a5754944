import { z } from 'zod'
import { calendarDay, costText, decimalText } from './fields.ts'
import type { Route } from './route.ts'
import { filterQuery } from './statistics.ts'

const count = z.number().int().nonnegative()

/** The most variants that are computed at once. */
export const mostVariants = 20

/** What a verdict takes: trades with known prices, and days on which the rule changes something. Many small gains hide a rare large loss, and the fewer days, the likelier it is on none of them. */
export const leastToBelieve = { trades: 20, days: 20 } as const

/** Whole ticks, or hundredths of the planned risk: 150 is 1.5 R. */
export const ruleDistance = z.object({ in: z.enum(['ticks', 'r']), value: z.number().int().min(1).max(10_000) })
const distance = ruleDistance.nullable().default(null)
const minutes = z.number().int().min(1).max(10_000)

/** How trades are left instead; a null part is none, and one part at least is set. */
export const exitRule = z
  .object({ stop: distance, target: distance, trail: distance, breakEven: distance, minutes: minutes.nullable().default(null), first: z.object({ at: ruleDistance, percent: z.number().int().min(1).max(99) }).nullable().default(null) })
  .refine((rule) => Object.values(rule).some((part) => part !== null), 'a rule without a part')
export type RuleInput = z.output<typeof exitRule>

/** What is assumed beside the rule. `fee` is per contract and side; null is what each trade cost. */
export const exitTerms = z.object({
  slippage: z.number().int().min(0).max(1000).default(0),
  fee: costText.nullable().default(null),
  horizon: z.discriminatedUnion('until', [z.object({ until: z.literal('exit') }), z.object({ until: z.literal('session') }), z.object({ until: z.literal('minutes'), minutes })]).default({ until: 'exit' }),
  insideBars: z.enum(['any-price', 'every-price']).default('any-price'),
})
export type TermsInput = z.output<typeof exitTerms>

const bounds = z.object({ least: decimalText, most: decimalText })

/** What came of some trades: `was` is their net P&L, `would` what the rule makes of it, `gain` the difference. Of `unclear` trades the prices leave open whether they are better. */
const part = z.object({ trades: count, was: decimalText, would: bounds, gain: bounds, better: count, worse: count, same: count, unclear: count })
export type WhatIfPart = z.infer<typeof part>

/** Whether a gain (or a loss) is to be believed, counting every variant tried so far. `not-held`: it holds over all days, and the half held back does not agree. `possible`: it would hold if nothing else had been tried. */
export const verdicts = ['gain', 'loss', 'not-held', 'possible', 'none', 'too-little', 'too-many'] as const
export type Verdict = (typeof verdicts)[number]

const variant = z.object({
  all: part,
  /** The earlier half of the days, and the later one. */
  tried: part,
  held: part,
  /** Prices are missing, or end before the trade would. */
  notKnown: count,
  /** The rule is in R, and no risk is known. */
  noRisk: count,
  verdict: z.enum(verdicts),
  tags: z.array(part.extend({ tag: z.string() })),
})
export type WhatIfVariant = z.infer<typeof variant>

/** What some rules make of the trades of a filter, in the currency of the most of them, by stored prices. */
export const whatIfAnswer = z.object({
  /** Whether any prices are stored. */
  priced: z.boolean(),
  currency: z.string().length(3).nullable(),
  /** The trades that a rule was tried on, known or not. */
  trades: count,
  leftOut: z.object({ addedLater: count, otherCurrency: count }),
  /** The first day of the half that is held back. */
  heldFrom: calendarDay.nullable(),
  /** How many variants this user has tried so far, these included. */
  variantsTried: count,
  variants: z.array(variant),
})
export type WhatIfAnswer = z.infer<typeof whatIfAnswer>

/** Exits that were not taken. */
export const whatIfRoutes = {
  /** Replaces the exits of the trades of a filter by rules. Each new variant counts against what may be believed. */
  whatIf: { method: 'POST', path: '/api/prices/what-if', body: exitTerms.extend({ filter: filterQuery, rules: z.array(exitRule).min(1).max(mostVariants) }), answer: whatIfAnswer },
} as const satisfies Record<string, Route>
