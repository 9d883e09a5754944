import { knownContracts } from '../fills/contracts.ts'
import { query } from '../database.ts'
import { history } from './history.ts'
import { logins } from '../accounts/logins.ts'
import type { Read } from '../part.ts'
import { syncGaps } from './session-reads.ts'
import { lastGoodSyncAt, lastRuns, receipts } from './sync-runs.ts'

const fillsWithFee: Read<'fillsWithFee'> = (reader, { userId, account, ids }) => {
  const sql = 'SELECT fills.id FROM json_each(?) AS wanted CROSS JOIN fills ON user_id = ? AND account = ? AND fills.id = wanted.value WHERE fee IS NOT NULL'
  return query<{ id: string }>(reader, sql).all(JSON.stringify(ids), userId, account).map((row) => row.id)
}

/** What fetching from the broker asks of the journal: logins, what is known already, runs, and what is missing. */
export const syncReads = { logins, knownContracts, fillsWithFee, receipts, lastGoodSyncAt, lastRuns, syncGaps, history }
