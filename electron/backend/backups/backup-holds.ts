import type { JournalHolds } from '#shared/api/backups.ts'
import { closeReader, openReader, query } from '../db/database.ts'
import { tradeInView } from '../trades/trade-view.ts'

/** What a journal's file holds of a user, null if it does not know the user, and its number of other profiles, without the demo. */
export type FileHolds = { readonly own: JournalHolds | null; readonly others: number }

/** What a journal's file holds; `unreadable` if it cannot be read. Works on files of every version, so its raw SQL names only what all of them have. */
export const holdsOf = (file: string, userId: string): FileHolds | 'unreadable' => {
  try {
    const reader = openReader(file)
    try {
      const others = query<{ others: number }>(reader, 'SELECT count(*) AS others FROM profiles WHERE id <> ? AND demo = 0').get(userId)?.others ?? 0
      if (query(reader, 'SELECT 1 FROM profiles WHERE id = ?').get(userId) === undefined) return { own: null, others }
      const sql = `SELECT count(*) AS trades, max(trading_day) AS lastTradeDay, (SELECT count(*) FROM accounts WHERE user_id = ? AND removed_at IS NULL) AS accounts
        FROM trades AS row WHERE ${tradeInView}`
      return { own: query<JournalHolds>(reader, sql).get(userId, userId, userId, userId) ?? null, others }
    } finally {
      closeReader(reader)
    }
  } catch {
    return 'unreadable'
  }
}
