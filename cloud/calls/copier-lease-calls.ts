import type { Handlers } from '#backend/http/mount.ts'
import type { copierLeaseRoutes } from '#shared/api/copier-lease.ts'
import { ok } from '#shared/base/result.ts'
import type { Role } from '#shared/plans/checks.ts'
import { copyAccounts } from '#shared/plans/copy-accounts.ts'
import type { CopierLeases } from '../store/copier-leases.ts'
import type { Subscriptions } from '../store/subscriptions.ts'
import type { CloudCaller } from './cloud-calls.ts'

/** Dependencies of leases; `now` returns UTC ms. */
export type LeaseParts = { readonly leases: CopierLeases; readonly subscriptions: Subscriptions; readonly roleOf: (userId: string) => Role; readonly now: () => number }

/** Handlers of the copier's lease calls, by the caller's saved subscription. */
export const copierLeaseCalls = ({ leases, subscriptions, roleOf, now }: LeaseParts): Handlers<typeof copierLeaseRoutes, CloudCaller, CloudCaller> => ({
  leaseCopier: async ({ caller: { userId }, body: { machine, accounts, seconds } }) => {
    const kept = await subscriptions.get(userId)
    const limit = copyAccounts({ role: roleOf(userId), asked: kept === null ? { kind: 'missing' } : { kind: 'found', subscription: kept }, details: null, now: now() })
    return ok(limit === 0 ? { outcome: 'plan-needed' } : await leases.take(userId, { machine, accounts, seconds, limit }))
  },
  // Releasing works without a plan too.
  releaseCopier: async ({ caller: { userId }, body: { machine, accounts } }) => {
    await leases.release(userId, { machine, accounts })
    return ok({ success: true })
  },
})
