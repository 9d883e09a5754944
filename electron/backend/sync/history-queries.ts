import { and, asc, eq } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { historyWindows as windowTable, historyRequests as requestTable } from '../db/schema/history.ts'
import type { OfUser } from '../db/rows.ts'

/** The state of the offer to fetch a login's history; `since` is a trading day, null where none was wanted. */
export type HistoryRequest = { readonly loginId: string; readonly state: 'wanted' | 'stopped' | 'done' | 'declined' | 'refused'; readonly since: string | null }

/** Trading days of an account that were asked for, both ends included, and how many rows of each kind that added to the journal. */
export type HistoryWindow = {
  readonly account: AccountKey
  readonly from: string
  readonly to: string
  /** False if the user undid its import. */
  readonly isKept: boolean
  readonly fills: number
  readonly pairs: number
  readonly trips: number
}

/** One window of a user. */
export type OfWindow = OfUser & Pick<HistoryWindow, 'account' | 'from' | 'to'>

type WindowRow = Omit<HistoryWindow, 'isKept'> & { readonly state: string | null }

const windowsOf = (reader: Reader, userId: string): HistoryWindow[] => {
  const sql = `SELECT history_windows.account, from_day AS "from", to_day AS "to", fills, pairs, trips, state FROM history_windows
    LEFT JOIN imports ON imports.user_id = history_windows.user_id AND imports.id = import_id
    WHERE history_windows.user_id = ? AND (import_id IS NULL OR state IN ('standing', 'undone')) ORDER BY history_windows.account, from_day, to_day`
  return query<WindowRow>(reader, sql)
    .all(userId)
    .map(({ state, ...window }) => ({ ...window, isKept: state !== 'undone' }))
}

/** A window whose import never came to its end is not among them. */
export const history = (reader: Reader, { userId }: OfUser): { readonly requests: HistoryRequest[]; readonly windows: HistoryWindow[] } => ({
  requests: reader.orm.select({ loginId: requestTable.loginId, state: requestTable.state, since: requestTable.since }).from(requestTable).where(eq(requestTable.userId, userId)).orderBy(asc(requestTable.loginId)).all(),
  windows: windowsOf(reader, userId),
})

/** Whether a trading day of an account came from the reporting service and was not undone. */
export const daysFromHistory = (reader: Reader, userId: string): ((account: AccountKey, tradingDay: string) => boolean) => {
  const byAccount = Map.groupBy(windowsOf(reader, userId).filter(({ isKept }) => isKept), ({ account }) => account)
  return (account, day) => byAccount.get(account)?.some(({ from, to }) => from <= day && day <= to) ?? false
}

/** The ids of imports that came from the reporting service. */
export const importsOfHistory = (reader: Reader, userId: string): ReadonlySet<string> =>
  new Set(query<{ id: string }>(reader, 'SELECT import_id AS id FROM history_windows WHERE user_id = ? AND import_id IS NOT NULL').all(userId).map(({ id }) => id))

export const saveHistoryRequest = ({ orm }: Writer, { userId, loginId, state, since, at }: OfUser & HistoryRequest & { readonly at: number }): void => {
  const row = { state, since, at }
  orm.insert(requestTable).values({ userId, loginId, ...row }).onConflictDoUpdate({ target: [requestTable.userId, requestTable.loginId], set: row }).run()
}

/** Notes a window before its import begins, so that both come to be at once: it counts once that import is active, and without one at once. */
export const noteHistoryWindow = (writer: Writer, { userId, account, from, to, at, importId }: OfWindow & { readonly at: number; readonly importId: string | null }): void => {
  const sql = 'INSERT OR REPLACE INTO history_windows (user_id, account, from_day, to_day, at, import_id, fills, pairs, trips) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0)'
  change(writer, sql).run(userId, account, from, to, at, importId)
}

/** Forgets windows of a login's accounts whose import the user undid: they are missing again. */
export const forgetUndoneHistory = (writer: Writer, { userId, loginId }: OfUser & { readonly loginId: string }): void => {
  const sql = `DELETE FROM history_windows WHERE user_id = ? AND account IN (SELECT key FROM accounts WHERE accounts.user_id = history_windows.user_id AND login_id = ?)
    AND import_id IN (SELECT id FROM imports WHERE imports.user_id = history_windows.user_id AND state = 'undone')`
  change(writer, sql).run(userId, loginId)
}

/** Keeps how many rows a window added, with those that came in one import with it. */
export const countHistoryWindow = ({ orm }: Writer, { userId, account, from, to, fills, pairs, trips }: OfWindow & Pick<HistoryWindow, 'fills' | 'pairs' | 'trips'>): void => {
  const one = and(eq(windowTable.userId, userId), eq(windowTable.account, account), eq(windowTable.from, from), eq(windowTable.to, to))
  orm.update(windowTable).set({ fills, pairs, trips }).where(one).run()
}
