// @module-tag slow
import { expect, test } from 'vitest'
import { afterPayment } from './require-user.tsx'

test.each([
  [{ payment: 'success', sessionId: 'cs_1' }, '/dashboard/ManageSubscription?payment=success&session_id=cs_1'],
  [{ payment: 'cancelled', sessionId: null }, '/dashboard/ManageSubscription?payment=cancelled'],
  [{ payment: 'changed', sessionId: null }, '/dashboard/ManageSubscription?payment=changed'],
  [{ payment: null, sessionId: null }, '/dashboard/ManageSubscription'],
  [{ payment: 'success', sessionId: 'a&b=c#d' }, '/dashboard/ManageSubscription?payment=success&session_id=a%26b%3Dc%23d'],
] as const)('%j leads to %s', (back, place) => {
  expect(afterPayment(back)).toBe(place)
})
