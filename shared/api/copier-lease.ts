import { z } from 'zod'
import { accountKeyText } from './copier.ts'
import { identifier, isKeptAsItIs, moment } from './fields.ts'
import type { Route } from './route.ts'

/** How long a lease may be asked for, in seconds: as long as a copier that died keeps others waiting. */
const leaseSeconds = z.number().int().min(1).max(120)

const leased = z.object({
  userId: identifier,
  /** The computer, the same over restarts of its program. */
  machine: z.string().min(16).max(128).refine(isKeptAsItIs),
  /** The accounts that a group copies to. */
  accounts: z.array(accountKeyText).min(1).max(50),
})

/**
 * What came of asking for a lease: all accounts or none. Only `granted` lets a computer enter trades, for the seconds that
 * it asked for, counted from before it asked: no two clocks have to agree.
 */
export const leaseAnswer = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('granted'), until: moment }),
  /** Another computer has these of the accounts, one of them since then; a cloud of before does not name them. */
  z.object({ outcome: z.literal('elsewhere'), since: moment, accounts: z.array(accountKeyText).optional() }),
  /** With these the user's computers would copy to more accounts than the plan has. */
  z.object({ outcome: z.literal('plan-limit'), limit: z.number().int() }),
  z.object({ outcome: z.literal('plan-needed') }),
])
export type LeaseAnswer = z.infer<typeof leaseAnswer>

/** Leases of the trade copier, which the cloud keeps: no account is copied to by two computers at once. */
export const copierLeaseRoutes = {
  /** Takes a lease, or prolongs the one that this computer has. One of another ends by itself or by its release, never by this. */
  leaseCopier: { method: 'POST', path: '/api/copier/lease', body: leased.extend({ seconds: leaseSeconds }), answer: leaseAnswer },
  /** Gives back what this computer has of these accounts. */
  releaseCopier: { method: 'POST', path: '/api/copier/lease/release', body: leased, answer: z.object({ success: z.literal(true) }) },
} as const satisfies Record<string, Route>
