import { expect, test } from 'vitest'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { joinReceipts } from './join-receipts.ts'

test('joined receipts add what the runs did, and hide no failure', () => {
  const receipt = (added: number, changes: Partial<SyncReceipt> = {}): SyncReceipt => ({
    runId: `run-${String(added)}`, trigger: 'manual', startedAt: `2026-03-0${String(added)}T15:00:00Z`, endedAt: `2026-03-0${String(added)}T15:00:01Z`, outcome: 'complete', logins: 1, accounts: added,
    fills: { received: 10, added, changed: 0, unchanged: 10 - added, refused: 0 }, batches: 1, pairs: { added, changed: 1, removed: 0 }, trades: { added, changed: 0, removed: 0 }, outbox: added, refused: [], refusedTotal: 0, holdings: [], troubles: [], ...changes,
  })
  const joined = joinReceipts([receipt(1), receipt(2), receipt(3, { outcome: 'failed' })])
  expect(joined).toMatchObject({ startedAt: '2026-03-01T15:00:00Z', endedAt: '2026-03-03T15:00:01Z', outcome: 'partial', accounts: 3, fills: { received: 30, added: 6, unchanged: 24 }, batches: 3, pairs: { added: 6, changed: 3 }, outbox: 6 })
  expect(joinReceipts([receipt(1)])).toEqual(receipt(1))
  expect(joinReceipts([receipt(1, { outcome: 'failed' })]).outcome).toBe('failed')
})
