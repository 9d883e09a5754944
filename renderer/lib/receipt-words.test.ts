import { expect, test } from 'vitest'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { receiptParts } from './receipt-words.ts'

const receipt: SyncReceipt = {
  runId: 'r', trigger: 'manual', startedAt: '2026-02-13T20:00:00Z', endedAt: '2026-02-13T20:00:02Z', outcome: 'complete', logins: 1, accounts: 4,
  fills: { received: 12, added: 10, changed: 1, unchanged: 1, refused: 0 }, batches: 3,
  pairs: { added: 5, changed: 0, removed: 0 }, trades: { added: 2, changed: 0, removed: 0 }, outbox: 0, refused: [], refusedTotal: 0, holdings: [], troubles: [],
}

test('a receipt tells what came, what was corrected and what became of it', () => {
  expect(receiptParts(receipt)).toEqual([
    { key: 'fills', count: 10 },
    { key: 'changed-fills', count: 1 },
    { key: 'pairs', count: 5 },
    { key: 'trades', count: 2 },
    { key: 'accounts', count: 4 },
  ])
})

test('a run that brought nothing says so, and rows left out are counted', () => {
  const empty = { ...receipt, fills: { received: 1, added: 0, changed: 0, unchanged: 0, refused: 1 }, pairs: { added: 0, changed: 0, removed: 0 }, trades: { added: 0, changed: 0, removed: 0 } }
  expect(receiptParts({ ...empty, refused: [{ entity: 'fill', id: '7', account: null, reason: 'unreadable' }], refusedTotal: 312 })).toEqual([
    { key: 'no-fills', count: 0 },
    { key: 'accounts', count: 4 },
    { key: 'refused', count: 312 },
  ])
})

test('a receipt names its platforms only where Tradovate’s is not the single one', () => {
  const of = (...platforms: string[]) => receiptParts({ ...receipt, platforms: platforms.map((platform) => ({ platform, accounts: 2 })) }).filter(({ key }) => key.startsWith('accounts'))
  expect(of('Tradovate')).toEqual([{ key: 'accounts', count: 4 }])
  expect(of('Tradovate', 'TopstepX')).toEqual([{ key: 'accounts-of', count: 2, platform: 'Tradovate' }, { key: 'accounts-of', count: 2, platform: 'TopstepX' }])
  expect(of('TopstepX')).toEqual([{ key: 'accounts-of', count: 2, platform: 'TopstepX' }])
})
