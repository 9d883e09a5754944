import { z } from 'zod'

const refusal = {
  reason: z.string().min(1).default('MaxOrderQtyLimitReached'),
  text: z.string().default('Your maximum order quantity has been met.'),
}

/** What the brokerage does wrong with orders, each with its scope. */
export const orderFaultSchemas = <S extends z.ZodRawShape>(scope: S) =>
  [
    /** The line is cut before the request is done. */
    z.strictObject({ kind: z.literal('lost-request'), ...scope }),
    /** The line is cut, and the request is done `ms` later. */
    z.strictObject({ kind: z.literal('late-acceptance'), ms: z.int().nonnegative(), ...scope }),
    /** An order is not taken. */
    z.strictObject({ kind: z.literal('reject-order'), ...refusal, ...scope }),
    /** An order is taken, and refused `ms` later. */
    z.strictObject({ kind: z.literal('late-reject'), ms: z.int().nonnegative().default(20), ...refusal, ...scope }),
    /** An order fills in so many pieces: at once, or one whenever the floor steps; with `dropRest` it is cancelled after the first. */
    z.strictObject({ kind: z.literal('partial-fills'), pieces: z.int().min(2), byStep: z.boolean().default(false), dropRest: z.boolean().default(false), ...scope }),
    /** An order waits, whatever the market does, until the floor releases it. */
    z.strictObject({ kind: z.literal('slow-fill'), ...scope }),
    /** An order that is to be cancelled fills just before. */
    z.strictObject({ kind: z.literal('fill-beats-cancel'), ...scope }),
  ] as const
