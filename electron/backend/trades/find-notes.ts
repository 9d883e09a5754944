import { and, desc, eq, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { FoundNotes } from '#shared/api/journal.ts'
import { exactMoney } from '#shared/money/money.ts'
import type { Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { shownNotes } from '../db/schema/journal.ts'
import { dayNotes } from '../db/schema/own-data.ts'
import { conditionOf, inViewOf } from './filtered-rows.ts'
import { accountName, pairRow } from './rows.ts'

const mostFound = 6

/** The latest fill pairs and days whose notes contain every word of a text; none for a text without words. */
export const findNotes = (reader: Reader, { userId, text }: OfUser & { readonly text: string }): FoundNotes => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { pairs: [], days: [] }
  const hasWords = (notes: SQLWrapper): SQL[] => words.map((word) => sql`instr(folded(${notes}), ${word}) > 0`)
  const { id, tradeId, symbol, side, tradingDay, net, currency } = pairRow
  const isOfPair = and(eq(pairRow.userId, shownNotes.userId), eq(id, shownNotes.pairId), conditionOf(inViewOf(userId, 'pairs')))
  const found = reader.orm
    .select({ id, tradeId, symbol, side, account: sql<string>`${sql.raw(accountName)}`, tradingDay, net, currency, notes: shownNotes.notes })
    .from(shownNotes)
    .crossJoin(pairRow)
    .leftJoin(accounts, and(eq(accounts.userId, pairRow.userId), eq(accounts.key, pairRow.accountId)))
    .where(and(eq(shownNotes.userId, userId), ne(shownNotes.notes, ''), isOfPair, ...hasWords(shownNotes.notes)))
    .orderBy(desc(pairRow.exitTime), desc(id))
    .limit(mostFound)
    .all()
  const days = reader.orm.select().from(dayNotes).where(and(eq(dayNotes.userId, userId), ne(dayNotes.notes, ''), ...hasWords(dayNotes.notes))).orderBy(desc(dayNotes.tradingDay)).limit(mostFound).all()
  return {
    pairs: found.map(({ notes, net: made, currency: money, ...row }) => ({ ...row, netPnl: exactMoney(made), currency: money, excerpt: excerptOf(notes, words) })),
    days: days.map(({ tradingDay: day, notes }) => ({ tradingDay: day, excerpt: excerptOf(notes, words) })),
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
