import { randomBytes } from 'node:crypto'

type Visit = { readonly userId: string; readonly begunAt: number }

const lastsMs = 86_400_000
const mostVisits = 100

/** Pending visits to the payment provider, in memory only: none survives a restart. */
export type PaymentReturns = ReturnType<typeof createPaymentReturns>

/** Starts without a visit. `now` is UTC ms. */
export const createPaymentReturns = (now: () => number) => {
  // In the order in which they began.
  const visits = new Map<string, Visit>()
  return {
    /** A user's new visit, as a mark for the URL that it returns to: only the provider and that browser learn it. */
    begin: (userId: string): string => {
      for (const [visit, { begunAt }] of visits) if (now() - begunAt > lastsMs || visits.size >= mostVisits) visits.delete(visit)
      const visit = randomBytes(16).toString('base64url')
      visits.set(visit, { userId, begunAt: now() })
      return visit
    },
    /** The user of a visit's mark; null for an unknown one, and after a day, which is as long as a checkout stays open. */
    userOf: (visit: string): string | null => {
      const found = visits.get(visit)
      return found === undefined || now() - found.begunAt > lastsMs ? null : found.userId
    },
  }
}
