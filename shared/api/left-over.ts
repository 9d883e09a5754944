import { z } from 'zod'
import { calendarDay, done, identifier, moment } from './fields.ts'
import { tradeUserFields } from './records.ts'
import type { Route } from './route.ts'

/** Annotations that no fill pair shows any more, with the pair they were written on. Fields without leftovers are empty. */
export const leftOverNote = tradeUserFields.extend({
  /** The id of the fill pair with the original annotation. */
  id: identifier,
  tradingDay: calendarDay,
  accountId: z.string().max(300),
  account: z.string().max(300),
  /** The original pair's data; null if unknown. */
  symbol: z.string().max(200).nullable(),
  side: z.enum(['long', 'short']).nullable(),
  qty: z.number().int().positive().nullable(),
  entryTime: moment.nullable(),
  exitTime: moment.nullable(),
  entryPrice: z.string().max(40).nullable(),
  exitPrice: z.string().max(40).nullable(),
  /** True if the pair was removed and `pairId` now holds its contracts among others: that pair counts until the user removes it. */
  removal: z.boolean(),
  /** The pair that shows the rest of it, or that holds its contracts; null if there is none. */
  pairId: identifier.nullable(),
})
export type LeftOverNote = z.infer<typeof leftOverNote>

/** Annotations of fill pairs that are gone: listed by day until the user moves them to another pair or discards them. */
export const leftOverRoutes = {
  leftOverNotes: { method: 'GET', path: '/api/left-over-notes', query: z.object({ from: calendarDay.optional(), to: calendarDay.optional() }), answer: z.object({ notes: z.array(leftOverNote) }) },
  /** Merges the leftovers into a pair's annotations, and removes that pair if the leftover is a removal. What does not fit stays and is returned as `left`. */
  moveLeftOver: { method: 'POST', path: '/api/left-over-notes/move', body: z.object({ id: identifier, pairId: identifier }), answer: z.object({ success: z.literal(true), left: leftOverNote.nullable() }) },
  discardLeftOver: { method: 'POST', path: '/api/left-over-notes/discard', body: z.object({ id: identifier }), answer: done },
} as const satisfies Record<string, Route>
