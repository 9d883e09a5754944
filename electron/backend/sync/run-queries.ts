import { and, desc, eq, inArray, lte, sql, type SQL } from 'drizzle-orm'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { isGood } from '#shared/sync/receipt.ts'
import type { Reader, Writer } from '../db/database.ts'
import { accounts, syncRuns } from '../db/schema/brokerage.ts'
import { recordRead } from './session-reads.ts'
import type { AccountRead, OfUser } from '../db/rows.ts'

/** Receipts of earlier versions name all refused rows without a count, and know nothing of holdings. */
const receiptFrom = (text: string): SyncReceipt => {
  const kept = JSON.parse(text) as Omit<SyncReceipt, 'refusedTotal' | 'holdings'> & Partial<SyncReceipt>
  return { ...kept, refusedTotal: kept.refusedTotal ?? kept.refused.length, holdings: kept.holdings ?? [] }
}

/** Newest first. */
export const receipts = ({ orm }: Reader, { userId, limit }: OfUser & { readonly limit: number }): SyncReceipt[] =>
  orm
    .select({ receipt: syncRuns.receipt })
    .from(syncRuns)
    .where(eq(syncRuns.userId, userId))
    .orderBy(desc(syncRuns.endedAt), desc(syncRuns.runId))
    .limit(limit)
    .all()
    .map((row) => receiptFrom(row.receipt))

/** End of the last good run, UTC ms; `isGood` says what that is. */
export const lastGoodSyncAt = ({ orm }: Reader, { userId }: OfUser): number | null =>
  orm
    .select({ endedAt: syncRuns.endedAt })
    .from(syncRuns)
    .where(and(eq(syncRuns.userId, userId), eq(syncRuns.good, true)))
    .orderBy(desc(syncRuns.endedAt))
    .limit(1)
    .get()?.endedAt ?? null

const isOfAllLogins = sql`${syncRuns.receipt} ->> '$.trigger' NOT IN ('connect', 'fill')`

/** When the last run and the last good one of all logins began, UTC ms: the first sync of a new login, and one after a fill, is neither. */
export const lastRuns = ({ orm }: Reader, { userId, until }: OfUser & {
  /** Runs with a later start come from a clock that was set back since. */
  readonly until: number
}): { readonly attempt: number | null; readonly good: number | null } => {
  const latest = (more?: SQL): number | null =>
    orm
      .select({ startedAt: syncRuns.startedAt })
      .from(syncRuns)
      .where(and(eq(syncRuns.userId, userId), lte(syncRuns.startedAt, until), isOfAllLogins, more))
      .orderBy(desc(syncRuns.endedAt))
      .limit(1)
      .get()?.startedAt ?? null
  return { attempt: latest(), good: latest(eq(syncRuns.good, true)) }
}

// Pulls every few minutes would otherwise fill the journal with receipts that nobody reads.
const keptReceipts = 500

/** Saves a run's receipt, and how it read the fills of accounts. */
export const saveReceipt = (writer: Writer, { userId, receipt, read }: OfUser & { readonly receipt: SyncReceipt; readonly read: readonly AccountRead[] }): void => {
  const { orm } = writer
  const endedAt = Date.parse(receipt.endedAt)
  const row = { userId, runId: receipt.runId, startedAt: Date.parse(receipt.startedAt), endedAt, outcome: receipt.outcome, good: isGood(receipt), receipt: JSON.stringify(receipt) }
  orm.insert(syncRuns).values(row).onConflictDoUpdate({ target: [syncRuns.userId, syncRuns.runId], set: row }).run()
  for (const { account, at, whole, settled } of read) if (at !== null) recordRead(writer, userId, account, { at, whole, settled })
  const whole = read.filter((one) => one.whole).map(({ account }) => account)
  if (whole.length > 0) orm.update(accounts).set({ lastSyncAt: endedAt }).where(and(eq(accounts.userId, userId), inArray(accounts.key, whole))).run()
  const kept = orm.select({ runId: syncRuns.runId }).from(syncRuns).where(eq(syncRuns.userId, userId)).orderBy(desc(syncRuns.endedAt)).limit(keptReceipts).offset(keptReceipts).all()
  if (kept.length > 0) orm.delete(syncRuns).where(and(eq(syncRuns.userId, userId), inArray(syncRuns.runId, kept.map(({ runId }) => runId)))).run()
}
