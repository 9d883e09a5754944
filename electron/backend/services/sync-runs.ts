import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'

/** Runs of sync as the rest of the program asks for them: at most one at a time for a user. */
export type SyncRuns = {
  /** Starts a run, or joins the one that runs. Its progress and its end are pushed. */
  readonly start: (userId: string, trigger: SyncReceipt['trigger']) => Promise<{ readonly runId: string; readonly joined: boolean }>
  /** How things stand; times are ISO 8601. */
  readonly state: (userId: string) => Promise<{ running: SyncProgress | null; last: SyncReceipt | null; lastGoodAt: string | null; nextAt: string | null }>
  /** Newest first. */
  readonly receipts: (userId: string) => Promise<SyncReceipt[]>
}
