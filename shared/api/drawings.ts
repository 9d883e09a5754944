import { z } from 'zod'
import { enteredText, utcMs } from './fields.ts'

/** The most drawings on a fill pair. */
export const mostDrawings = 50

/** The longest text of a note in a chart. */
export const longestDrawnNote = 500

// Whole ticks of the trade's contract.
const point = { at: utcMs, price: z.number().int() }

/**
 * What the user drew in a trade's chart: a line at a price, set at a moment; a line through two points; a text at a
 * point. It has no id: two of the same content are the same drawing.
 */
export const drawing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('horizontal'), ...point }),
  z.object({ kind: z.literal('trend'), ...point, to: z.object(point) }),
  z.object({ kind: z.literal('note'), ...point, text: enteredText(longestDrawnNote).refine((text) => text !== '') }),
])
export type Drawing = z.infer<typeof drawing>
/** A moment in UTC ms and a price in ticks. */
export type DrawnPoint = Pick<Drawing, 'at' | 'price'>

/** The drawings of a fill pair, in the order in which they were made. */
export const drawings = z.array(drawing).max(mostDrawings)
