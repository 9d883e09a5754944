import type { subscriptionRoutes } from '#shared/api/subscription.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Refused } from '../refused.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

const done = (result: Result<null, Refused>): Result<{ success: true }, Refused> => (result.ok ? ok({ success: true }) : result)

/** The user's subscription, and paying. */
export const subscriptionHandlers = (subscriptions: Subscriptions): Handlers<typeof subscriptionRoutes, Browser, Caller> => ({
  getSubscription: ({ caller }) => subscriptions.get(caller.id),
  createSubscription: async ({ caller, body }) => done(await subscriptions.create(caller.id, body.subscription)),
  saveSubscription: async ({ caller, body }) => done(await subscriptions.save(caller.id, body.subscription)),
  payments: ({ caller, body }) => subscriptions.pay(caller.id, body),
})
