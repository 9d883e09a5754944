import { query, type Reader } from '../db/database.ts'
import type { MoneyTotals, OfUser, JournalTotals } from '../db/rows.ts'
import { inView, tradeInView } from './trade-view.ts'

const countOf = (reader: Reader, sql: string, ...values: string[]): number => query<{ count: number }>(reader, sql).get(...values)?.count ?? 0

const connected = 'SELECT key FROM accounts WHERE user_id = ? AND removed_at IS NULL'

const sums = 'row.currency, sum(row.gross) AS grossPnl, sum(row.commission) AS commission, sum(row.net) AS netPnl'

export const totals = (reader: Reader, { userId }: OfUser): JournalTotals => {
  const users = [userId, userId, userId]
  const byDay = `SELECT COALESCE(row.account, accounts.name, row.account_id) AS account, row.trading_day AS tradingDay, ${sums} FROM trades AS row
    LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id
    WHERE ${tradeInView} GROUP BY row.account_id, 1, 2, row.currency ORDER BY 2, 1, row.currency`
  return {
    accounts: countOf(reader, `SELECT count(*) AS count FROM (${connected})`, userId),
    fills: countOf(reader, `SELECT count(*) AS count FROM fills WHERE user_id = ? AND account IN (${connected})`, userId, userId),
    pairs: countOf(reader, `SELECT count(*) AS count FROM trades AS row WHERE ${tradeInView}`, ...users),
    trips: countOf(reader, `SELECT count(*) AS count FROM trips AS row WHERE ${inView}`, userId, userId),
    money: query<MoneyTotals>(reader, `SELECT ${sums} FROM trades AS row WHERE ${tradeInView} GROUP BY row.currency ORDER BY row.currency`).all(...users),
    byTradingDay: query<MoneyTotals & { account: string; tradingDay: string }>(reader, byDay).all(...users),
  }
}
