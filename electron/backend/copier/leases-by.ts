import { createCloudClient } from '../cloud/client.ts'
import type { CloudIdentity } from '../cloud/identity.ts'
import { createCloudLeases, type CloudLeases } from '../cloud/leases.ts'
import { demoUserId } from '../identity/identity.ts'

/** A lease is asked for three times a minute: nobody waits long for one answer. */
const leaseTimeoutMs = 10_000

/** The leases of each user's cloud; null where there is none. The demo copies on this computer's own stand-in: nobody else reaches it. */
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
