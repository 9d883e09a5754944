import { callCheck } from './call-check.ts'
import type { SubscriptionAnswer, Role } from './checks.ts'
import { holdingPlan } from './offer.ts'
import { plans } from './plan.ts'
import type { ProviderDetails } from './subscription.ts'

/** How many accounts a user may copy to over all groups, at `now` (UTC ms); 0 if the plan has no copier, the largest plan's number for the admin. */
export const copyAccounts = (given: { readonly role: Role; readonly asked: SubscriptionAnswer; readonly details: ProviderDetails | null; readonly now: number }): number => {
  const { role, asked, details, now } = given
  if (callCheck({ ...given, requirement: 'tradecopier' }) !== 'open') return 0
  const plan = role.admin ? 'tradecopier-enterprise' : holdingPlan(asked.kind === 'found' ? asked.subscription : null, details, now)
  return plan === null ? 0 : plans[plan].copyAccounts
}
