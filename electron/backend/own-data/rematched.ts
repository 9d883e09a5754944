import { eq } from 'drizzle-orm'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { query, type Reader, type Writer } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { rematchedAccounts } from '../db/schema/journal.ts'

type Row = { name: string; currency: string; pairs_before: number; net_before: Amount; pairs: number; net: Amount }

// An account whose trades did not change is left out.
const sql = `SELECT accounts.name, before.currency, pairs_before, net_before, count(trades.id) AS pairs, COALESCE(sum(trades.net), 0) AS net FROM rematched_accounts AS before
  JOIN accounts ON accounts.user_id = before.user_id AND accounts.key = before.account AND accounts.removed_at IS NULL
  LEFT JOIN trades ON trades.user_id = before.user_id AND trades.account_id = before.account AND trades.currency = before.currency AND trades.origin = 'synced'
  WHERE before.user_id = ? GROUP BY before.account, before.currency HAVING pairs <> pairs_before OR net <> net_before ORDER BY accounts.name, before.currency`

/** Accounts that were matched day by day and whose figures have changed since. Money is decimal text. */
export const rematched = (reader: Reader, { userId }: OfUser): { readonly name: string; readonly currency: string; readonly pairsBefore: number; readonly netBefore: string; readonly pairs: number; readonly net: string }[] =>
  query<Row>(reader, sql)
    .all(userId)
    .map(({ name, currency, pairs_before, net_before, pairs, net }) => ({ name, currency, pairsBefore: pairs_before, netBefore: exactMoney(net_before), pairs, net: exactMoney(net) }))

/** Deletes the figures from matching day by day. */
export const dismissRematched = ({ orm }: Writer, { userId }: OfUser): void => {
  orm.delete(rematchedAccounts).where(eq(rematchedAccounts.userId, userId)).run()
}
