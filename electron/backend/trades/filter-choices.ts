import { eq } from 'drizzle-orm'
import { compareText } from '#shared/base/compare-text.ts'
import type { FilterChoices } from '#shared/api/statistics.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { query, type Reader } from '../db/database.ts'
import { copiedOrders } from '../db/schema/journal.ts'
import { hasKeptExcursions } from '../prices/store/stored-excursions.ts'
import { copies, inViewOf } from './filtered-rows.ts'
import { accountKey } from './rows.ts'
import { firmsOf } from './statistics.ts'
import type { OfUser } from '../db/rows.ts'

type AccountChoice = { key: string; name: string | null; copy_of: string | null }

/** In raw SQL of the logbook's filter: the benchmark `logbook` measures it. */
export const filterChoices = (reader: Reader, { userId }: OfUser): FilterChoices => {
  const { sql: inView, values } = inViewOf(userId, 'pairs')
  const connected = query<AccountChoice>(reader, `SELECT key, name, CASE WHEN key IN (${copies}) THEN copy_of END AS copy_of FROM accounts WHERE user_id = ? AND removed_at IS NULL`).all(userId, userId)
  const byHand = query<AccountChoice>(reader, `SELECT ${accountKey} AS key, min(row.account) AS name, NULL AS copy_of FROM fill_pairs AS row WHERE ${inView} AND row.origin = 'manual' GROUP BY 1`).all(...values)
  const firms = firmsOf(reader, userId)
  // The account's own name comes later and overrides the entered one.
  const accounts = new Map([...byHand, ...connected].filter(({ key }) => key !== '').map((row) => [row.key, row]))
  const known = `SELECT symbol FROM (SELECT DISTINCT symbol FROM fill_pairs WHERE user_id = ?) AS known WHERE EXISTS (SELECT 1 FROM fill_pairs AS row WHERE row.symbol = known.symbol AND ${inView})`
  const symbols = query<{ symbol: string }>(reader, known).all(userId, ...values)
  const tags = query<{ tag: string }>(
    reader,
    `SELECT tag.value AS tag FROM shown_notes AS edit, json_each(edit.tags) AS tag WHERE edit.user_id = ? AND EXISTS (SELECT 1 FROM fill_pairs AS row WHERE row.id = edit.pair_id AND ${inView})
     UNION SELECT tag.value FROM day_notes, json_each(day_notes.tags) AS tag WHERE user_id = ?`,
  )
  const hasCopies = reader.orm.select({ orderId: copiedOrders.orderId }).from(copiedOrders).where(eq(copiedOrders.userId, userId)).limit(1).get() !== undefined
  return {
    ...(hasCopies ? { copied: true } : {}),
    ...(hasKeptExcursions(reader, userId) ? { priced: true } : {}),
    accounts: [...accounts.values()]
      // A trade may name an account only by its key.
      .map(({ key, name, copy_of }) => ({ key, name: name || key, firm: (firms.get(key) ?? null) as FilterChoices['accounts'][number]['firm'], copyOf: copy_of }))
      .toSorted((one, other) => compareText(one.name, other.name) || compareText(one.key, other.key)),
    symbols: [...new Set(symbols.map(({ symbol }) => wholeRootOf(symbol)))].toSorted(compareText),
    tags: tags.all(userId, ...values, userId).map(({ tag }) => tag).toSorted(compareText),
  }
}
