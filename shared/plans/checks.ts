import { fits, type Requirement } from './plan.ts'
import { effectiveAt, type ProviderDetails, type Subscription } from './subscription.ts'

/** A user's rights beyond any plan: `admin` passes the subscription checks; `subscriber` is the user who can buy. */
export type Role = { readonly admin: boolean; readonly subscriber: boolean }

/** The role of everyone else. */
export const noRole: Role = { admin: false, subscriber: false }

/** The result of fetching a user's subscription; `failed` has the text to show. */
export type SubscriptionAnswer = { readonly kind: 'found'; readonly subscription: Subscription } | { readonly kind: 'missing' } | { readonly kind: 'failed'; readonly message: string }

/** Whether the application opens; `create`: create the default subscription. */
export type ApplicationVerdict = { readonly granted: true; readonly create: boolean } | { readonly granted: false; readonly because: 'no-user' | 'not-active' | 'failed'; readonly message: string | null }

/** The application check, made when the current user changes: 'active' grants, none grants and asks for the default one, anything else denies. */
export const applicationCheck = ({ signedIn, role, asked }: { readonly signedIn: boolean; readonly role: Role; readonly asked: SubscriptionAnswer }): ApplicationVerdict => {
  if (!signedIn) return { granted: false, because: 'no-user', message: null }
  if (asked.kind === 'missing') return { granted: true, create: true }
  if (role.admin) return { granted: true, create: false }
  if (asked.kind === 'failed') return { granted: false, because: 'failed', message: asked.message }
  return asked.subscription.status === 'active' ? { granted: true, create: false } : { granted: false, because: 'not-active', message: null }
}

/** Whether a page or a call is open; `plan-needed` shows the modal. */
export type PageVerdict = { readonly granted: true } | { readonly granted: false; readonly because: 'no-user' | 'plan-needed' }

/** The inputs of the page check; `details` are the payment provider's, null if unavailable; `now` is UTC ms. */
export type PageCheck = {
  readonly signedIn: boolean
  readonly role: Role
  /** Null for a page without a plan. */
  readonly requirement: Requirement | null
  readonly subscription: Subscription | null
  readonly details: ProviderDetails | null
  readonly now: number
}

/** The page check: the subscription must be active, complete and paid, and its plan must fit. Anything missing denies. */
export const pageCheck = ({ signedIn, role, requirement, subscription, details, now }: PageCheck): PageVerdict => {
  if (!signedIn) return { granted: false, because: 'no-user' }
  if (requirement === null || role.admin) return { granted: true }
  if (subscription === null) return { granted: false, because: 'plan-needed' }
  const { hasSubscription, subscriptionStatus, paymentStatus, subscriptionType } = effectiveAt(subscription, details, now)
  const holds = hasSubscription === true && subscriptionStatus === 'complete' && paymentStatus === 'paid'
  return holds && subscriptionType !== undefined && fits(subscriptionType, requirement) ? { granted: true } : { granted: false, because: 'plan-needed' }
}
