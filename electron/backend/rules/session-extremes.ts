import { and, eq, getTableColumns, gte, lt, max, type SQL } from 'drizzle-orm'
import type { Amount } from '#shared/money/money.ts'
import type { WatchedDay } from '#shared/rules/transfers.ts'
import type { Reader, Writer } from '../db/database.ts'
import { sessionExtremes as table } from '../db/schema/rules.ts'
import type { OfUser } from '../db/rows.ts'
import type { SessionExtremes } from './rows.ts'

/** What was seen of a user's accounts in one session, on this computer. */
export const sessionExtremes = ({ orm }: Reader, { userId, day }: OfUser & { readonly day: string }): SessionExtremes[] => {
  const { userId: owner, ...columns } = getTableColumns(table)
  return orm.select(columns).from(table).where(and(eq(owner, userId), eq(table.tradingDay, day))).all()
}

/** Saves what was seen of sessions, replacing earlier rows. */
export const keepExtremes = ({ orm }: Writer, { userId, extremes }: OfUser & { readonly extremes: readonly SessionExtremes[] }): void => {
  for (const { account, tradingDay, ...figures } of extremes) {
    orm.insert(table).values({ userId, account, tradingDay, ...figures }).onConflictDoUpdate({ target: [table.userId, table.account, table.tradingDay], set: figures }).run()
  }
}

/** How high each watched session of an account went, from a trading day on. */
export const watchedDays = ({ orm }: Reader, userId: string, account: string, since: string): WatchedDay[] =>
  orm
    .select({ tradingDay: table.tradingDay, highest: table.highestDay })
    .from(table)
    .where(and(eq(table.userId, userId), eq(table.account, account), gte(table.tradingDay, since)))
    .orderBy(table.tradingDay)
    .all()
    .flatMap(({ tradingDay, highest }) => (highest === null ? [] : [{ tradingDay, highest }]))

/** The highest equity seen of an account on a trading day, and from `since` up to the day before it; each null if none was. */
export const peaksOf = ({ orm }: Reader, userId: string, account: string, { since, day }: { readonly since: string; readonly day: string }): { readonly dayPeak: Amount | null; readonly earlierPeak: Amount | null } => {
  const highest = (when: SQL): Amount | null =>
    orm.select({ peak: max(table.peak) }).from(table).where(and(eq(table.userId, userId), eq(table.account, account), gte(table.tradingDay, since), when)).get()?.peak ?? null
  return { dayPeak: highest(eq(table.tradingDay, day)), earlierPeak: highest(lt(table.tradingDay, day)) }
}
