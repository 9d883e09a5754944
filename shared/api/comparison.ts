import { z } from 'zod'
import { everyTrade } from '#shared/stats/filter.ts'
import { filterOfSide, mostSides, sideKinds } from '#shared/stats/sides.ts'
import { decimalText } from './fields.ts'
import type { Route } from './route.ts'
import { filterQuery, several, unit } from './statistics.ts'

const judged = z.object({
  /** `too-little`: nothing was tested. */
  evidence: z.enum(['evident', 'possible', 'none', 'too-little']),
  /** Net of one trade on average, less that of the first side, with its 95 % interval. */
  difference: z.object({ value: decimalText, low: decimalText, high: decimalText }).nullable(),
})
export type JudgedSide = z.infer<typeof judged>

/** Each side against the first one, in the order of the sides; null is the first. */
export const comparison = z.object({ unit, money: z.array(z.object({ currency: z.string().length(3), sides: z.array(judged.nullable()) })) })
export type ComparisonAnswer = z.infer<typeof comparison>

/** Sides of a comparison against the first one. */
export const comparisonRoutes = {
  /** Whether chance would do as well as the differences between sides; the figures of a side are the `statistics` of its filter. */
  comparison: {
    method: 'GET',
    path: '/api/comparison',
    query: filterQuery.extend({ unit: unit.default('trips'), compare: z.enum(sideKinds), with: several(z.string().min(1).max(300)) }).superRefine((asked, context) => {
      const readable = asked.with.filter((side) => filterOfSide(everyTrade, asked.compare, side) !== null)
      if (readable.length < asked.with.length || readable.length < 2 || readable.length > mostSides) context.addIssue({ code: 'custom', path: ['with'], message: `two to ${String(mostSides)} sides of their kind` })
    }),
    answer: comparison,
  },
} as const satisfies Record<string, Route>
