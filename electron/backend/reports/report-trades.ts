import { and, between, desc, eq, sql } from 'drizzle-orm'
import type { TradeRecord } from '#shared/api/records.ts'
import { isAmong } from '../db/among.ts'
import type { Reader } from '../db/database.ts'
import { shownNotes } from '../db/schema/journal.ts'
import { dayNotes } from '../db/schema/own-data.ts'
import { reports } from '../db/schema/reports.ts'
import { conditionOf, inViewOf } from '../trades/filtered-rows.ts'
import { pairRow, tradeRow } from '../trades/rows.ts'
import { membersOf, tradeIdsOf } from './queries.ts'
import { tradesByRef } from '../trades/trades.ts'
import type { ReportKey, ReportNote } from './rows.ts'

/** The ids whose bit is set. */
const idsIn = (members: Uint8Array, ids: readonly string[]): readonly string[] => ids.filter((_, index) => (((members[index >> 3] ?? 0) >> (index & 7)) & 1) === 1)

/** A page of the trades behind a fact or finding, newest exit first; null if the report, fact or finding is unknown. Trades that are no longer in view count in `gone`, not in `total`. */
export const readReportTrades = (reader: Reader, { userId, id, of, offset, limit }: ReportKey & { readonly of: string; readonly offset: number; readonly limit: number }): { readonly trades: TradeRecord[]; readonly total: number; readonly gone: number } | null => {
  const members = membersOf(reader, userId, id, of)
  const all = tradeIdsOf(reader, userId, id)
  if (members === null || all === null) return null
  const ids = idsIn(members, all)
  const there = and(conditionOf(inViewOf(userId, 'trades')), isAmong(tradeRow.id, ids))
  const refs = reader.orm.select({ ref: tradeRow.ref }).from(tradeRow).where(there).orderBy(desc(tradeRow.exitTime), desc(tradeRow.id)).all().map(({ ref }) => ref)
  return { trades: tradesByRef(reader, refs.slice(offset, offset + limit)), total: refs.length, gone: ids.length - refs.length }
}

// There are far fewer notes than trades: the cross join makes SQLite scan the notes first.
const notesOfTrades = ({ orm }: Reader, userId: string, ids: readonly string[], most: number) => {
  const isOfTrade = and(eq(pairRow.userId, shownNotes.userId), eq(pairRow.id, shownNotes.pairId), conditionOf(inViewOf(userId, 'pairs')), isAmong(sql`COALESCE(${pairRow.tradeId}, ${pairRow.id})`, ids))
  return orm
    .select({ tradingDay: pairRow.tradingDay, symbol: pairRow.symbol, notes: shownNotes.notes })
    .from(shownNotes)
    .crossJoin(pairRow)
    .where(and(eq(shownNotes.userId, userId), sql`trim(${shownNotes.notes}) <> ''`, isOfTrade))
    .orderBy(desc(pairRow.exitTime), desc(pairRow.id))
    .limit(most)
    .all()
}

const notesOfDays = ({ orm }: Reader, { userId, id }: ReportKey, most: number) =>
  orm
    .select({ tradingDay: dayNotes.tradingDay, notes: dayNotes.notes })
    .from(dayNotes)
    .innerJoin(reports, and(eq(reports.userId, dayNotes.userId), eq(reports.id, id)))
    .where(and(eq(dayNotes.userId, userId), sql`trim(${dayNotes.notes}) <> ''`, between(dayNotes.tradingDay, reports.fromDay, reports.toDay)))
    .orderBy(desc(dayNotes.tradingDay))
    .limit(most)
    .all()

/** The notes of a report's trades and days, newest first, as many as fit both limits; none for an unknown report. */
export const reportNotes = (reader: Reader, { userId, id, most, characters }: ReportKey & { readonly most: number; readonly characters: number }): ReportNote[] => {
  const ids = tradeIdsOf(reader, userId, id)
  if (ids === null) return []
  const ofTrades = notesOfTrades(reader, userId, ids, most)
  const notes = [
    ...notesOfDays(reader, { userId, id }, most).map(({ tradingDay, notes: text }): ReportNote => ({ about: 'day', tradingDay, symbol: null, text: text.trim() })),
    ...ofTrades.map(({ tradingDay, symbol, notes: text }): ReportNote => ({ about: 'trade', tradingDay, symbol, text: text.trim() })),
  ].sort((one, other) => (one.tradingDay < other.tradingDay ? 1 : one.tradingDay > other.tradingDay ? -1 : 0))
  const kept: ReportNote[] = []
  let left = characters
  for (const note of notes.slice(0, most)) {
    if (note.text.length > left) break
    left -= note.text.length
    kept.push(note)
  }
  return kept
}
