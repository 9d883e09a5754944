import { and, eq, getTableColumns, gte, lt, max, sql, type SQL } from 'drizzle-orm'
import type { Amount } from '#shared/money/money.ts'
import type { WatchedDay } from '#shared/rules/transfers.ts'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { sessionExtremes as table } from '../db/schema/rules.ts'
import type { OfUser } from '../db/rows.ts'
import type { SessionExtremes } from './rows.ts'

/** What was seen of a user's accounts in one session, on this computer. */
export const sessionExtremes = ({ orm }: Reader, { userId, day }: OfUser & { readonly day: string }): SessionExtremes[] => {
  const { userId: owner, ...columns } = getTableColumns(table)
  return orm.select(columns).from(table).where(and(eq(owner, userId), eq(table.tradingDay, day))).all()
}

/** Saves what was seen of sessions, replacing earlier rows. */
export const saveExtremes = ({ orm }: Writer, { userId, extremes }: OfUser & { readonly extremes: readonly SessionExtremes[] }): void => {
  for (const { account, tradingDay, ...figures } of extremes) {
    orm.insert(table).values({ userId, account, tradingDay, ...figures }).onConflictDoUpdate({ target: [table.userId, table.account, table.tradingDay], set: figures }).run()
  }
}

const ofAccountSince = and(eq(table.userId, sql.placeholder('userId')), eq(table.account, sql.placeholder('account')), gte(table.tradingDay, sql.placeholder('since')))
const selectWatched = perConnection(({ orm }: Reader) => orm.select({ tradingDay: table.tradingDay, highest: table.highestDay }).from(table).where(ofAccountSince).orderBy(table.tradingDay).prepare())
const selectPeak = (when: SQL) => perConnection(({ orm }: Reader) => orm.select({ peak: max(table.peak) }).from(table).where(and(ofAccountSince, when)).prepare())
const [peakOn, peakBefore] = [selectPeak(eq(table.tradingDay, sql.placeholder('day'))), selectPeak(lt(table.tradingDay, sql.placeholder('day')))]

/** How high each watched session of an account went, from a trading day on. */
export const watchedDays = (reader: Reader, userId: string, account: string, since: string): WatchedDay[] =>
  selectWatched(reader)
    .all({ userId, account, since })
    .flatMap(({ tradingDay, highest }) => (highest === null ? [] : [{ tradingDay, highest }]))

/** The highest equity seen of an account on a trading day, and from `since` up to the day before it; each null if none was. */
export const peaksOf = (reader: Reader, userId: string, account: string, { since, day }: { readonly since: string; readonly day: string }): { readonly dayPeak: Amount | null; readonly earlierPeak: Amount | null } => {
  const of = { userId, account, since, day }
  return { dayPeak: peakOn(reader).get(of)?.peak ?? null, earlierPeak: peakBefore(reader).get(of)?.peak ?? null }
}
