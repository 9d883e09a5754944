import { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { callCheck } from '#shared/plans/call-check.ts'
import { applicationCheck, type SubscriptionAnswer } from '#shared/plans/checks.ts'
import { momentMs } from '#shared/plans/moment-ms.ts'
import type { Requirement } from '#shared/plans/plan.ts'
import { defaultSubscription, runOut, effectiveAt, type ProviderDetails, type Subscription } from '#shared/plans/subscription.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiFailure, callApi } from './api.ts'
import { logFailure } from './log-failure.ts'
import { worthRetry } from './query-client.ts'

const { getSubscription, createSubscription, saveSubscription, payments } = subscriptionRoutes
const hourMs = 3_600_000

/** A user's subscription and rights, from the server's last answer; `details` are the payment provider's, null if unavailable. */
export type Entitlement = AnswerOf<typeof getSubscription> & { readonly details: ProviderDetails | null }

/**
 * Fetches a user's standing at `now` (UTC ms). Creates the default subscription if there is none, and informs the
 * server if one has expired by the cloud's clock; unavailable details are only logged.
 */
export const fetchEntitlement = async (userId: string, calls: EntitlementCalls, now: number): Promise<Entitlement> => {
  const answer = await calls.read()
  const verdict = applicationCheck({ signedIn: true, role: answer.role, asked: askedOf(answer.subscription) })
  if (verdict.granted && verdict.create) {
    const subscription = defaultSubscription(userId, new Date(now).toISOString())
    await calls.create(subscription)
    return { ...answer, subscription, details: null }
  }
  const kept = answer.subscription
  const customer = kept?.stripeCustomerId
  const details = customer === undefined ? null : await calls.details(customer).catch(logged)
  // Saving this ends a plan: a local clock that is ahead must not cause it.
  const saysWhen = answer.verifiedAt === null ? now : momentMs(answer.verifiedAt)
  if (kept?.hasSubscription !== true || effectiveAt(kept, details, saysWhen).hasSubscription === true) return { ...answer, details }
  const ended = { ...kept, ...runOut }
  await calls.save(ended)
  return { ...answer, subscription: ended, details }
}

const askedOf = (subscription: Subscription | null): SubscriptionAnswer => (subscription === null ? { kind: 'missing' } : { kind: 'found', subscription })

const logged = (failure: unknown): null => {
  logFailure('get-subscription-details', failure)
  return null
}

/** Whether a page that needs a plan is open to a signed-in user at `now` (UTC ms), by the same checks as its calls. */
export const isOpen = ({ subscription, details, role }: Entitlement, requirement: Requirement, now: number): boolean =>
  callCheck({ role, asked: askedOf(subscription), details, requirement, now }) === 'open'

/** When to check again, in ms: every hour, and as soon as a plan ends that ends with its period. */
export const nextCheckMs = (entitlement: Entitlement | undefined, now: number): number => {
  const { cancelAtPeriodEnd, hasSubscription, currentPeriodEnd } = entitlement?.subscription ?? {}
  if (cancelAtPeriodEnd !== true || hasSubscription !== true || currentPeriodEnd === undefined) return hourMs
  // One second later, so that a clock that is slightly behind has passed it too.
  const ms = momentMs(currentPeriodEnd) + 1_000 - now
  return ms > 0 ? Math.min(ms, hourMs) : hourMs
}

/** The calls of a standing; each throws on failure, with the product's text. */
export type EntitlementCalls = ReturnType<typeof callsOf>

const callsOf = (userId: string) => ({
  read: (): Promise<AnswerOf<typeof getSubscription>> => callApi(getSubscription, { query: { userId } }),
  create: (subscription: Subscription): Promise<unknown> => callApi(createSubscription, { body: { userId, subscription } }),
  save: (subscription: Subscription): Promise<unknown> => callApi(saveSubscription, { body: { userId, subscription } }),
  details: async (stripeCustomerId: string): Promise<ProviderDetails> => {
    const answer = await callApi(payments, { body: { action: 'get-subscription-details', stripeCustomerId } })
    if (!('subscription' in answer)) throw new Error('The answer holds no details')
    return answer.subscription
  },
})

/** The query of a user's standing, shared with the application check; its key begins with the path of the subscription. */
export const standingQuery = (userId: string) =>
  queryOptions<Entitlement>({
    queryKey: [getSubscription.path, { userId }],
    queryFn: () => fetchEntitlement(userId, callsOf(userId), Date.now()),
    // The page offers a retry; automatic retries are only for a program that does not answer.
    retry: (failures, error) => error instanceof ApiFailure && error.status === 0 && worthRetry(failures, error),
    refetchInterval: ({ state }) => nextCheckMs(state.data, Date.now()),
    refetchIntervalInBackground: true,
  })
