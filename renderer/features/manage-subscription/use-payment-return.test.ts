import { expect, test } from 'vitest'
import { returnIn, lookOf, nextLookMs } from './use-payment-return.ts'

test.each([
  ['', { kind: 'nothing' }],
  ['session_id=cs_1', { kind: 'nothing' }],
  ['payment=refunded&session_id=cs_1', { kind: 'nothing' }],
  ['payment=cancelled', { kind: 'cancelled' }],
  ['payment=cancelled&session_id=cs_1', { kind: 'cancelled' }],
  ['payment=changed', { kind: 'changed' }],
  ['payment=success', { kind: 'no-session' }],
  ['payment=success&session_id=', { kind: 'no-session' }],
  ['payment=success&session_id=cs_1', { kind: 'success', sessionId: 'cs_1' }],
])('the query "%s" says %o', (query, brought) => {
  expect(returnIn(new URLSearchParams(query))).toEqual(brought)
})

test('a payment that is not there yet is looked for ten times, three seconds apart', () => {
  expect(nextLookMs(undefined, 0)).toBe(false)
  expect(nextLookMs(false, 1)).toBe(3_000)
  expect(nextLookMs(false, 9)).toBe(3_000)
  expect(nextLookMs(false, 10)).toBe(false)
  expect(nextLookMs(true, 1)).toBe(false)
})

test('it is said to be late only once nothing looks for it any more', () => {
  expect([lookOf(undefined, 0), lookOf(false, 1), lookOf(false, 9), lookOf(false, 10), lookOf(true, 10)]).toEqual(['checking', 'waiting', 'waiting', 'late', 'active'])
})
