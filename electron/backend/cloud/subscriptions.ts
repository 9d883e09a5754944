import type { z } from 'zod'
import { subscriptionRoutes, type paymentBody } from '#shared/api/subscription.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { Role } from '#shared/plans/checks.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import type { CloudClient } from './client.ts'
import type { CloudFailure } from './failure.ts'

/** A user's rights in the cloud. `verifiedAt` is UTC ms by the cloud's clock; null if it sent none. */
export type CloudRights = { readonly subscription: Subscription | null; readonly role: Role; readonly verifiedAt: number | null }

/** A payment call. Its user id is replaced by the user's id in the cloud. */
export type Payment = z.output<typeof paymentBody>
export type PaymentAnswer = z.output<(typeof subscriptionRoutes)['payments']['answer']>

const { getSubscription, createSubscription, saveSubscription, payments } = subscriptionRoutes

/** The cloud's subscription calls for one user. */
export type CloudSubscriptions = ReturnType<typeof createCloudSubscriptions>

export const createCloudSubscriptions = (client: CloudClient) => {
  const write = async (route: typeof createSubscription | typeof saveSubscription, subscription: Subscription): Promise<Result<null, CloudFailure>> => {
    const user = await client.user()
    if (!user.ok) return user
    const answer = await client.call(route, { body: { userId: user.value, subscription: { ...subscription, userId: user.value } } })
    return answer.ok ? ok(null) : answer
  }

  const pay = async (payment: Payment, signal?: AbortSignal): Promise<Result<PaymentAnswer, CloudFailure>> => {
    const user = await client.user(signal)
    if (!user.ok) return user
    return client.call(payments, { body: 'userId' in payment ? { ...payment, userId: user.value } : payment, signal })
  }

  return {
    get: async (signal?: AbortSignal): Promise<Result<CloudRights, CloudFailure>> => {
      const user = await client.user(signal)
      if (!user.ok) return user
      const answer = await client.call(getSubscription, { query: { userId: user.value }, signal })
      if (!answer.ok) return answer
      const { subscription, role, verifiedAt } = answer.value
      return ok({ subscription, role, verifiedAt: verifiedAt === null ? null : Date.parse(verifiedAt) })
    },
    /** The payment provider's details of a customer. */
    details: async (stripeCustomerId: string, signal?: AbortSignal): Promise<Result<ProviderDetails, CloudFailure>> => {
      const answer = await pay({ action: 'get-subscription-details', stripeCustomerId }, signal)
      if (!answer.ok) return answer
      return 'subscription' in answer.value ? ok(answer.value.subscription) : { ok: false, error: { kind: 'unreachable', cause: 'unreadable-answer', status: 200 } }
    },
    create: (subscription: Subscription): Promise<Result<null, CloudFailure>> => write(createSubscription, subscription),
    save: (subscription: Subscription): Promise<Result<null, CloudFailure>> => write(saveSubscription, subscription),
    pay,
  }
}
