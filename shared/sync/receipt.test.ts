import { expect, test } from 'vitest'
import { syncReceipt, type SyncTrouble } from '#shared/api/sync.ts'
import { addCounts, isGood, noCounts, receiptOf, refusedRowsKept, type RunFacts } from './receipt.ts'

const facts: RunFacts = {
  runId: 'r1',
  trigger: 'manual',
  startedAt: '2026-07-15T15:00:00.000Z',
  endedAt: '2026-07-15T15:00:02.000Z',
  logins: 1,
  accounts: 3,
  counts: noCounts,
  refused: [],
  holdings: [],
  troubles: [],
  finishedParts: 2,
}
const trouble = (code: SyncTrouble['code']): SyncTrouble => ({ loginId: 'l', loginName: 'n', environment: 'demo', code, detail: null, retryAfterMs: null })
const refusal = { entity: 'fill', id: '7', account: null, reason: 'no-order' }

test('a receipt is what the contract says', () => {
  expect(syncReceipt.parse(receiptOf(facts))).toEqual(receiptOf(facts))
})

test.each([
  ['nothing was left out', {}, 'complete'],
  ['a row was refused', { refused: [refusal] }, 'partial'],
  ['one part of several had trouble', { troubles: [trouble('unreachable')] }, 'partial'],
  ['no part came to its end', { troubles: [trouble('unreachable')], finishedParts: 0 }, 'failed'],
  ['nothing is connected', { logins: 0, accounts: 0, finishedParts: 0 }, 'complete'],
] as const)('%s', (_, change, outcome) => {
  expect(receiptOf({ ...facts, ...change }).outcome).toBe(outcome)
})

test('counts add up field by field', () => {
  const one = { ...noCounts, fills: { received: 5, added: 3, changed: 1, unchanged: 1, refused: 0 }, batches: 2, pairs: { added: 1, changed: 2, removed: 3 }, outbox: 6 }
  expect(addCounts(one, one)).toEqual({
    fills: { received: 10, added: 6, changed: 2, unchanged: 2, refused: 0 },
    batches: 4,
    pairs: { added: 2, changed: 4, removed: 6 },
    trades: { added: 0, changed: 0, removed: 0 },
    outbox: 12,
  })
})

test('a receipt names so many refused rows and counts all', () => {
  const refused = Array.from({ length: refusedRowsKept + 7 }, (_, index) => ({ ...refusal, id: String(index) }))
  const receipt = receiptOf({ ...facts, refused })
  expect([receipt.refused.length, receipt.refused.at(-1)?.id, receipt.refusedTotal]).toEqual([200, '199', 207])
})

test('a run is good for the day unless something could be had by trying again', () => {
  expect(isGood(receiptOf({ ...facts, refused: [refusal] }))).toBe(true)
  expect(isGood(receiptOf({ ...facts, troubles: [trouble('login-needed'), trouble('permission-missing')] }))).toBe(true)
  expect(isGood(receiptOf({ ...facts, troubles: [trouble('login-needed'), trouble('rate-limited')] }))).toBe(false)
  expect(isGood(receiptOf({ ...facts, troubles: [trouble('login-needed')], finishedParts: 0 }))).toBe(false)
})
