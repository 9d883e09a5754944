import { z } from 'zod'
import { planTypes } from '#shared/plans/plan.ts'
import { identifier, moment } from './fields.ts'
import type { Route } from './route.ts'

/** The paid plans. */
export const subscriptionType = z.enum(planTypes)

/** A subscription as stored: the default that the client creates has the first four fields only. */
export const subscription = z.object({
  userId: identifier.optional(),
  status: z.string().optional(),
  firstPaymentDate: moment.optional(),
  cancelAtPeriodEnd: z.boolean().optional(),
  stripeCustomerId: z.string().optional(),
  subscriptionType: subscriptionType.optional(),
  currentPeriodStart: moment.optional(),
  currentPeriodEnd: moment.optional(),
  hasSubscription: z.boolean().optional(),
  subscriptionStatus: z.enum(['complete', 'expired']).optional(),
  paymentStatus: z.string().optional(),
  active: z.boolean().optional(),
})

const ofUser = z.object({ userId: identifier })

/** A user's rights besides the subscription. */
export const role = z.object({ admin: z.boolean(), subscriber: z.boolean() })

/** Where a checkout may return to: the user's own program on this computer. */
const ownProgram = z.url().max(500).regex(/^(?:http:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}(?:[/?#]|$)|fillbook:\/\/)/)

/** The payment calls under one path, distinguished by `action`. */
export const paymentBody = z.discriminatedUnion('action', [
  ofUser.extend({ action: z.literal('check-subscription'), sessionId: identifier }),
  z.object({ action: z.literal('get-subscription-details'), stripeCustomerId: identifier }),
  /** The local program adds `returnTo`; the checkout appends `payment` and `session_id` to it. */
  ofUser.extend({ action: z.literal('create-checkout-session'), subscriptionType, returnTo: ownProgram.optional() }),
  /** The provider's pages for invoices, cards and canceling. */
  ofUser.extend({ action: z.literal('create-portal-session'), returnTo: ownProgram.optional() }),
])

const checked = z.object({ active: z.boolean(), subscriptionType: subscriptionType.nullable(), stripeCustomerId: z.string().nullable() })
const details = z.object({
  success: z.literal(true),
  /** Times are Unix seconds, like the payment provider's. */
  subscription: z.object({
    status: z.string(),
    cancel_at_period_end: z.boolean(),
    billing_cycle_anchor: z.number().nullable(),
    start_date: z.number().nullable(),
    cancel_at: z.number().nullable(),
  }),
})
const checkout = z.object({ url: z.url() })

const asksForCheck = z.object({ action: z.enum(['check-subscription', 'get-subscription-details']) })
const paymentFailure = (body: unknown): string => (asksForCheck.safeParse(body).success ? 'Subscription check failed' : 'Failed to create checkout session')

/** Subscription and payment calls, named as in the spec; the cloud answers them. */
export const subscriptionRoutes = {
  getSubscription: {
    method: 'GET',
    path: '/api/firestore-all-subscription',
    query: ofUser,
    answer: z.object({
      subscription: subscription.nullable(),
      role,
      /** When the cloud confirmed it: in the past if the cloud is unreachable, null without a cloud. */
      verifiedAt: moment.nullable(),
    }),
    failure: 'Failed to fetch or create subscription',
  },
  createSubscription: {
    method: 'POST',
    path: '/api/firestore-all-subscription',
    body: ofUser.extend({ subscription }),
    answer: z.object({ success: z.literal(true) }),
    failure: 'Failed to create default subscription',
  },
  saveSubscription: {
    method: 'POST',
    path: '/api/firestore-save-subscription',
    body: ofUser.extend({ subscription }),
    answer: z.object({ success: z.literal(true) }),
    failure: 'Failed to save subscription',
  },
  payments: { method: 'POST', path: '/api/stripe/payments', body: paymentBody, answer: z.union([details, checkout, checked]), failure: paymentFailure },
} as const satisfies Record<string, Route>
