import { and, desc, eq, inArray } from 'drizzle-orm'
import type { SyncReceipt } from '#shared/api/sync.ts'
import type { Read, Write } from './part.ts'
import { accounts, syncRuns } from './schema/brokerage.ts'

export const receipts: Read<'receipts'> = ({ orm }, { userId, limit }) =>
  orm
    .select({ receipt: syncRuns.receipt })
    .from(syncRuns)
    .where(eq(syncRuns.userId, userId))
    .orderBy(desc(syncRuns.endedAt), desc(syncRuns.runId))
    .limit(limit)
    .all()
    .map((row) => JSON.parse(row.receipt) as SyncReceipt)

export const lastGoodSyncAt: Read<'lastGoodSyncAt'> = ({ orm }, { userId }) =>
  orm
    .select({ endedAt: syncRuns.endedAt })
    .from(syncRuns)
    .where(and(eq(syncRuns.userId, userId), eq(syncRuns.outcome, 'complete')))
    .orderBy(desc(syncRuns.endedAt))
    .limit(1)
    .get()?.endedAt ?? null

// Pulls every few minutes would otherwise fill the journal with receipts that nobody reads.
const keptReceipts = 500

export const saveReceipt: Write<'saveReceipt'> = (writer, { userId, receipt, accounts: synced }) => {
  const { orm } = writer
  const endedAt = Date.parse(receipt.endedAt)
  const row = { userId, runId: receipt.runId, startedAt: Date.parse(receipt.startedAt), endedAt, outcome: receipt.outcome, receipt: JSON.stringify(receipt) }
  orm.insert(syncRuns).values(row).onConflictDoUpdate({ target: [syncRuns.userId, syncRuns.runId], set: row }).run()
  if (receipt.outcome !== 'failed' && synced.length > 0) {
    orm.update(accounts).set({ lastSyncAt: endedAt }).where(and(eq(accounts.userId, userId), inArray(accounts.key, [...synced]))).run()
  }
  const kept = orm.select({ runId: syncRuns.runId }).from(syncRuns).where(eq(syncRuns.userId, userId)).orderBy(desc(syncRuns.endedAt)).limit(keptReceipts).offset(keptReceipts).all()
  if (kept.length > 0) orm.delete(syncRuns).where(and(eq(syncRuns.userId, userId), inArray(syncRuns.runId, kept.map(({ runId }) => runId)))).run()
}
