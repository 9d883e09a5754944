import { z } from 'zod'

/** Why the brokerage shuts a socket down. */
export const shutdownReason = z.enum(['Maintenance', 'ConnectionQuotaReached', 'IPQuotaReached'])
export type ShutdownReason = z.infer<typeof shutdownReason>

/**
 * What the brokerage does wrong on its sockets. Their path is `/demo/v1/websocket/<login>`, or without a login before the socket is
 * authorised; `times` counts events of one socket, or attempts. Requests on a socket are struck as those over HTTP are.
 */
export const socketFaultSchemas = <S extends z.ZodRawShape>(scope: S) =>
  [
    /** Takes no new connection: it is answered 503. */
    z.strictObject({ kind: z.literal('socket-unreachable'), ...scope }),
    /** Authorising is refused with 401, or the socket is shut down with a reason where one is given. */
    z.strictObject({ kind: z.literal('socket-refused'), reasonCode: shutdownReason.optional(), ...scope }),
    /** Shuts down with the reason instead of telling an event. */
    z.strictObject({ kind: z.literal('socket-shutdown'), reasonCode: shutdownReason, ...scope }),
    /** Cuts the line without a close frame instead of telling an event. */
    z.strictObject({ kind: z.literal('socket-cut'), ...scope }),
    /** Stays open, but sends nothing more from an event on: no answers and no heartbeats either. */
    z.strictObject({ kind: z.literal('socket-silent'), ...scope }),
    /** Tells an event twice. */
    z.strictObject({ kind: z.literal('socket-duplicates'), ...scope }),
    /** Gathers events for `ms` and tells them in another order, which `seed` fixes. */
    z.strictObject({ kind: z.literal('socket-shuffles'), ms: z.int().nonnegative(), seed: z.int().default(0), ...scope }),
    /** Keeps an event back until the faults are replaced or cleared, or the sockets are told to release. */
    z.strictObject({ kind: z.literal('socket-withholds'), ...scope }),
    /** Leaves a field out of an event's row. */
    z.strictObject({ kind: z.literal('socket-malformed'), field: z.string().min(1), ...scope }),
    /** Tells `entity`, or the whole `d`, as an array of one. */
    z.strictObject({ kind: z.literal('socket-arrays'), of: z.enum(['entity', 'd']), ...scope }),
    /** Tells something of an entity that nobody has heard of before an event. */
    z.strictObject({ kind: z.literal('socket-unknown-entity'), ...scope }),
  ] as const
