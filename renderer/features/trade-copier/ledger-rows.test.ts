import type { LedgerCopy } from '#shared/api/copier.ts'
import { expect, test } from 'vitest'
import { fullWidth, knownReason, pastReason, summaryOf, weightOf } from './ledger-rows.ts'

const copy = (status: LedgerCopy['status'], toWire: number | null = null): LedgerCopy => ({
  follower: 'a', contract: 'MNQZ6', clOrdId: null, orderId: null, side: 'buy', qty: 1, filled: 0, price: null, status, why: null, times: { toWire, toAck: null, toFill: null }, slippage: null,
})

test('the copies of an event in one line', () => {
  const copies = [copy('filled', 3), copy('dry-run', 1), copy('sent', 9), copy('not-sent'), copy('rejected'), copy('unknown')]
  expect(summaryOf({ copies })).toEqual({ copies: 6, done: 2, dryRun: 1, under: 1, notSent: 1, failed: 2, slowestMs: 9 })
  expect(summaryOf({ copies: [] }).slowestMs).toBeNull()
})

test('every status has its weight', () => {
  expect((['filled', 'acknowledged', 'not-sent', 'never-arrived'] as const).map(weightOf)).toEqual(['done', 'under', 'left-out', 'trouble'])
})

test('our own reasons differ from the broker’s words', () => {
  expect(knownReason('paused')).toBe('paused')
  expect(pastReason('in-step')).toBe('in-step')
  expect(pastReason('captcha')).toBe('pause')
  expect(pastReason('renewing')).toBe('not-taken')
  for (const reason of ['Insufficient funds', 'toString']) expect([knownReason(reason), pastReason(reason)]).toEqual([null, null])
})

test('bars have a full width even of nothing', () => {
  expect(fullWidth([])).toBe(1)
  expect(fullWidth([2, -8, 3])).toBe(8)
})
