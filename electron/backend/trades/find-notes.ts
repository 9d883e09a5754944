import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { FoundNotes } from '#shared/api/journal.ts'
import { exactMoney } from '#shared/money/money.ts'
import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import type { trades } from '../db/schema/journal.ts'
import { dayNotes } from '../db/schema/own-data.ts'
import type { SqlRow } from '../db/tables.ts'
import { accountName, tradeInView } from './trade-view.ts'

const mostFound = 6

type FoundRow = Pick<SqlRow<typeof trades>, 'id' | 'trip_id' | 'symbol' | 'side' | 'trading_day' | 'net' | 'currency'> & { readonly account_name: string; readonly notes: string }

/** The latest trades and days whose notes contain every word of a text; none for a text without words. */
export const findNotes = (reader: Reader, { userId, text }: OfUser & { readonly text: string }): FoundNotes => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { trades: [], days: [] }
  const found = query<FoundRow>(
    reader,
    `SELECT row.id, row.trip_id, row.symbol, row.side, ${accountName} AS account_name, row.trading_day, row.net, row.currency, shown.notes FROM shown_notes AS shown
      CROSS JOIN trades AS row ON row.user_id = shown.user_id AND row.id = shown.trade_id LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id
      WHERE shown.user_id = ? AND shown.notes <> '' AND ${tradeInView} AND NOT EXISTS (SELECT 1 FROM json_each(?) AS word WHERE instr(folded(shown.notes), word.value) = 0) ORDER BY row.exit_time DESC, row.id DESC LIMIT ?`,
  ).all(userId, userId, userId, userId, JSON.stringify(words), mostFound)
  const hasWords = words.map((word) => sql`instr(folded(${dayNotes.notes}), ${word}) > 0`)
  const days = reader.orm.select().from(dayNotes).where(and(eq(dayNotes.userId, userId), ne(dayNotes.notes, ''), ...hasWords)).orderBy(desc(dayNotes.tradingDay)).limit(mostFound).all()
  return {
    trades: found.map((row) => ({ id: row.id, tripId: row.trip_id, symbol: row.symbol, side: row.side, account: row.account_name, tradingDay: row.trading_day, netPnl: exactMoney(row.net), currency: row.currency, excerpt: excerptOf(row.notes, words) })),
    days: days.map(({ tradingDay, notes }) => ({ tradingDay, excerpt: excerptOf(notes, words) })),
  }
}

const [before, length] = [20, 90]

/** The text around the first of the words, in one line. */
const excerptOf = (notes: string, words: readonly string[]): string => {
  const line = notes.replaceAll(/\s+/g, ' ').trim()
  const first = Math.min(...words.map((word) => line.toLowerCase().indexOf(word)).filter((at) => at >= 0))
  // From the beginning of a word.
  const from = line.lastIndexOf(' ', Math.max(0, first - before)) + 1
  const to = Math.min(line.length, from + length)
  return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`
}
