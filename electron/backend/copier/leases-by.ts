import { createCloudClient } from '../cloud/client.ts'
import type { CloudIdentity } from '../cloud/identity.ts'
import { createCloudLeases, type CloudLeases } from '../cloud/leases.ts'
import { demoUserId } from '../identity/identity.ts'

/** Short timeout: a lease is requested three times a minute. */
const leaseTimeoutMs = 10_000

/** The lease calls of each user's cloud; null without one. The demo broker runs on this computer, so it needs none. */
export const leasesBy = (identityOf: (userId: string) => Promise<CloudIdentity | null>): ((userId: string) => Promise<CloudLeases | null>) => {
  const known = new Map<string, CloudLeases>()
  return async (userId) => {
    const identity = userId === demoUserId ? null : await identityOf(userId)
    if (identity === null) return null
    const leases = known.get(userId) ?? createCloudLeases(createCloudClient(identity, leaseTimeoutMs))
    known.set(userId, leases)
    return leases
  }
}
