import path from 'node:path'
import type { Cause, Intent } from '#backend/copier/store/rows.ts'
import type { GroupDraft } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'

// No import of a test runner: processes that are made to be killed use these too.

/** Monday, 5 January 2026, 15:00 UTC. */
const monday = Date.UTC(2026, 0, 5, 15)

/** The copier's migrations that the product ships. */
export const copierMigrations = new URL('../../migrations/copier/', import.meta.url).pathname

export const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** Where the copier's file lies in a folder. */
export const copierPaths = (folder: string) => ({ file: path.join(folder, 'copier.db'), migrationsFolder: copierMigrations, backupFolder: path.join(folder, 'backups') })

export const leader = 'tradovate:demo:700100'
/** The first, the second … follower. */
export const follower = (number: number): string => `tradovate:demo:${String(700_100 + number)}`

/** A group of the leader and so many followers. */
export const draftOf = (count: number, more: Partial<GroupDraft> = {}): GroupDraft => ({
  name: 'Evaluations', leader, exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false,
  followers: Array.from({ length: count }, (_, index) => ({
    account: follower(index + 1), on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null,
    products: null, dailyLoss: null, dailyProfit: null, maxRejects: 3, invert: false, guard: false,
  })),
  ...more,
})

/** A buy of one MESM6 by the leader of a group. */
export const causeOf = (fillId: number | null, more: Partial<Cause> = {}): Cause => ({
  groupId: 'g1', at: monday, kind: 'fill', leaderAccount: leader, contract: 'MESM6', fillId: fillId === null ? null : String(fillId),
  side: 'buy', qty: 1, price: '6750.25',
  ...more,
})

/** The same at a follower, not sent yet. */
export const intentOf = (clOrdId: string, more: Partial<Omit<Intent, 'cause'>> = {}): Omit<Intent, 'cause'> => ({
  clOrdId, groupId: 'g1', account: follower(1), contract: 'MESM6', side: 'buy', qty: 1, purpose: 'copy', type: 'Market',
  price: null, stopPrice: null, pegDifference: null, leaderOrderId: null, writtenAt: monday, dryRun: false,
  ...more,
})
