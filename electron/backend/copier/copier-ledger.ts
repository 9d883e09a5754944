import type { DryRunAnswer, FollowerFigures, LedgerRow } from '#shared/api/copier.ts'
import type { Client } from '../threads/rpc.ts'
import type { KnownFees } from '../own-data/charged-fees.ts'
import type { LedgerReads } from './store/rows.ts'

/** A ledger page request; without a group, of all the user's groups. */
export type LedgerQuery = { readonly groupId?: string | undefined; readonly before?: number | undefined; readonly limit: number }

const dayMs = 86_400_000

/** The user's view of the copier's ledger. */
export type CopierLedger = ReturnType<typeof createLedger>

/** The ledger over its thread; `fees` reads from the journal what is known of a user's commissions, `now` is UTC ms. */
export const createLedger = ({ reads, fees, now }: { readonly reads: Client<LedgerReads>; readonly fees: (userId: string) => Promise<KnownFees>; readonly now: () => number }) => ({
  /** A page, newest first, of the events before the given one. */
  ledger: async (userId: string, query: LedgerQuery): Promise<{ rows: LedgerRow[]; more: boolean }> => {
    const { rows, more } = await reads.ledger({ userId, ...query })
    return { rows: [...rows], more }
  },
  /** Latency and slippage of each follower over the past days of 24 hours. */
  figures: async (userId: string, { groupId, days }: { readonly groupId?: string | undefined; readonly days: number }): Promise<{ followers: FollowerFigures[] }> => ({ followers: [...(await reads.figures({ userId, groupId, sinceMs: now() - days * dayMs }))] }),
  /** What the dry runs of the past days of 24 hours would have traded, with the P&L. */
  dryRun: async (userId: string, { groupId, days }: { readonly groupId?: string | undefined; readonly days: number }): Promise<DryRunAnswer> => reads.dryRun({ userId, groupId, sinceMs: now() - days * dayMs, fees: await fees(userId) }),
  /** A chunk of the ledger as CSV, oldest event first, and the cursor of the next chunk, null at the end. */
  csv: (userId: string, query: { readonly groupId?: string | undefined; readonly after: number | null }): Promise<{ readonly text: string; readonly next: number | null }> => reads.csv({ userId, ...query }),
})
