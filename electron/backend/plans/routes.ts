import type { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { doneIf } from '../http/done.ts'
import type { Handlers } from '../http/mount.ts'

/** The user's subscription, and paying. */
export const subscriptionHandlers = (subscriptions: Subscriptions): Handlers<typeof subscriptionRoutes, Browser, Caller> => ({
  getSubscription: ({ caller }) => subscriptions.get(caller.id),
  createSubscription: async ({ caller, body }) => doneIf(await subscriptions.create(caller.id, body.subscription)),
  saveSubscription: async ({ caller, body }) => doneIf(await subscriptions.save(caller.id, body.subscription)),
  payments: ({ caller, body }) => subscriptions.pay(caller.id, body),
})
