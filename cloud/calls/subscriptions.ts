import { err, ok, type Result } from '#shared/base/result.ts'
import type { Subscription, Subscriptions } from '../store/subscriptions.ts'
import { refuse, type Refused } from './refused.ts'

type Field = keyof Subscription

const readOnly = (names: readonly Field[]): ReturnType<typeof refuse> => refuse('read-only-field', { fields: names.map((name) => ({ path: `subscription.${name}`, message: 'written by payments only' })) })

const said = (given: Subscription): Field[] => (Object.keys(given) as Field[]).filter((name) => given[name] !== undefined && name !== 'userId')

const ofDefault: readonly Field[] = ['status', 'firstPaymentDate', 'cancelAtPeriodEnd']

/** Creates the default subscription, which opens no paid page; one that is there stays as it is. `now` is UTC ms. */
export const createDefault = async (subscriptions: Subscriptions, userId: string, given: Subscription, now: number): Promise<Result<null, Refused>> => {
  const more = said(given).filter((name) => !ofDefault.includes(name) || (name === 'status' && given.status !== 'active'))
  if (more.length > 0) return readOnly(more)
  const { firstPaymentDate = new Date(now).toISOString(), cancelAtPeriodEnd = false } = given
  await subscriptions.create(userId, { userId, status: 'active', firstPaymentDate, cancelAtPeriodEnd })
  return ok(null)
}

/** Whether a field may become what was given. Only payments raise a right; a user's program may only say that it ended. */
const lowers = (kept: Subscription, given: Subscription, name: Field): boolean => {
  switch (name) {
    case 'hasSubscription':
      return given.hasSubscription === false
    case 'subscriptionStatus':
      return given.subscriptionStatus === 'expired'
    case 'cancelAtPeriodEnd':
      // A canceled one lives on until its period ends where this is set: there it would raise.
      return given.cancelAtPeriodEnd === true && kept.status !== 'canceled'
    default:
      return false
  }
}

/** Lowers the rights of a subscription; the fields that payments write may come along only as they are. */
export const lowerRights = async (subscriptions: Subscriptions, userId: string, given: Subscription): Promise<Result<Subscription, Refused>> => {
  const saved = await subscriptions.change(userId, (kept) => {
    const changed = said(given).filter((name) => given[name] !== kept[name])
    const raised = changed.filter((name) => !lowers(kept, given, name))
    return raised.length > 0 ? err(raised) : ok({ ...kept, ...Object.fromEntries(changed.map((name) => [name, given[name]])) })
  })
  if (saved.ok) return saved
  return saved.error === 'not-found' ? refuse('not-found') : readOnly(saved.error)
}
