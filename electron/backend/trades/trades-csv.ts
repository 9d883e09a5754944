import type { Unit } from '#shared/api/statistics.ts'
import { pairCsvLine, pairsCsvHeader, tradeCsvLine, tradesCsvHeader } from '#shared/stats/csv-trades.ts'
import { query, type Reader } from '../db/database.ts'
import { keptExcursions } from '../prices/store/stored-excursions.ts'
import { rowsMeeting, tableOf, type CsvCursor, type OfFilter } from './filtered-rows.ts'
import { pairRisks } from './risks.ts'
import { type PairRow, pairRows, tagsOf, toExactPair } from './rows.ts'
import { csvTrades } from './trades.ts'
import { zoneOf } from '../db/zone.ts'

/** So few that other reads need not wait long. */
const rowsInPart = 2_000

const byteOrderMark = '\ufeff'

/**
 * A part of a CSV file in UTF-8 with a byte order mark: with the header line if `after` is null, pairs or trades in the
 * order of their exits, and where the next part begins, null at the end. A zone of null is the profile's.
 */
export const tradesCsv = (reader: Reader, { userId, unit, filter, zone: asked, after }: OfFilter & { readonly unit: Unit; readonly zone: string | null; readonly after: CsvCursor | null }): { readonly lines: Uint8Array; readonly next: CsvCursor | null } => {
  const zone = asked ?? zoneOf(reader, userId)
  const where = rowsMeeting(reader, userId, unit, filter)
  const behind = after === null ? { sql: '', values: [] } : { sql: 'AND (row.exit_time, row.id) > (?, ?)', values: [after.exitTime, after.id] }
  // Raw SQL of the pages of the logbook, whose rows these are: the benchmark `reads` measures those.
  const rowsOf = <Row>(select: string): Row[] => query<Row>(reader, `${select} WHERE ${where.sql} ${behind.sql} ORDER BY row.exit_time, row.id LIMIT ?`).all(...where.values, ...behind.values, rowsInPart)
  const [header, lines, places] = unit === 'pairs' ? pairsPart(reader, userId, zone, rowsOf<PairRow>(pairRows)) : tradesPart(reader, userId, zone, rowsOf<PlacedTrade>(`SELECT row.ref, row.id, row.exit_time FROM ${tableOf.trades} AS row`))
  const last = places.length < rowsInPart ? undefined : places.at(-1)
  return {
    lines: new TextEncoder().encode([...(after === null ? [byteOrderMark, header] : []), ...lines].join('')),
    next: last === undefined ? null : { exitTime: last.exit_time, id: last.id },
  }
}

type CsvPosition = { readonly id: string; readonly exit_time: number }
type PlacedTrade = CsvPosition & { readonly ref: number }
type CsvPart = readonly [header: string, lines: readonly string[], places: readonly CsvPosition[]]

const pairsPart = (reader: Reader, userId: string, zone: string, rows: readonly PairRow[]): CsvPart => {
  const riskOf = pairRisks(reader, userId)
  const excursions = keptExcursions(reader, userId, rows.map(({ id }) => id))
  const lines = rows.map((row) => {
    const risk = riskOf({ id: row.id, symbol: row.symbol, side: row.side, price: row.entry_price, tickSize: row.tick_size, qty: row.qty })
    const own = { id: row.id, account: row.account_name, origin: row.origin, stop: row.stop, tags: tagsOf(row), notes: row.notes ?? '' }
    return pairCsvLine({ ...toExactPair(row), ...own, risk, excursions: excursions.get(row.id) ?? null }, zone)
  })
  return [pairsCsvHeader(zone), lines, rows]
}

const tradesPart = (reader: Reader, userId: string, zone: string, rows: readonly PlacedTrade[]): CsvPart =>
  [tradesCsvHeader(zone), csvTrades(reader, userId, rows.map(({ ref }) => ref)).map((trade) => tradeCsvLine(trade, zone)), rows]
