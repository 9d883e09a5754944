import type { DryRunAnswer, FollowerFigures, LedgerRow } from '#shared/api/copier.ts'
import type { Client } from '../threads/rpc.ts'
import type { OwnFeeRates } from '../own-data/own-fees.ts'
import type { LedgerReads } from './store/rows.ts'

/** A ledger page request; without a group, of all the user's groups. */
export type LedgerQuery = { readonly groupId?: string | undefined; readonly before?: number | undefined; readonly limit: number }

/** The user's view of the copier's ledger. */
export type CopierLedger = {
  /** A page, newest first, of the events before the given one. */
  readonly ledger: (userId: string, query: LedgerQuery) => Promise<{ rows: LedgerRow[]; more: boolean }>
  /** Latency and slippage of each follower over the past days of 24 hours. */
  readonly figures: (userId: string, query: { readonly groupId?: string | undefined; readonly days: number }) => Promise<{ followers: FollowerFigures[] }>
  /** What the dry runs of the past days of 24 hours would have traded, and what it would have come to. */
  readonly dryRun: (userId: string, query: { readonly groupId?: string | undefined; readonly days: number }) => Promise<DryRunAnswer>
  /** A chunk of the ledger as CSV, oldest event first, and the cursor of the next chunk, null at the end. */
  readonly csv: (userId: string, query: { readonly groupId?: string | undefined; readonly after: number | null }) => Promise<{ readonly text: string; readonly next: number | null }>
}

const dayMs = 86_400_000

/** The ledger over its thread; `fees` reads a user's own rates from the journal, `now` is UTC ms. */
export const createLedger = ({ reads, fees, now }: { readonly reads: Client<LedgerReads>; readonly fees: (userId: string) => Promise<OwnFeeRates>; readonly now: () => number }): CopierLedger => ({
  ledger: async (userId, query) => {
    const { rows, more } = await reads.ledger({ userId, ...query })
    return { rows: [...rows], more }
  },
  figures: async (userId, { groupId, days }) => ({ followers: [...(await reads.figures({ userId, groupId, sinceMs: now() - days * dayMs }))] }),
  dryRun: async (userId, { groupId, days }) => reads.dryRun({ userId, groupId, sinceMs: now() - days * dayMs, fees: await fees(userId) }),
  csv: (userId, query) => reads.csv({ userId, ...query }),
})
