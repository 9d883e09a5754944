import { randomBytes } from 'node:crypto'

/** Visits to the payment provider that are under way. They are in memory only: none outlives the program. */
export type PaymentReturns = {
  /** A new visit of a user, as a mark for the address that it leads back to: only the provider and that browser learn it. */
  readonly begin: (userId: string) => string
  /** Whose visit has this mark; null for an unknown one, and after a day, which is as long as a checkout stays open. */
  readonly userOf: (visit: string) => string | null
}

type Visit = { readonly userId: string; readonly begunAt: number }

const lastsMs = 86_400_000
const mostVisits = 100

/** No visit yet. `now` is UTC ms. */
export const createPaymentReturns = (now: () => number): PaymentReturns => {
  // In the order in which they began.
  const visits = new Map<string, Visit>()
  return {
    begin: (userId) => {
      for (const [visit, { begunAt }] of visits) if (now() - begunAt > lastsMs || visits.size >= mostVisits) visits.delete(visit)
      const visit = randomBytes(16).toString('base64url')
      visits.set(visit, { userId, begunAt: now() })
      return visit
    },
    userOf: (visit) => {
      const found = visits.get(visit)
      return found === undefined || now() - found.begunAt > lastsMs ? null : found.userId
    },
  }
}
