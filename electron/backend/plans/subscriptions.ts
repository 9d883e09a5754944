import type { AnswerOf, BodyOf } from '#shared/api/route.ts'
import type { subscriptionRoutes } from '#shared/api/subscription.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Subscription } from '#shared/plans/subscription.ts'
import { createdByUser, type SubscriptionField } from '#shared/plans/user-changes.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { PaymentReturns } from './payment-returns.ts'
import { refuse, type Refused } from '../refused.ts'
import type { Standing, Standings } from './standings.ts'

type Routes = typeof subscriptionRoutes
type Payment = BodyOf<Routes['payments']>

/** What subscriptions work with: `origin` is this program's address, `now` UTC ms. */
type Deps = { readonly standings: Standings; readonly returns: Pick<PaymentReturns, 'begin'>; readonly origin: () => string; readonly now: () => number }

/** Subscription and payment, as this computer answers them: the cloud's word where there is a cloud. */
export type Subscriptions = ReturnType<typeof createSubscriptions>

export const createSubscriptions = ({ standings, returns, origin, now }: Deps) => ({
  /** What the cloud says, or said last where it cannot be reached. */
  get: async (userId: string): Promise<Result<AnswerOf<Routes['getSubscription']>, Refused>> => {
    const asked = await standings.ask(userId)
    // Without a code it was not the cloud that said no, but something on the way to it.
    if (!asked.ok && asked.error.kind === 'refused' && asked.error.code !== null) return refusalOf(asked.error)
    const standing = asked.ok ? asked.value : await standings.known(userId)
    return standing === null ? refuse('cloud-unreachable') : ok(answerOf(userId, standing))
  },
  /** Creates the default subscription; one that is there stays as it is. */
  create: async (userId: string, given: Subscription): Promise<Result<null, Refused>> => {
    const first = createdByUser(userId, given, isoMoment(now()))
    if (!first.ok) return readOnly(first.error)
    const cloud = await standings.cloudOf(userId)
    if (cloud !== null) return forwarded(await cloud.create(given))
    await standings.keepFirst(userId, first.value)
    return ok(null)
  },
  /** Lowers rights. While the cloud is away they are lowered here, and it finds the same by itself. */
  save: async (userId: string, given: Subscription): Promise<Result<null, Refused>> => {
    const cloud = await standings.cloudOf(userId)
    const told = cloud === null ? null : await cloud.save(given)
    if (told !== null && !told.ok && told.error.kind === 'refused') return refusalOf(told.error)
    const lowered = await standings.lower(userId, given)
    if (told?.ok === true) return ok(null)
    if (lowered === null) return refuse(told === null ? 'not-found' : 'cloud-unreachable')
    return lowered.ok ? lowered : readOnly(lowered.error)
  },
  /** Forwards a payment call; what it leads to comes back to this program's own address. */
  pay: async (userId: string, payment: Payment): Promise<Result<AnswerOf<Routes['payments']>, Refused>> => {
    const cloud = await standings.cloudOf(userId)
    if (cloud === null) return refuse('payments-not-configured')
    const answer = await cloud.pay(comingBack(payment, (path) => `${origin()}${path}?visit=${returns.begin(userId)}`))
    if (!answer.ok) {
      const kept = payment.action === 'get-subscription-details' ? await keptDetails(standings, userId, payment.stripeCustomerId) : null
      return kept !== null && answer.error.kind !== 'refused' ? ok({ success: true, subscription: kept }) : refusalOf(answer.error)
    }
    if ('subscription' in answer.value) await standings.keepDetails(userId, answer.value.subscription)
    // What was just paid opens at once.
    if (payment.action === 'check-subscription') await standings.ask(userId, { details: true })
    return answer
  },
})

/** The payment provider's latest details of the user's own subscription. */
const keptDetails = async ({ known }: Standings, userId: string, customer: string): Promise<Standing['details']> => {
  const standing = await known(userId)
  return standing?.subscription?.stripeCustomerId === customer ? standing.details : null
}

/** Whatever the page asked for: a checkout leads back to where it was begun. */
const comingBack = (payment: Payment, returnTo: (path: string) => string): Payment => {
  switch (payment.action) {
    case 'create-checkout-session':
      return { ...payment, returnTo: returnTo('/checkout/return') }
    case 'create-portal-session':
      return { ...payment, returnTo: returnTo('/portal/return') }
    default:
      return payment
  }
}

const answerOf = (userId: string, { subscription, role, verifiedAt }: Standing): AnswerOf<Routes['getSubscription']> => ({
  // Whoever the user is in the cloud: here it is the profile.
  subscription: subscription === null ? null : { ...subscription, userId },
  role,
  verifiedAt: verifiedAt === null ? null : isoMoment(verifiedAt),
})

const isoMoment = (time: number): string => new Date(time).toISOString()

const readOnly = (names: readonly SubscriptionField[]): ReturnType<typeof refuse> => refuse('read-only-field', { fields: names.map((name) => ({ path: `subscription.${name}`, message: 'written by payments only' })) })

const forwarded = (answer: Result<null, CloudFailure>): Result<null, Refused> => (answer.ok ? answer : refusalOf(answer.error))

/** What a refusal of the cloud means to the page, which does not see how this program talks to it. */
const refusalOf = (failure: CloudFailure): ReturnType<typeof refuse> => {
  if (failure.kind === 'refused') return refuse(failure.code === null || failure.code === 'invalid-request' ? 'internal' : failure.code)
  if (failure.kind === 'aborted' || (failure.code !== 'payments-unreachable' && failure.code !== 'too-many-calls')) return refuse('cloud-unreachable')
  return refuse(failure.code, failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs })
}
