import { refuse } from '#shared/api/refused.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { Subscription } from './subscription.ts'

/** A field of a subscription. */
export type SubscriptionField = keyof Subscription

const fieldsOf = (given: Subscription): SubscriptionField[] => (Object.keys(given) as SubscriptionField[]).filter((name) => given[name] !== undefined && name !== 'userId')

const ofDefault: readonly SubscriptionField[] = ['status', 'firstPaymentDate', 'cancelAtPeriodEnd']

/** The default subscription as a user's program may create it; rejected if it has fields that only payments write. `at` is ISO 8601. */
export const createdByUser = (userId: string, given: Subscription, at: string): Result<Subscription, SubscriptionField[]> => {
  const more = fieldsOf(given).filter((name) => !ofDefault.includes(name) || (name === 'status' && given.status !== 'active'))
  if (more.length > 0) return err(more)
  const { firstPaymentDate = at, cancelAtPeriodEnd = false } = given
  return ok({ userId, status: 'active', firstPaymentDate, cancelAtPeriodEnd })
}

/** Whether a field may change to the given value. Only payments raise a right; a user's program may only say that it ended. */
const lowers = (kept: Subscription, given: Subscription, name: SubscriptionField): boolean => {
  switch (name) {
    case 'hasSubscription':
      return given.hasSubscription === false
    case 'subscriptionStatus':
      return given.subscriptionStatus === 'expired'
    case 'cancelAtPeriodEnd':
      // A canceled subscription lasts until its period ends if this is set: there it would raise a right.
      return given.cancelAtPeriodEnd === true && kept.status !== 'canceled'
    default:
      return false
  }
}

/** A subscription after the user's program lowered its rights; rejected if a field would raise them. Fields that payments write may be included unchanged. */
export const loweredByUser = (kept: Subscription, given: Subscription): Result<Subscription, SubscriptionField[]> => {
  const changed = fieldsOf(given).filter((name) => given[name] !== kept[name])
  const raised = changed.filter((name) => !lowers(kept, given, name))
  return raised.length > 0 ? err(raised) : ok({ ...kept, ...Object.fromEntries(changed.map((name) => [name, given[name]])) })
}

/** The outcome of a call with subscription fields that only payments write. */
export const refusePaymentFields = (names: readonly SubscriptionField[]): ReturnType<typeof refuse> =>
  refuse('read-only-field', { fields: names.map((name) => ({ path: `subscription.${name}`, message: 'written by payments only' })) })
