// @module-tag slow
import type { Entitlement } from '#renderer/lib/entitlement.ts'
import { noRole } from '#shared/plans/checks.ts'
import { expect, test } from 'vitest'
import { planStateOf } from './current-plan.tsx'

const now = Date.parse('2026-03-01T12:00:00Z')
const paid = { userId: 'u', status: 'active', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', subscriptionType: 'tradecopier', currentPeriodEnd: '2026-03-20T00:00:00Z', cancelAtPeriodEnd: false } as const
const details = { status: 'active', cancel_at_period_end: false, billing_cycle_anchor: null, start_date: null, cancel_at: null }
const standing = (subscription: Entitlement['subscription'], more: Entitlement['details'] = null): Entitlement => ({ subscription, details: more, role: noRole, verifiedAt: null })

test('a user without a subscription, or with the default one, has no plan', () => {
  expect(planStateOf(standing(null), now)).toEqual({ kind: 'none' })
  expect(planStateOf(standing({ userId: 'u', status: 'active', firstPaymentDate: '2026-01-01T00:00:00Z', cancelAtPeriodEnd: false }), now)).toEqual({ kind: 'none' })
})

test('a plan that runs renews with its period', () => {
  expect(planStateOf(standing(paid), now)).toEqual({ kind: 'renews', plan: 'tradecopier', at: '2026-03-20T00:00:00Z' })
  expect(planStateOf(standing(paid, details), now)).toMatchObject({ kind: 'renews' })
})

test('one that was canceled ends: by the provider where it says when, otherwise with its period', () => {
  const ending = { ...paid, cancelAtPeriodEnd: true }
  expect(planStateOf(standing(ending), now)).toEqual({ kind: 'ends', plan: 'tradecopier', at: '2026-03-20T00:00:00Z' })
  expect(planStateOf(standing(paid, { ...details, cancel_at_period_end: true, cancel_at: Date.parse('2026-03-19T08:00:00Z') / 1_000 }), now)).toEqual({ kind: 'ends', plan: 'tradecopier', at: '2026-03-19T08:00:00.000Z' })
})

test('a subscription past its end has ended, and an unpaid one says so', () => {
  expect(planStateOf(standing({ ...paid, cancelAtPeriodEnd: true }), Date.parse('2026-03-20T00:00:00Z'))).toEqual({ kind: 'ended', plan: 'tradecopier' })
  expect(planStateOf(standing({ ...paid, hasSubscription: false, subscriptionStatus: 'expired' }), now)).toEqual({ kind: 'ended', plan: 'tradecopier' })
  expect(planStateOf(standing(paid, { ...details, status: 'canceled' }), now)).toEqual({ kind: 'ended', plan: 'tradecopier' })
  expect(planStateOf(standing({ ...paid, paymentStatus: 'unpaid' }), now)).toEqual({ kind: 'unpaid', plan: 'tradecopier' })
  expect(planStateOf(standing(paid, { ...details, status: 'past_due' }), now)).toEqual({ kind: 'unpaid', plan: 'tradecopier' })
})
