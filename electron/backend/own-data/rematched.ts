import { exactMoney, type Amount } from '#shared/money/money.ts'
import { change, query } from '../db/database.ts'
import type { Read, Write } from '../journal/part.ts'

type Row = { name: string; currency: string; pairs_before: number; net_before: Amount; pairs: number; net: Amount }

// An account whose trades came to the same has nothing to say.
const sql = `SELECT accounts.name, before.currency, pairs_before, net_before, count(trades.id) AS pairs, COALESCE(sum(trades.net), 0) AS net FROM rematched_accounts AS before
  JOIN accounts ON accounts.user_id = before.user_id AND accounts.key = before.account AND accounts.removed_at IS NULL
  LEFT JOIN trades ON trades.user_id = before.user_id AND trades.account_id = before.account AND trades.currency = before.currency AND trades.origin = 'synced'
  WHERE before.user_id = ? GROUP BY before.account, before.currency HAVING pairs <> pairs_before OR net <> net_before ORDER BY accounts.name, before.currency`

export const rematched: Read<'rematched'> = (reader, { userId }) =>
  query<Row>(reader, sql)
    .all(userId)
    .map(({ name, currency, pairs_before, net_before, pairs, net }) => ({ name, currency, pairsBefore: pairs_before, netBefore: exactMoney(net_before), pairs, net: exactMoney(net) }))

export const dismissRematched: Write<'dismissRematched'> = (writer, { userId }) => {
  change(writer, 'DELETE FROM rematched_accounts WHERE user_id = ?').run(userId)
}
