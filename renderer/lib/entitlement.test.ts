import { noRole } from '#shared/plans/checks.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiFailure } from './api.ts'
import { isOpen, nextCheckMs, fetchEntitlement, type Entitlement, type EntitlementCalls } from './entitlement.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const paid: Subscription = { userId: 'u', status: 'active', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', subscriptionType: 'autosync', currentPeriodEnd: '2026-03-20T00:00:00Z', cancelAtPeriodEnd: false, stripeCustomerId: 'cus_1' }
const running: ProviderDetails = { status: 'active', cancel_at_period_end: false, billing_cycle_anchor: null, start_date: null, cancel_at: null }

/** Calls that answer with what is given, and the record of what was asked of them. */
const answering = (subscription: Subscription | null, more: Partial<EntitlementCalls> = {}) => {
  const made: unknown[] = []
  const noted = (name: keyof EntitlementCalls, answer: (given: never) => Promise<unknown>) => (given?: unknown) => {
    made.push(given === undefined ? name : [name, given])
    return answer(given as never)
  }
  const answers = { read: () => Promise.resolve({ subscription, role: noRole, verifiedAt: null }), create: () => Promise.resolve(), save: () => Promise.resolve(), details: () => Promise.resolve(running), ...more }
  const calls = Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, noted(name as keyof EntitlementCalls, answer)])) as unknown as EntitlementCalls
  return { calls, made }
}

const logged = vi.spyOn(console, 'error')
beforeEach(() => { logged.mockImplementation(() => undefined) })
afterEach(() => { logged.mockReset() })

test('a subscription that is there is taken with what the payment provider says of it, and nothing is written', async () => {
  const { calls, made } = answering(paid)
  expect(await fetchEntitlement('u', calls, now)).toEqual({ subscription: paid, role: noRole, verifiedAt: null, details: running })
  expect(made).toEqual(['read', ['details', 'cus_1']])
})

test('where none is there the default one is made, which opens no paid page', async () => {
  const { calls, made } = answering(null)
  const usual = { userId: 'u', status: 'active', firstPaymentDate: '2026-03-01T12:00:00.000Z', cancelAtPeriodEnd: false }
  const standing = await fetchEntitlement('u', calls, now)
  expect(standing.subscription).toEqual(usual)
  expect(made).toEqual(['read', ['create', usual]])
  expect(isOpen(standing, 'autosync', now)).toBe(false)
})

test('details that cannot be had fall back to what is kept, and are logged', async () => {
  const { calls } = answering(paid, { details: () => Promise.reject(new ApiFailure(502, null)) })
  const standing = await fetchEntitlement('u', calls, now)
  expect(standing.details).toBeNull()
  expect(isOpen(standing, 'autosync', now)).toBe(true)
  expect(logged.mock.calls).toEqual([['get-subscription-details', 'internal']])
})

test('nobody asks the payment provider about a user whom it does not know', async () => {
  const { calls, made } = answering({ userId: 'u', status: 'active' })
  await fetchEntitlement('u', calls, now)
  expect(made).toEqual(['read'])
})

test('an ended plan is closed, and the server is notified once', async () => {
  const { calls, made } = answering({ ...paid, cancelAtPeriodEnd: true, stripeCustomerId: undefined })
  const end = Date.parse('2026-03-20T00:00:00Z')
  expect((await fetchEntitlement('u', calls, end - 1)).subscription?.hasSubscription).toBe(true)
  expect(made).toEqual(['read'])
  const ended = { ...paid, stripeCustomerId: undefined, cancelAtPeriodEnd: true, hasSubscription: false, subscriptionStatus: 'expired' }
  const standing = await fetchEntitlement('u', calls, end)
  expect(standing.subscription).toEqual(ended)
  expect(made).toEqual(['read', 'read', ['save', ended]])
  expect(isOpen(standing, 'autosync', end)).toBe(false)
  const { calls: later, made: madeLater } = answering(ended as Subscription)
  await fetchEntitlement('u', later, end)
  expect(madeLater).toEqual(['read'])
})

test('a clock of this computer that is ahead ends no plan on the server; the cloud’s own clock decides', async () => {
  const ending = { ...paid, cancelAtPeriodEnd: true, stripeCustomerId: undefined }
  const [before, after] = [Date.parse('2026-03-19T23:59:59Z'), Date.parse('2026-03-20T00:00:00Z')]
  const answersAt = (at: number) => answering(ending, { read: () => Promise.resolve({ subscription: ending, role: noRole, verifiedAt: new Date(at).toISOString() }) })
  const early = answersAt(before)
  await fetchEntitlement('u', early.calls, after)
  expect(early.made).toEqual(['read'])
  const late = answersAt(after)
  await fetchEntitlement('u', late.calls, before)
  expect(late.made).toEqual(['read', ['save', { ...ending, hasSubscription: false, subscriptionStatus: 'expired' }]])
})

test.each(['read', 'create', 'save'] as const)('a check whose call %s fails fails with its text', async (name) => {
  const failure = new ApiFailure(500, null, 'Failed')
  const kept = name === 'create' ? null : { ...paid, stripeCustomerId: undefined, cancelAtPeriodEnd: true, currentPeriodEnd: '2026-01-01T00:00:00Z' }
  const { calls } = answering(kept, { [name]: () => Promise.reject(failure) })
  await expect(fetchEntitlement('u', calls, now)).rejects.toBe(failure)
})

test('the application check comes first: what is not active opens no paid page, whatever was paid', () => {
  const standing = (subscription: Subscription | null, role = noRole): Entitlement => ({ subscription, role, verifiedAt: null, details: null })
  expect(isOpen(standing({ ...paid, status: 'past_due' }), 'autosync', now)).toBe(false)
  expect(isOpen(standing({ ...paid, status: 'past_due' }, { admin: true, subscriber: false }), 'tradecopier', now)).toBe(true)
  expect(isOpen(standing(paid), 'tradecopier', now)).toBe(false)
})

test('it is checked again every hour, and as soon as a plan ends', () => {
  const hour = 3_600_000
  const ending = (currentPeriodEnd: string): Entitlement => ({ subscription: { ...paid, cancelAtPeriodEnd: true, currentPeriodEnd }, role: noRole, verifiedAt: null, details: null })
  expect(nextCheckMs(undefined, now)).toBe(hour)
  expect(nextCheckMs({ subscription: paid, role: noRole, verifiedAt: null, details: null }, now)).toBe(hour)
  expect(nextCheckMs(ending('2026-03-01T12:00:30Z'), now)).toBe(31_000)
  expect(nextCheckMs(ending('2026-03-20T00:00:00Z'), now)).toBe(hour)
  expect(nextCheckMs(ending('2026-03-01T11:00:00Z'), now)).toBe(hour)
})
