import type { ExcursionPoints, Unit } from '#shared/api/statistics.ts'
import { exactMoney } from '#shared/money/money.ts'
import { query, type Reader } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import type { trips } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { allKeptExcursions, excursionsIn } from '../prices/kept-excursions.ts'
import { rowsMeeting, tableOf, type OfFilter } from './filtered-rows.ts'

/** More points than this no screen tells apart. */
const mostPoints = 2_000

type Row = Pick<SqlRow<typeof trips>, 'id' | 'symbol' | 'currency' | 'exit_time' | 'gross'>

/** The newest trades of a filter that have excursions, with their gross results. */
export const excursionPoints = (reader: Reader, { userId, filter, unit }: OfFilter & { readonly unit: Unit }): ExcursionPoints => {
  const kept = allKeptExcursions(reader, userId)
  if (kept.size === 0) return { points: [], total: 0 }
  const where = rowsMeeting(reader, userId, unit, filter)
  const points: ExcursionPoints['points'] = []
  let total = 0
  const rows = query<Row>(reader, `SELECT row.id, row.symbol, row.currency, row.exit_time, row.gross FROM ${tableOf[unit]} AS row WHERE ${where.sql} ORDER BY row.exit_time DESC, row.id DESC`)
  for (const { id, symbol, currency, exit_time: exited, gross } of rows.iterate(...where.values)) {
    const { excursions } = excursionsIn(kept.get(id))
    if (excursions === undefined) continue
    total += 1
    if (total <= mostPoints) points.push({ id, symbol, currency, exitTime: isoTime(exited), result: exactMoney(gross), mae: excursions.mae, mfe: excursions.mfe })
  }
  return { points, total }
}
