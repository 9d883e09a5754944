import { z } from 'zod'
import { accountKeyText } from './copier.ts'
import { identifier, isKeptAsItIs, moment } from './fields.ts'
import type { Route } from './route.ts'

/** Allowed lease durations, in seconds: a crashed copier blocks others for this long. */
const leaseSeconds = z.number().int().min(1).max(120)

const leased = z.object({
  userId: identifier,
  /** Identifies the computer; survives restarts of the program. */
  machine: z.string().min(16).max(128).refine(isKeptAsItIs),
  /** The accounts that a group copies to. */
  accounts: z.array(accountKeyText).min(1).max(50),
})

/**
 * The outcome of a lease request: all accounts or none. Only `granted` lets a computer enter trades, for the requested
 * duration, counted from before the request, so that clocks need not agree.
 */
export const leaseAnswer = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('granted'), until: moment }),
  /** Another computer holds leases on these accounts, one of them since `since`; older clouds do not name the accounts. */
  z.object({ outcome: z.literal('elsewhere'), since: moment, accounts: z.array(accountKeyText).optional() }),
  /** With these accounts, the user's computers would copy to more accounts than the plan allows. */
  z.object({ outcome: z.literal('plan-limit'), limit: z.number().int() }),
  z.object({ outcome: z.literal('plan-needed') }),
])
export type LeaseAnswer = z.infer<typeof leaseAnswer>

/** Leases of the trade copier, kept by the cloud, so that two computers never copy to the same account. */
export const copierLeaseRoutes = {
  /** Acquires a lease or renews this computer's own. Another computer's lease ends only by expiry or release. */
  leaseCopier: { method: 'POST', path: '/api/copier/lease', body: leased.extend({ seconds: leaseSeconds }), answer: leaseAnswer },
  /** Releases this computer's leases on these accounts. */
  releaseCopier: { method: 'POST', path: '/api/copier/lease/release', body: leased, answer: z.object({ success: z.literal(true) }) },
} as const satisfies Record<string, Route>
