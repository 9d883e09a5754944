import { copierLeaseRoutes, type LeaseAnswer } from '#shared/api/copier-lease.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudClient } from './client.ts'
import type { CloudFailure } from './failure.ts'

/** This computer and the accounts that it copies to. */
export type LeaseScope = { readonly machine: string; readonly accounts: readonly string[] }

const { leaseCopier, releaseCopier } = copierLeaseRoutes

/** One user's copier leases in the cloud. */
export type CloudLeases = ReturnType<typeof createCloudLeases>

export const createCloudLeases = (client: CloudClient) => ({
  /** Takes or renews a lease for `seconds`. */
  take: async ({ machine, accounts, seconds }: LeaseScope & { readonly seconds: number }): Promise<Result<LeaseAnswer, CloudFailure>> => {
    const user = await client.user()
    if (!user.ok) return user
    const answer = await client.call(leaseCopier, { body: { userId: user.value, machine, accounts: [...accounts], seconds } })
    return answer.ok ? ok(answer.value) : answer
  },
  release: async ({ machine, accounts }: LeaseScope): Promise<Result<null, CloudFailure>> => {
    const user = await client.user()
    if (!user.ok) return user
    const answer = await client.call(releaseCopier, { body: { userId: user.value, machine, accounts: [...accounts] } })
    return answer.ok ? ok(null) : answer
  },
})
