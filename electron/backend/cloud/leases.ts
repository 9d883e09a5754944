import { copierLeaseRoutes, type LeaseAnswer } from '#shared/api/copier-lease.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudClient } from './client.ts'
import type { CloudFailure } from './failure.ts'

/** What this computer copies to. */
export type Leased = { readonly machine: string; readonly accounts: readonly string[] }

/** The cloud's leases of the trade copier, as one of its users has them. */
export type CloudLeases = {
  /** Takes a lease for so many seconds, or prolongs it. */
  readonly take: (wish: Leased & { readonly seconds: number }) => Promise<Result<LeaseAnswer, CloudFailure>>
  readonly release: (given: Leased) => Promise<Result<null, CloudFailure>>
}

const { leaseCopier, releaseCopier } = copierLeaseRoutes

/** The lease calls over a client. */
export const createCloudLeases = (client: CloudClient): CloudLeases => ({
  take: async ({ machine, accounts, seconds }) => {
    const user = await client.user()
    if (!user.ok) return user
    const answer = await client.call(leaseCopier, { body: { userId: user.value, machine, accounts: [...accounts], seconds } })
    return answer.ok ? ok(answer.value) : answer
  },
  release: async ({ machine, accounts }) => {
    const user = await client.user()
    if (!user.ok) return user
    const answer = await client.call(releaseCopier, { body: { userId: user.value, machine, accounts: [...accounts] } })
    return answer.ok ? ok(null) : answer
  },
})
