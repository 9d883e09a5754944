import { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { callCheck } from '#shared/plans/call-check.ts'
import { applicationCheck, type Asked } from '#shared/plans/checks.ts'
import { momentMs } from '#shared/plans/moment-ms.ts'
import type { Requirement } from '#shared/plans/plan.ts'
import { defaultSubscription, runOut, effectiveAt, type ProviderDetails, type Subscription } from '#shared/plans/subscription.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiFailure, callApi } from './api.ts'
import { logFailure } from './log-failure.ts'
import { worthRetry } from './query-client.ts'

const { getSubscription, createSubscription, saveSubscription, payments } = subscriptionRoutes
const hourMs = 3_600_000

/** What a user has paid for and may do, from the server's last answer; `details` are the payment provider's, null where they could not be had. */
export type Standing = AnswerOf<typeof getSubscription> & { readonly details: ProviderDetails | null }

/**
 * Reads a user's standing at `now` (UTC ms). Where there is no subscription the default one is made, and where one has
 * run out by the cloud's clock the server is informed; details that cannot be had are only logged.
 */
export const takeStanding = async (userId: string, calls: StandingCalls, now: number): Promise<Standing> => {
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
  // What is saved costs a plan: a clock of this computer that is ahead must not end one.
  const saysWhen = answer.verifiedAt === null ? now : momentMs(answer.verifiedAt)
  if (kept?.hasSubscription !== true || effectiveAt(kept, details, saysWhen).hasSubscription === true) return { ...answer, details }
  const ended = { ...kept, ...runOut }
  await calls.save(ended)
  return { ...answer, subscription: ended, details }
}

const askedOf = (subscription: Subscription | null): Asked => (subscription === null ? { kind: 'missing' } : { kind: 'found', subscription })

const logged = (failure: unknown): null => {
  logFailure('get-subscription-details', failure)
  return null
}

/** Whether a page that wants a plan is open to a signed-in user at `now` (UTC ms), by the same checks as its calls. */
export const isOpen = ({ subscription, details, role }: Standing, requirement: Requirement, now: number): boolean =>
  callCheck({ role, asked: askedOf(subscription), details, requirement, now }) === 'open'

/** In how many ms to ask again: every hour, and as soon as a plan ends that is to end with its period. */
export const nextCheckMs = (standing: Standing | undefined, now: number): number => {
  const { cancelAtPeriodEnd, hasSubscription, currentPeriodEnd } = standing?.subscription ?? {}
  if (cancelAtPeriodEnd !== true || hasSubscription !== true || currentPeriodEnd === undefined) return hourMs
  // A second later, so that a clock that runs a little behind has passed it too.
  const ms = momentMs(currentPeriodEnd) + 1_000 - now
  return ms > 0 ? Math.min(ms, hourMs) : hourMs
}

/** The calls that make up a standing; each throws on failure, with the text that the product shows for it. */
export type StandingCalls = ReturnType<typeof callsOf>

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

/** The reading of a user's standing, which is also the application check's; its key begins with the path of the subscription. */
export const standingQuery = (userId: string) =>
  queryOptions<Standing>({
    queryKey: [getSubscription.path, { userId }],
    queryFn: () => takeStanding(userId, callsOf(userId), Date.now()),
    // The page offers another try; only a program that does not answer is tried again by itself.
    retry: (failures, error) => error instanceof ApiFailure && error.status === 0 && worthRetry(failures, error),
    refetchInterval: ({ state }) => nextCheckMs(state.data, Date.now()),
    refetchIntervalInBackground: true,
  })
