import { copierLeaseRoutes, type LeaseAnswer } from '#shared/api/copier-lease.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudClient } from './client.ts'
import type { CloudFailure } from './failure.ts'

/** This computer and the accounts that it copies to. */
export type LeaseScope = { readonly machine: string; readonly accounts: readonly string[] }

/** One user's copier leases in the cloud. */
export type CloudLeases = {
  /** Takes or renews a lease for `seconds`. */
  readonly take: (request: LeaseScope & { readonly seconds: number }) => Promise<Result<LeaseAnswer, CloudFailure>>
  readonly release: (scope: LeaseScope) => Promise<Result<null, CloudFailure>>
}

const { leaseCopier, releaseCopier } = copierLeaseRoutes

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
