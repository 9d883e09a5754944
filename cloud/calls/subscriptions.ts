import { ok, type Result } from '#shared/base/result.ts'
import { createdByUser, loweredByUser, type SubscriptionField } from '#shared/plans/user-changes.ts'
import type { Subscriptions } from '../store/subscriptions.ts'
import type { Subscription } from '../store/schema.ts'
import { refuse, type Refused } from './refused.ts'

const readOnly = (names: readonly SubscriptionField[]): ReturnType<typeof refuse> => refuse('read-only-field', { fields: names.map((name) => ({ path: `subscription.${name}`, message: 'written by payments only' })) })

/** Creates the default subscription, which opens no paid page; one that is there stays as it is. `now` is UTC ms. */
export const createDefault = async (subscriptions: Subscriptions, userId: string, given: Subscription, now: number): Promise<Result<null, Refused>> => {
  const first = createdByUser(userId, given, new Date(now).toISOString())
  if (!first.ok) return readOnly(first.error)
  await subscriptions.create(userId, first.value)
  return ok(null)
}

/** Lowers the rights of a subscription; the fields that payments write may come along only as they are. */
export const lowerRights = async (subscriptions: Subscriptions, userId: string, given: Subscription): Promise<Result<Subscription, Refused>> => {
  const saved = await subscriptions.change(userId, (kept) => loweredByUser(kept, given))
  if (saved.ok) return saved
  return saved.error === 'not-found' ? refuse('not-found') : readOnly(saved.error)
}
