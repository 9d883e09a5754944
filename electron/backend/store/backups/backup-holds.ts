import type { JournalHolds } from '#shared/api/backups.ts'
import { closeReader, openReader, query } from '../database.ts'
import { tradeInView } from '../trades/trade-view.ts'

/** What a journal's file holds of a user: null where it does not know the user, `unreadable` where it cannot be read. Files of every version can be asked. */
export const holdsOf = (file: string, userId: string): JournalHolds | null | 'unreadable' => {
  try {
    const reader = openReader(file)
    try {
      if (query(reader, 'SELECT 1 FROM profiles WHERE id = ?').get(userId) === undefined) return null
      const sql = `SELECT count(*) AS trades, max(trading_day) AS lastTradeDay, (SELECT count(*) FROM accounts WHERE user_id = ? AND removed_at IS NULL) AS accounts
        FROM trades AS row WHERE ${tradeInView}`
      return query<JournalHolds>(reader, sql).get(userId, userId, userId, userId) ?? null
    } finally {
      closeReader(reader)
    }
  } catch {
    return 'unreadable'
  }
}
