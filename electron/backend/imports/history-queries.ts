import { and, asc, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Reader, Writer } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { historyWindows as windowTable, historyRequests as requestTable } from '../db/schema/history.ts'
import { imports } from '../db/schema/imports.ts'
import type { OfUser } from '../db/rows.ts'

/** The state of the offer to fetch a login's history; `since` is a trading day, null if none was wanted. */
export type HistoryRequest = { readonly loginId: string; readonly state: 'wanted' | 'stopped' | 'done' | 'declined' | 'refused'; readonly since: string | null }

/** Trading days of an account that were requested, both ends included, and how many rows of each kind they added to the journal. */
export type HistoryWindow = {
  readonly account: AccountKey
  readonly from: string
  readonly to: string
  /** False if the user undid its import. */
  readonly isKept: boolean
  readonly fills: number
  readonly pairs: number
  readonly trades: number
}

/** One window of a user. */
export type OfWindow = OfUser & Pick<HistoryWindow, 'account' | 'from' | 'to'>

const { account, from, to, fills, pairs, trades } = windowTable

const windowsOf = ({ orm }: Reader, userId: string): HistoryWindow[] =>
  orm
    .select({ account, from, to, fills, pairs, trades, state: imports.state })
    .from(windowTable)
    .leftJoin(imports, and(eq(imports.userId, windowTable.userId), eq(imports.id, windowTable.importId)))
    .where(and(eq(windowTable.userId, userId), or(isNull(windowTable.importId), inArray(imports.state, ['standing', 'undone']))))
    .orderBy(asc(account), asc(from), asc(to))
    .all()
    .map(({ state, ...window }) => ({ ...window, isKept: state !== 'undone' }))

/** Excludes windows whose import never finished. */
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
export const importsOfHistory = ({ orm }: Reader, userId: string): ReadonlySet<string> =>
  new Set(orm.select({ importId: windowTable.importId }).from(windowTable).where(and(eq(windowTable.userId, userId), isNotNull(windowTable.importId))).all().flatMap(({ importId }) => importId ?? []))

export const saveHistoryRequest = ({ orm }: Writer, { userId, loginId, state, since, at }: OfUser & HistoryRequest & { readonly at: number }): void => {
  const row = { state, since, at }
  orm.insert(requestTable).values({ userId, loginId, ...row }).onConflictDoUpdate({ target: [requestTable.userId, requestTable.loginId], set: row }).run()
}

/** Records a window before its import begins. The window counts once that import is active; without an import, at once. */
export const recordHistoryWindow = ({ orm }: Writer, { at, importId, ...window }: OfWindow & { readonly at: number; readonly importId: string | null }): void => {
  const content = { at, importId, fills: 0, pairs: 0, trades: 0 }
  orm.insert(windowTable).values({ ...window, ...content }).onConflictDoUpdate({ target: [windowTable.userId, account, from, to], set: content }).run()
}

/** Deletes windows of a login's accounts whose import the user undid: they are missing again. */
export const deleteUndoneHistory = ({ orm }: Writer, { userId, loginId }: OfUser & { readonly loginId: string }): void => {
  const ofLogin = orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.loginId, loginId)))
  const undone = orm.select({ id: imports.id }).from(imports).where(and(eq(imports.userId, userId), eq(imports.state, 'undone')))
  orm.delete(windowTable).where(and(eq(windowTable.userId, userId), inArray(account, ofLogin), inArray(windowTable.importId, undone))).run()
}

/** Saves how many rows a window added, with those that came in one import with it. */
export const countHistoryWindow = ({ orm }: Writer, { userId, account, from, to, fills, pairs, trades }: OfWindow & Pick<HistoryWindow, 'fills' | 'pairs' | 'trades'>): void => {
  const one = and(eq(windowTable.userId, userId), eq(windowTable.account, account), eq(windowTable.from, from), eq(windowTable.to, to))
  orm.update(windowTable).set({ fills, pairs, trades }).where(one).run()
}
