import { and, asc, count, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import type { Reader, Writer } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { fillPairs, rematchedAccounts } from '../db/schema/journal.ts'

/** Accounts that were matched day by day and whose figures have changed since. Money is decimal text. */
export const rematched = ({ orm }: Reader, { userId }: OfUser): { readonly name: string; readonly currency: string; readonly pairsBefore: number; readonly netBefore: string; readonly pairs: number; readonly net: string }[] => {
  const { pairsBefore, netBefore, account, currency } = rematchedAccounts
  const [pairs, net] = [count(fillPairs.id), sql<Amount>`COALESCE(sum(${fillPairs.net}), 0)`]
  return orm
    .select({ name: accounts.name, currency, pairsBefore, netBefore, pairs, net })
    .from(rematchedAccounts)
    .innerJoin(accounts, and(eq(accounts.userId, rematchedAccounts.userId), eq(accounts.key, account), isNull(accounts.removedAt)))
    .leftJoin(fillPairs, and(eq(fillPairs.userId, rematchedAccounts.userId), eq(fillPairs.accountId, account), eq(fillPairs.currency, currency), eq(fillPairs.origin, 'synced')))
    .where(eq(rematchedAccounts.userId, userId))
    .groupBy(account, currency)
    .having(or(ne(pairs, pairsBefore), ne(net, netBefore)))
    .orderBy(asc(accounts.name), asc(currency))
    .all()
    .map((row) => ({ ...row, netBefore: exactMoney(row.netBefore), net: exactMoney(row.net) }))
}

/** Deletes the figures from matching day by day. */
export const dismissRematched = ({ orm }: Writer, { userId }: OfUser): void => {
  orm.delete(rematchedAccounts).where(eq(rematchedAccounts.userId, userId)).run()
}
