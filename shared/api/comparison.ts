import { z } from 'zod'
import { everyTrade } from '#shared/stats/filter.ts'
import { filterOfSide, mostSides, sideKinds } from '#shared/stats/sides.ts'
import { decimalText } from './fields.ts'
import type { Route } from './route.ts'
import { filterQuery, several, unit } from './statistics.ts'

const judged = z.object({
  /** `too-little`: nothing was tested. */
  evidence: z.enum(['evident', 'possible', 'none', 'too-little']),
  /** Average net P&L per trade minus that of the first side, with its 95% interval. */
  difference: z.object({ value: decimalText, low: decimalText, high: decimalText }).nullable(),
})
export type JudgedSide = z.infer<typeof judged>

/** Each side compared with the first one, in the order of the sides; null is the first. */
export const comparison = z.object({ unit, money: z.array(z.object({ currency: z.string().length(3), sides: z.array(judged.nullable()) })) })
export type ComparisonAnswer = z.infer<typeof comparison>

/** Compares sides with the first one. */
export const comparisonRoutes = {
  /** Whether the differences between sides are significant; a side's figures are the `statistics` of its filter. */
  comparison: {
    method: 'GET',
    path: '/api/comparison',
    query: filterQuery.extend({ unit: unit.default('trades'), compare: z.enum(sideKinds), with: several(z.string().min(1).max(300)) }).superRefine((asked, context) => {
      const readable = asked.with.filter((side) => filterOfSide(everyTrade, asked.compare, side) !== null)
      if (readable.length < asked.with.length || readable.length < 2 || readable.length > mostSides) context.addIssue({ code: 'custom', path: ['with'], message: `two to ${String(mostSides)} sides of their kind` })
    }),
    answer: comparison,
  },
} as const satisfies Record<string, Route>
