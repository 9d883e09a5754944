import type { Page } from '@playwright/test'
import { noRole, type Role } from '#shared/plans/checks.ts'
import type { Plan } from '#shared/plans/plan.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'

/** The stubbed subscription of the user. */
export type StatedStanding = {
  readonly subscription: Subscription | null
  readonly role?: Role
  /** Null: they cannot be had. */
  readonly details?: ProviderDetails | null
  readonly verifiedAt?: string | null
  /** The text with which the reading is refused instead. */
  readonly failed?: string
}

/** Stubs the subscription's calls with the current value of `standing`; returns the bodies that were sent, oldest first. */
export const stubStanding = async (page: Page, standing: () => StatedStanding): Promise<{ readonly sent: Record<string, unknown>[] }> => {
  const sent: Record<string, unknown>[] = []
  await page.route('**/api/firestore-all-subscription*', (route) => {
    const { subscription, role = noRole, verifiedAt = new Date().toISOString(), failed } = standing()
    if (failed !== undefined) return route.fulfill({ status: 403, json: { success: false, code: 'not-this-user', error: failed } })
    if (route.request().method() === 'GET') return route.fulfill({ json: { subscription, role, verifiedAt } })
    sent.push(route.request().postDataJSON() as Record<string, unknown>)
    return route.fulfill({ json: { success: true } })
  })
  await page.route('**/api/firestore-save-subscription', (route) => {
    sent.push(route.request().postDataJSON() as Record<string, unknown>)
    return route.fulfill({ json: { success: true } })
  })
  await page.route('**/api/stripe/payments', (route) => {
    const body = route.request().postDataJSON() as Record<string, unknown>
    if (body['action'] !== 'get-subscription-details') return route.fallback()
    const { details = null } = standing()
    if (details === null) return route.fulfill({ status: 502, json: { success: false, code: 'payments-unreachable', error: 'Subscription check failed' } })
    return route.fulfill({ json: { success: true, subscription: details } })
  })
  return { sent }
}

/** The default subscription, which opens no paid page. */
export const usual: Subscription = { status: 'active', firstPaymentDate: '2026-01-01T00:00:00Z', cancelAtPeriodEnd: false }

/** A subscription whose plan runs and is paid. */
export const paidFor = (subscriptionType: Plan): Subscription => ({
  ...usual,
  hasSubscription: true,
  subscriptionStatus: 'complete',
  paymentStatus: 'paid',
  active: true,
  subscriptionType,
  stripeCustomerId: 'cus_1',
  currentPeriodStart: '2027-02-20T00:00:00Z',
  currentPeriodEnd: '2027-03-20T00:00:00Z',
})
