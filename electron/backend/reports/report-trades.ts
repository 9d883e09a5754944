import type { Trip } from '#shared/api/records.ts'
import { query, type Reader } from '../db/database.ts'
import { inViewOf } from '../trades/filtered-rows.ts'
import { tradeIdsOf } from './queries.ts'
import { tripsByRef } from '../trades/trips.ts'
import type { ReportKey, ReportNote } from './rows.ts'

/** The ids whose bit is set. */
const idsIn = (members: Uint8Array, ids: readonly string[]): readonly string[] => ids.filter((_, index) => (((members[index >> 3] ?? 0) >> (index & 7)) & 1) === 1)

/** A page of the trades behind a fact or finding, newest exit first; null if the report, fact or finding is unknown. Trades that are no longer in view count in `gone`, not in `total`. */
export const readReportTrades = (reader: Reader, { userId, id, of, offset, limit }: ReportKey & { readonly of: string; readonly offset: number; readonly limit: number }): { readonly trades: Trip[]; readonly total: number; readonly gone: number } | null => {
  const kept = query<{ members: Buffer }>(reader, 'SELECT members FROM report_members WHERE user_id = ? AND report_id = ? AND of = ?').get(userId, id, of)
  const all = tradeIdsOf(reader, userId, id)
  if (kept === undefined || all === null) return null
  const ids = idsIn(kept.members, all)
  const there = inViewOf(userId, 'trips')
  const sql = `SELECT row.ref FROM counted_trips AS row WHERE ${there.sql} AND row.id IN (SELECT value FROM json_each(?)) ORDER BY row.exit_time DESC, row.id DESC`
  const refs = query<{ ref: number }>(reader, sql).all(...there.values, JSON.stringify(ids)).map(({ ref }) => ref)
  return { trades: tripsByRef(reader, refs.slice(offset, offset + limit)), total: refs.length, gone: ids.length - refs.length }
}

type NoteRow = { trading_day: string; symbol: string | null; notes: string }

// There are far fewer notes than trades: CROSS JOIN makes SQLite scan the notes first.
const tradeNotes = (there: string): string => `SELECT row.trading_day, row.symbol, edit.notes FROM shown_notes AS edit CROSS JOIN trades AS row ON row.user_id = edit.user_id AND row.id = edit.trade_id
  WHERE edit.user_id = ? AND trim(edit.notes) <> '' AND ${there} AND COALESCE(row.trip_id, row.id) IN (SELECT value FROM json_each(?)) ORDER BY row.exit_time DESC, row.id DESC LIMIT ?`
const dayNotes = `SELECT trading_day, NULL AS symbol, notes FROM day_notes WHERE user_id = ? AND trim(notes) <> ''
  AND trading_day BETWEEN (SELECT from_day FROM reports WHERE user_id = ? AND id = ?) AND (SELECT to_day FROM reports WHERE user_id = ? AND id = ?) ORDER BY trading_day DESC LIMIT ?`

const noteOf =
  (about: ReportNote['about']) =>
  ({ trading_day, symbol, notes }: NoteRow): ReportNote => ({ about, tradingDay: trading_day, symbol, text: notes.trim() })

/** The notes of a report's trades and days, newest first, as many as fit both limits; none for an unknown report. */
export const reportNotes = (reader: Reader, { userId, id, most, characters }: ReportKey & { readonly most: number; readonly characters: number }): ReportNote[] => {
  const ids = tradeIdsOf(reader, userId, id)
  if (ids === null) return []
  const there = inViewOf(userId, 'pairs')
  const ofTrades = query<NoteRow>(reader, tradeNotes(there.sql)).all(userId, ...there.values, JSON.stringify(ids), most)
  const ofDays = query<NoteRow>(reader, dayNotes).all(userId, userId, id, userId, id, most)
  const notes = [...ofDays.map(noteOf('day')), ...ofTrades.map(noteOf('trade'))].sort((one, other) => (one.tradingDay < other.tradingDay ? 1 : one.tradingDay > other.tradingDay ? -1 : 0))
  const kept: ReportNote[] = []
  let left = characters
  for (const note of notes.slice(0, most)) {
    if (note.text.length > left) break
    left -= note.text.length
    kept.push(note)
  }
  return kept
}
