import { noCounts, type SyncCounts } from '#shared/sync/receipt.ts'
import type { Taken } from '../db/rows.ts'

/** What a write derived, without its fills. */
export const derivedCounts = ({ batches, pairs, trips, outbox }: Taken): SyncCounts => ({ ...noCounts, batches, pairs, trips, outbox })

/** What a write of fills did. */
export const takenCounts = (result: Taken): SyncCounts => {
  const { added, changed, unchanged } = result.fills
  return { ...derivedCounts(result), fills: { received: 0, added, changed, unchanged, refused: 0 } }
}
