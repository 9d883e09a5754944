import { applicationCheck, pageCheck, type Asked, type Role } from './checks.ts'
import type { Requirement } from './plan.ts'
import type { ProviderDetails } from './subscription.ts'

/** Whether a call that wants a plan is open; `unknown` where nobody could be asked what the user may. */
export type CallVerdict = 'open' | 'plan-needed' | 'unknown'

/** Both checks of a signed-in user's call, in the order in which the screen makes them: the application check, then that of the page. `now` is UTC ms. */
export const callCheck = (given: { readonly role: Role; readonly asked: Asked; readonly details: ProviderDetails | null; readonly requirement: Requirement; readonly now: number }): CallVerdict => {
  const { role, asked, details, requirement, now } = given
  const application = applicationCheck({ signedIn: true, role, asked })
  if (!application.granted) return application.because === 'failed' ? 'unknown' : 'plan-needed'
  const subscription = asked.kind === 'found' ? asked.subscription : null
  return pageCheck({ signedIn: true, role, requirement, subscription, details, now }).granted ? 'open' : 'plan-needed'
}
