import { applicationCheck, pageCheck, type SubscriptionAnswer, type Role } from './checks.ts'
import type { Requirement } from './plan.ts'
import type { ProviderDetails } from './subscription.ts'

/** Whether a call that needs a plan is allowed; `unknown` if the user's rights could not be fetched. */
export type CallVerdict = 'open' | 'plan-needed' | 'unknown'

/** Both checks of a signed-in user's call, in the order of the screens: the application check, then the page check. `now` is UTC ms. */
export const callCheck = (given: { readonly role: Role; readonly asked: SubscriptionAnswer; readonly details: ProviderDetails | null; readonly requirement: Requirement; readonly now: number }): CallVerdict => {
  const { role, asked, details, requirement, now } = given
  const application = applicationCheck({ signedIn: true, role, asked })
  if (!application.granted) return application.because === 'failed' ? 'unknown' : 'plan-needed'
  const subscription = asked.kind === 'found' ? asked.subscription : null
  return pageCheck({ signedIn: true, role, requirement, subscription, details, now }).granted ? 'open' : 'plan-needed'
}
