import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Runs, StartedRun } from './runs.ts'
import type { Schedule } from './schedule.ts'
import type { Refused } from '../refused.ts'
import type { Rights } from '../plans/rights.ts'

const receiptsShown = 50

/** Sync runs for the screens. */
export type SyncRuns = ReturnType<typeof createSyncRuns>

export const createSyncRuns = ({ runs, schedule, read, rights }: { readonly runs: Runs; readonly schedule: Schedule; readonly read: JournalCalls['read']; readonly rights: Pick<Rights, 'require'> }) => ({
  /** Starts a run if the user's plan includes it, or joins the running one. Its progress and its end are pushed. */
  start: async (userId: string): Promise<Result<StartedRun, Refused>> => {
    const may = await rights.require(userId, 'autosync')
    if (!may.ok) return may
    const started = runs.start({ userId, trigger: 'manual' })
    // A failure is in the log, and pages are notified at the run's end.
    started.ended.catch(() => undefined)
    return ok(started)
  },
  /** The progress of the running run, from 0 to 1; null if there is none. */
  running: (userId: string): number | null => runs.running(userId)?.overall ?? null,
  /** The state of sync; times are ISO 8601. */
  state: async (userId: string): Promise<{ running: SyncProgress | null; last: SyncReceipt | null; lastGoodAt: string | null; nextAt: string | null }> => {
    const [[last = null], lastGoodAt, nextAt] = await Promise.all([read.receipts({ userId, limit: 1 }), read.lastGoodSyncAt({ userId }), schedule.nextAt(userId)])
    return { running: runs.running(userId), last, lastGoodAt: momentOf(lastGoodAt), nextAt: momentOf(nextAt) }
  },
  /** Newest first. */
  receipts: (userId: string): Promise<SyncReceipt[]> => read.receipts({ userId, limit: receiptsShown }),
})

const momentOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
