import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Amount } from '#shared/money/money.ts'
import type { WatchedDay } from '#shared/rules/transfers.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { sessionExtremes as table } from '../db/schema/rules.ts'
import type { OfUser } from '../db/rows.ts'
import type { SessionExtremes } from './rows.ts'

/** What was seen of a user's accounts in one session, on this computer. */
export const sessionExtremes = ({ orm }: Reader, { userId, day }: OfUser & { readonly day: string }): SessionExtremes[] => {
  const { userId: owner, ...columns } = getTableColumns(table)
  return orm.select(columns).from(table).where(and(eq(owner, userId), eq(table.tradingDay, day))).all()
}

/** Saves what was seen of sessions, replacing earlier rows. */
export const keepExtremes = (writer: Writer, { userId, extremes }: OfUser & { readonly extremes: readonly SessionExtremes[] }): void => {
  const put = change(writer, `INSERT OR REPLACE INTO session_extremes (user_id, account, trading_day, peak, trough, lowest_balance, highest_day, lowest_day, lowest_realised, moved)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  for (const { account, tradingDay, peak, trough, lowestBalance, highestDay, lowestDay, lowestRealised, moved } of extremes satisfies readonly SessionExtremes[]) {
    put.run(userId, account, tradingDay, peak, trough, lowestBalance, highestDay, lowestDay, lowestRealised, moved)
  }
}

/** How high each watched session of an account went, from a trading day on. */
export const watchedDays = (reader: Reader, userId: string, account: string, since: string): WatchedDay[] =>
  query<WatchedDay>(reader, 'SELECT trading_day AS tradingDay, highest_day AS highest FROM session_extremes WHERE user_id = ? AND account = ? AND trading_day >= ? AND highest_day IS NOT NULL ORDER BY trading_day').all(userId, account, since)

/** The highest equity seen of an account on a trading day, and from `since` up to the day before it; each null if none was. */
export const peaksOf = (reader: Reader, userId: string, account: string, { since, day }: { readonly since: string; readonly day: string }): { readonly dayPeak: Amount | null; readonly earlierPeak: Amount | null } => {
  const sql = `SELECT max(CASE WHEN trading_day = @day THEN peak END) AS dayPeak, max(CASE WHEN trading_day < @day THEN peak END) AS earlierPeak
    FROM session_extremes WHERE user_id = @userId AND account = @account AND trading_day BETWEEN @since AND @day`
  return query<{ dayPeak: Amount | null; earlierPeak: Amount | null }>(reader, sql).get({ userId, account, since, day }) ?? { dayPeak: null, earlierPeak: null }
}
