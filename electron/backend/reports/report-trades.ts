import { and, between, desc, eq, sql } from 'drizzle-orm'
import type { Trip } from '#shared/api/records.ts'
import { query, type Reader } from '../db/database.ts'
import { dayNotes } from '../db/schema/own-data.ts'
import { reports } from '../db/schema/reports.ts'
import { inViewOf } from '../trades/filtered-rows.ts'
import { membersOf, tradeIdsOf } from './queries.ts'
import { tripsByRef } from '../trades/trips.ts'
import type { ReportKey, ReportNote } from './rows.ts'

/** The ids whose bit is set. */
const idsIn = (members: Uint8Array, ids: readonly string[]): readonly string[] => ids.filter((_, index) => (((members[index >> 3] ?? 0) >> (index & 7)) & 1) === 1)

/** A page of the trades behind a fact or finding, newest exit first; null if the report, fact or finding is unknown. Trades that are no longer in view count in `gone`, not in `total`. */
export const readReportTrades = (reader: Reader, { userId, id, of, offset, limit }: ReportKey & { readonly of: string; readonly offset: number; readonly limit: number }): { readonly trades: Trip[]; readonly total: number; readonly gone: number } | null => {
  const members = membersOf(reader, userId, id, of)
  const all = tradeIdsOf(reader, userId, id)
  if (members === null || all === null) return null
  const ids = idsIn(members, all)
  const there = inViewOf(userId, 'trips')
  const sql = `SELECT row.ref FROM counted_trips AS row WHERE ${there.sql} AND row.id IN (SELECT value FROM json_each(?)) ORDER BY row.exit_time DESC, row.id DESC`
  const refs = query<{ ref: number }>(reader, sql).all(...there.values, JSON.stringify(ids)).map(({ ref }) => ref)
  return { trades: tripsByRef(reader, refs.slice(offset, offset + limit)), total: refs.length, gone: ids.length - refs.length }
}

type NoteRow = { tradingDay: string; symbol: string; notes: string }

// There are far fewer notes than trades: CROSS JOIN makes SQLite scan the notes first.
const tradeNotes = (there: string): string => `SELECT row.trading_day AS tradingDay, row.symbol, edit.notes FROM shown_notes AS edit CROSS JOIN trades AS row ON row.user_id = edit.user_id AND row.id = edit.trade_id
  WHERE edit.user_id = ? AND trim(edit.notes) <> '' AND ${there} AND COALESCE(row.trip_id, row.id) IN (SELECT value FROM json_each(?)) ORDER BY row.exit_time DESC, row.id DESC LIMIT ?`

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
  const there = inViewOf(userId, 'pairs')
  const ofTrades = query<NoteRow>(reader, tradeNotes(there.sql)).all(userId, ...there.values, JSON.stringify(ids), most)
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
