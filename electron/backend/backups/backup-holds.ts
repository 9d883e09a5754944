import type { JournalHolds } from '#shared/api/backups.ts'
import { closeReader, openReader, query } from '../db/database.ts'
import { pairInView } from '../trades/rows.ts'

/** What a journal's file holds of a user, null if it does not know the user, and its number of other profiles, without the demo. */
export type FileHolds = { readonly own: JournalHolds | null; readonly others: number }

// Before migration 42 fill pairs were in `trades`.
const inEarlierNames = (sql: string): string => sql.replace('fill_pairs', 'trades').replace('pair_id', 'trade_id')

/** What a journal's file holds; `unreadable` if it cannot be read. Works on files of every version, so its raw SQL names only what all of them have. */
export const holdsOf = (file: string, userId: string): FileHolds | 'unreadable' => {
  try {
    const reader = openReader(file)
    try {
      const others = query<{ others: number }>(reader, 'SELECT count(*) AS others FROM profiles WHERE id <> ? AND demo = 0').get(userId)?.others ?? 0
      if (query(reader, 'SELECT 1 FROM profiles WHERE id = ?').get(userId) === undefined) return { own: null, others }
      const sql = `SELECT count(*) AS pairs, max(trading_day) AS lastTradeDay, (SELECT count(*) FROM accounts WHERE user_id = ? AND removed_at IS NULL) AS accounts
        FROM fill_pairs AS row WHERE ${pairInView}`
      const isEarlier = query(reader, "SELECT 1 FROM sqlite_schema WHERE name = 'fill_pairs'").get() === undefined
      return { own: query<JournalHolds>(reader, isEarlier ? inEarlierNames(sql) : sql).get(userId, userId, userId, userId) ?? null, others }
    } finally {
      closeReader(reader)
    }
  } catch {
    return 'unreadable'
  }
}
