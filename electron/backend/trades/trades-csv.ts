import { tradeCsvLine, tradesCsvHeader } from '#shared/stats/csv-trades.ts'
import { query, type Reader } from '../db/database.ts'
import { keptExcursions } from '../prices/kept-excursions.ts'
import { rowsMeeting } from './filtered-rows.ts'
import { pairRisks } from './risks.ts'
import { tagsOf, toExactTrade, tradeRows, type TradeRow } from './trade-view.ts'
import { zoneOf } from '../db/zone.ts'
import type { CsvPlace, OfFilter } from './page.ts'

/** So few that other reads need not wait long. */
const rowsInPart = 2_000

const byteOrderMark = '\ufeff'

/**
 * A part of a CSV file in UTF-8 with a byte order mark: with the header line if `after` is null, pairs in the order of
 * their exits, and where the next part begins, null at the end. A zone of null is the profile's.
 */
export const tradesCsv = (reader: Reader, { userId, filter, zone: asked, after }: OfFilter & { readonly zone: string | null; readonly after: CsvPlace | null }): { readonly lines: Uint8Array; readonly next: CsvPlace | null } => {
  const zone = asked ?? zoneOf(reader, userId)
  const where = rowsMeeting(reader, userId, 'pairs', filter)
  const behind = after === null ? { sql: '', values: [] } : { sql: 'AND (row.exit_time, row.id) > (?, ?)', values: [after.exitTime, after.id] }
  const rows = query<TradeRow>(reader, `${tradeRows} WHERE ${where.sql} ${behind.sql} ORDER BY row.exit_time, row.id LIMIT ?`).all(...where.values, ...behind.values, rowsInPart)
  const riskOf = pairRisks(reader, userId)
  const excursions = keptExcursions(reader, userId, rows.map(({ id }) => id))
  const lines = rows.map((row) => {
    const risk = riskOf({ id: row.id, symbol: row.symbol, side: row.side, price: row.entry_price, tickSize: row.tick_size, qty: row.qty })
    const said = { id: row.id, account: row.account_name, origin: row.origin, stop: row.stop, tags: tagsOf(row), notes: row.notes ?? '' }
    return tradeCsvLine({ ...toExactTrade(row), ...said, risk, excursions: excursions.get(row.id) ?? null }, zone)
  })
  const last = rows.length < rowsInPart ? undefined : rows.at(-1)
  return {
    lines: new TextEncoder().encode([...(after === null ? [byteOrderMark, tradesCsvHeader(zone)] : []), ...lines].join('')),
    next: last === undefined ? null : { exitTime: last.exit_time, id: last.id },
  }
}
