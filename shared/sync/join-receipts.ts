import type { SyncReceipt } from '#shared/api/sync.ts'
import { addCounts, refusedRowsKept } from './receipt.ts'

/** Several runs as one receipt, oldest first: with the first one's id and trigger, and the worst outcome. */
export const joinReceipts = (receipts: readonly [SyncReceipt, ...SyncReceipt[]]): SyncReceipt => {
  const [first, ...others] = receipts
  const outcomes = receipts.map(({ outcome }) => outcome)
  const same = outcomes.every((outcome) => outcome === first.outcome)
  const last = receipts.at(-1) ?? first
  const settled = last.outcome === 'complete' && receipts.every(({ troubles, refused }) => troubles.length + refused.length === 0)
  return {
    ...others.reduce((sum, receipt) => ({ ...sum, ...addCounts(sum, receipt) }), first),
    endedAt: receipts.at(-1)?.endedAt ?? first.endedAt,
    // A difference of an earlier run is settled if the last run found none.
    outcome: same || settled ? last.outcome : 'partial',
    logins: Math.max(...receipts.map(({ logins }) => logins)),
    accounts: Math.max(...receipts.map(({ accounts }) => accounts)),
    refused: receipts.flatMap(({ refused }) => refused).slice(0, refusedRowsKept),
    refusedTotal: receipts.reduce((sum, { refusedTotal }) => sum + refusedTotal, 0),
    // The last run compares all of the broker's books with the journal.
    holdings: receipts.at(-1)?.holdings ?? first.holdings,
    troubles: receipts.flatMap(({ troubles }) => troubles),
  }
}
