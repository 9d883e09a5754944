import type { Handlers } from '#backend/http/mount.ts'
import type { deleteCloudAccount, whoAmI } from '#shared/api/cloud.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { closeCheckouts } from '../payments/checkout.ts'
import type { PaymentService } from '../payments/service.ts'
import { asked, isMissing } from '../payments/stripe-client.ts'
import type { Accounts } from '../store/accounts.ts'
import { AccountDeleted } from '../store/owner.ts'
import type { Subscription } from '../store/schema.ts'
import type { CloudCaller } from './cloud-calls.ts'

/** Dependencies of the account calls; `payments` is null if nothing is sold. */
export type AccountDeps = { readonly accounts: Accounts; readonly payments: PaymentService | null }
type AccountRoutes = { readonly whoAmI: typeof whoAmI; readonly deleteCloudAccount: typeof deleteCloudAccount }

/** Whether a saved subscription keeps being charged unless canceled. */
const isCharged = ({ hasSubscription, active, cancelAtPeriodEnd }: Subscription): boolean => (hasSubscription === true || active === true) && cancelAtPeriodEnd !== true

// The user's program may have lowered the saved rights: only the provider knows whether money still flows.
const checkAtProvider = async (service: PaymentService, userId: string): Promise<Result<null, Refused>> => {
  const customers = await service.customersOf(userId)
  if (customers.length === 0) return ok(null)
  const charged = await asked(service.log, async () => {
    // First: an open checkout must not be paid by a deleted user.
    for (const customer of customers) await closeOpen(service.stripe, customer)
    return service.isCharged(userId, customers)
  })
  if (!charged.ok) return charged
  return charged.value ? refuse('subscription-runs') : ok(null)
}

const closeOpen = async (stripe: PaymentService['stripe'], customer: string): Promise<void> => {
  try {
    await closeCheckouts(stripe, customer)
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error
  }
}

const erase = async ({ accounts, payments }: AccountDeps, userId: string): Promise<Result<null, Refused>> => {
  const checked = payments === null ? ok(null) : await checkAtProvider(payments, userId)
  return checked.ok ? accounts.erase(userId, (kept): Result<null, Refused> => (kept !== null && isCharged(kept) ? err({ code: 'subscription-runs' }) : ok(null))) : checked
}

/** Handlers of the account calls. */
export const accountCalls = (deps: AccountDeps): Handlers<AccountRoutes, CloudCaller, CloudCaller> => ({
  whoAmI: ({ caller: { userId } }) => Promise.resolve(ok({ userId })),
  deleteCloudAccount: async ({ caller: { userId } }) => {
    try {
      const erased = await erase(deps, userId)
      return erased.ok ? ok({ success: true }) : erased
    } catch (error) {
      // Already done, by a call whose answer was lost.
      if (error instanceof AccountDeleted) return ok({ success: true })
      throw error
    }
  },
})
