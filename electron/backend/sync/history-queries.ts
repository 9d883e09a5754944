import { and, asc, eq } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { change, query, type Reader } from '../db/database.ts'
import type { HistoryWindow } from './history-calls.ts'
import type { Read, Write } from '../journal/part.ts'
import { historyWindows as windowTable, historyWishes as wishTable } from '../db/schema/history.ts'

type WindowRow = Omit<HistoryWindow, 'stands'> & { readonly state: string | null }

const windowsOf = (reader: Reader, userId: string): HistoryWindow[] => {
  const sql = `SELECT history_windows.account, from_day AS "from", to_day AS "to", fills, pairs, trips, state FROM history_windows
    LEFT JOIN imports ON imports.user_id = history_windows.user_id AND imports.id = import_id
    WHERE history_windows.user_id = ? AND (import_id IS NULL OR state IN ('standing', 'undone')) ORDER BY history_windows.account, from_day, to_day`
  return query<WindowRow>(reader, sql)
    .all(userId)
    .map(({ state, ...window }) => ({ ...window, stands: state !== 'undone' }))
}

export const history: Read<'history'> = (reader, { userId }) => ({
  wishes: reader.orm.select({ loginId: wishTable.loginId, state: wishTable.state, since: wishTable.since }).from(wishTable).where(eq(wishTable.userId, userId)).orderBy(asc(wishTable.loginId)).all(),
  windows: windowsOf(reader, userId),
})

/** Whether a trading day of an account came from the reporting service and stands. */
export const daysFromHistory = (reader: Reader, userId: string): ((account: AccountKey, tradingDay: string) => boolean) => {
  const byAccount = Map.groupBy(windowsOf(reader, userId).filter(({ stands }) => stands), ({ account }) => account)
  return (account, day) => byAccount.get(account)?.some(({ from, to }) => from <= day && day <= to) ?? false
}

/** The ids of imports that came from the reporting service. */
export const importsOfHistory = (reader: Reader, userId: string): ReadonlySet<string> =>
  new Set(query<{ id: string }>(reader, 'SELECT import_id AS id FROM history_windows WHERE user_id = ? AND import_id IS NOT NULL').all(userId).map(({ id }) => id))

export const saveHistoryWish: Write<'saveHistoryWish'> = ({ orm }, { userId, loginId, state, since, at }) => {
  const row = { state, since, at }
  orm.insert(wishTable).values({ userId, loginId, ...row }).onConflictDoUpdate({ target: [wishTable.userId, wishTable.loginId], set: row }).run()
}

export const noteHistoryWindow: Write<'noteHistoryWindow'> = (writer, { userId, account, from, to, at, importId }) => {
  const sql = 'INSERT OR REPLACE INTO history_windows (user_id, account, from_day, to_day, at, import_id, fills, pairs, trips) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0)'
  change(writer, sql).run(userId, account, from, to, at, importId)
}

export const forgetUndoneHistory: Write<'forgetUndoneHistory'> = (writer, { userId, loginId }) => {
  const sql = `DELETE FROM history_windows WHERE user_id = ? AND account IN (SELECT key FROM accounts WHERE accounts.user_id = history_windows.user_id AND login_id = ?)
    AND import_id IN (SELECT id FROM imports WHERE imports.user_id = history_windows.user_id AND state = 'undone')`
  change(writer, sql).run(userId, loginId)
}

export const countHistoryWindow: Write<'countHistoryWindow'> = ({ orm }, { userId, account, from, to, fills, pairs, trips }) => {
  const one = and(eq(windowTable.userId, userId), eq(windowTable.account, account), eq(windowTable.from, from), eq(windowTable.to, to))
  orm.update(windowTable).set({ fills, pairs, trips }).where(one).run()
}
