import type { Unit } from '#shared/api/statistics.ts'
import { excursionFigures, type ExcursionFigure, type TradeFilter } from '#shared/stats/filter.ts'
import type { TradeSort } from '#shared/api/journal.ts'
import { query, type Reader } from '../db/database.ts'
import { idsByExcursion } from '../prices/kept-excursions.ts'
import { rowsMeeting, tableOf } from './filtered-rows.ts'
import type { OfUser } from '../db/rows.ts'

/** A user's trades that pass a filter. */
export type OfFilter = OfUser & { readonly filter: TradeFilter }

/** The trades of statistics, and their clock; a zone of null is the profile's. */
export type StatisticsQuery = OfFilter & { readonly unit: Unit; readonly zone: string | null; readonly timedBy: 'entry' | 'exit' }

/** Where a list read in parts continues: after the row closed at this time (UTC ms) with this id. */
export type CsvPlace = { readonly exitTime: number; readonly id: string }

/** One window of a sorted, filtered list; ties are ordered by id, so that pages neither repeat nor skip. */
export type PageQuery = OfFilter & { readonly offset: number; readonly limit: number; readonly sort: TradeSort; readonly direction: 'asc' | 'desc' }

/** Whether a list is sorted by a figure that lies beside the journal. */
export const isExcursionSort = (sort: TradeSort): sort is ExcursionFigure => excursionFigures.some((figure) => figure === sort)

/** What to page, and what to sort by: an expression, or an excursion; rows without one come last. */
type Paged = { readonly unit: Unit; readonly sort: string | { readonly excursion: ExcursionFigure } }

/** The row numbers of one window of a filtered, sorted list, and the total number of rows; ties are ordered by id. */
export const readPage = (reader: Reader, { unit, sort }: Paged, { userId, filter, ...page }: PageQuery): { total: number; refs: number[] } => {
  const where = rowsMeeting(reader, userId, unit, filter)
  const from = `FROM ${tableOf[unit]} AS row LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id`
  const total = query<{ total: number }>(reader, `SELECT count(*) AS total ${from} WHERE ${where.sql}`).get(...where.values)?.total ?? 0
  const direction = page.direction === 'asc' ? 'ASC' : 'DESC'
  const ranked = typeof sort === 'string' ? null : JSON.stringify(idsByExcursion(reader, userId, sort.excursion))
  const sql = ranked === null
    ? `SELECT row.ref ${from} WHERE ${where.sql} ORDER BY ${String(sort)} ${direction}, row.id ${direction} LIMIT ? OFFSET ?`
    : `WITH ranked AS MATERIALIZED (SELECT value AS id, key AS place FROM json_each(?))
      SELECT row.ref ${from} LEFT JOIN ranked ON ranked.id = row.id WHERE ${where.sql} ORDER BY ranked.place ${direction} NULLS LAST, row.id ${direction} LIMIT ? OFFSET ?`
  const rows = query<{ ref: number }>(reader, sql)
  return { total, refs: rows.all(...(ranked === null ? [] : [ranked]), ...where.values, page.limit, page.offset).map(({ ref }) => ref) }
}
