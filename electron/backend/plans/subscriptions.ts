import { refuse, type Refused } from '#shared/api/refused.ts'
import type { AnswerOf, BodyOf } from '#shared/api/route.ts'
import type { subscriptionRoutes } from '#shared/api/subscription.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Subscription } from '#shared/plans/subscription.ts'
import { createdByUser, refusePaymentFields } from '#shared/plans/user-changes.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { PaymentReturns } from './payment-returns.ts'
import type { Entitlement, Entitlements } from './entitlements.ts'

type Routes = typeof subscriptionRoutes
type Payment = BodyOf<Routes['payments']>

/** Dependencies of subscriptions: `origin` is this program's URL, `now` UTC ms. */
type Deps = { readonly entitlements: Entitlements; readonly returns: Pick<PaymentReturns, 'begin'>; readonly origin: () => string; readonly now: () => number }

/** Subscription and payment calls as this computer answers them: with the cloud's answer if there is a cloud. */
export type Subscriptions = ReturnType<typeof createSubscriptions>

export const createSubscriptions = ({ entitlements, returns, origin, now }: Deps) => ({
  /** The cloud's answer, or its last one if it is unreachable. */
  get: async (userId: string): Promise<Result<AnswerOf<Routes['getSubscription']>, Refused>> => {
    const asked = await entitlements.ask(userId)
    // A refusal without a code is not from the cloud, but from something on the way to it.
    if (!asked.ok && asked.error.kind === 'refused' && asked.error.code !== null) return refusalOf(asked.error)
    const entitlement = asked.ok ? asked.value : await entitlements.known(userId)
    return entitlement === null ? refuse('cloud-unreachable') : ok(answerOf(userId, entitlement))
  },
  /** Creates the default subscription; an existing one stays unchanged. */
  create: async (userId: string, given: Subscription): Promise<Result<null, Refused>> => {
    const first = createdByUser(userId, given, isoMoment(now()))
    if (!first.ok) return refusePaymentFields(first.error)
    const cloud = await entitlements.cloudOf(userId)
    if (cloud !== null) return forwarded(await cloud.create(given))
    await entitlements.keepFirst(userId, first.value)
    return ok(null)
  },
  /** Lowers rights. While the cloud is unreachable they are lowered here, and the cloud finds the same on its own. */
  save: async (userId: string, given: Subscription): Promise<Result<null, Refused>> => {
    const cloud = await entitlements.cloudOf(userId)
    const saved = cloud === null ? null : await cloud.save(given)
    if (saved !== null && !saved.ok && saved.error.kind === 'refused') return refusalOf(saved.error)
    const lowered = await entitlements.lower(userId, given)
    if (saved?.ok === true) return ok(null)
    if (lowered === null) return refuse(saved === null ? 'not-found' : 'cloud-unreachable')
    return lowered.ok ? lowered : refusePaymentFields(lowered.error)
  },
  /** Forwards a payment call; the provider redirects back to this program's own URL. */
  pay: async (userId: string, payment: Payment): Promise<Result<AnswerOf<Routes['payments']>, Refused>> => {
    const cloud = await entitlements.cloudOf(userId)
    if (cloud === null) return refuse('payments-not-configured')
    const answer = await cloud.pay(comingBack(payment, (path) => `${origin()}${path}?visit=${returns.begin(userId)}`))
    if (!answer.ok) {
      const kept = payment.action === 'get-subscription-details' ? await keptDetails(entitlements, userId, payment.stripeCustomerId) : null
      return kept !== null && answer.error.kind !== 'refused' ? ok({ success: true, subscription: kept }) : refusalOf(answer.error)
    }
    if ('subscription' in answer.value) await entitlements.keepDetails(userId, answer.value.subscription)
    // A payment opens its pages at once.
    if (payment.action === 'check-subscription') await entitlements.ask(userId, { details: true })
    return answer
  },
})

/** The payment provider's last details of the user's own subscription. */
const keptDetails = async ({ known }: Entitlements, userId: string, customer: string): Promise<Entitlement['details']> => {
  const entitlement = await known(userId)
  return entitlement?.subscription?.stripeCustomerId === customer ? entitlement.details : null
}

/** A checkout always returns to where it began, whatever the page requested. */
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

const answerOf = (userId: string, { subscription, role, verifiedAt }: Entitlement): AnswerOf<Routes['getSubscription']> => ({
  // Whatever the user's id in the cloud: here it is the profile's.
  subscription: subscription === null ? null : { ...subscription, userId },
  role,
  verifiedAt: verifiedAt === null ? null : isoMoment(verifiedAt),
})

const isoMoment = (time: number): string => new Date(time).toISOString()

const forwarded = (answer: Result<null, CloudFailure>): Result<null, Refused> => (answer.ok ? answer : refusalOf(answer.error))

/** The page's reason for a cloud failure; the page learns no details of the connection to the cloud. */
const refusalOf = (failure: CloudFailure): ReturnType<typeof refuse> => {
  if (failure.kind === 'refused') return refuse(failure.code === null || failure.code === 'invalid-request' ? 'internal' : failure.code)
  if (failure.kind === 'aborted' || (failure.code !== 'payments-unreachable' && failure.code !== 'too-many-calls')) return refuse('cloud-unreachable')
  return refuse(failure.code, failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs })
}
