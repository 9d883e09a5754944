import { randomBytes } from 'node:crypto'

type Visit = { readonly userId: string; readonly begunAt: number }

const lastsMs = 86_400_000
const mostVisits = 100

/** Visits to the payment provider that are under way. They are in memory only: none outlives the program. */
export type PaymentReturns = ReturnType<typeof createPaymentReturns>

/** No visit yet. `now` is UTC ms. */
export const createPaymentReturns = (now: () => number) => {
  // In the order in which they began.
  const visits = new Map<string, Visit>()
  return {
    /** A new visit of a user, as a mark for the address that it leads back to: only the provider and that browser learn it. */
    begin: (userId: string): string => {
      for (const [visit, { begunAt }] of visits) if (now() - begunAt > lastsMs || visits.size >= mostVisits) visits.delete(visit)
      const visit = randomBytes(16).toString('base64url')
      visits.set(visit, { userId, begunAt: now() })
      return visit
    },
    /** Whose visit has this mark; null for an unknown one, and after a day, which is as long as a checkout stays open. */
    userOf: (visit: string): string | null => {
      const found = visits.get(visit)
      return found === undefined || now() - found.begunAt > lastsMs ? null : found.userId
    },
  }
}
