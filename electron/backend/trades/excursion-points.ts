import { desc } from 'drizzle-orm'
import type { ExcursionPoints, Unit } from '#shared/api/statistics.ts'
import { exactMoney, type Amount, type Currency } from '#shared/money/money.ts'
import { eachCells, type Reader } from '../db/database.ts'
import { isoTime } from '../db/iso-time.ts'
import { allKeptExcursions, excursionsIn } from '../prices/store/stored-excursions.ts'
import { conditionOf, rowOf, rowsMeeting, type OfFilter } from './filtered-rows.ts'

/** More points than this no screen tells apart. */
const mostPoints = 2_000

/** The newest trades of a filter that have excursions, with their gross results. */
export const excursionPoints = (reader: Reader, { userId, filter, unit }: OfFilter & { readonly unit: Unit }): ExcursionPoints => {
  const kept = allKeptExcursions(reader, userId)
  if (kept.size === 0) return { points: [], total: 0 }
  const row = rowOf[unit]
  const points: ExcursionPoints['points'] = []
  let total = 0
  const rows = reader.orm
    .select({ id: row.id, symbol: row.symbol, currency: row.currency, exited: row.exitTime, gross: row.gross })
    .from(row)
    .where(conditionOf(rowsMeeting(reader, userId, unit, filter)))
    .orderBy(desc(row.exitTime), desc(row.id))
  for (const [id, symbol, currency, exited, gross] of eachCells<[id: string, symbol: string, currency: Currency, exited: number, gross: Amount]>(reader, rows)) {
    const { excursions } = excursionsIn(kept.get(id))
    if (excursions === undefined) continue
    total += 1
    if (total <= mostPoints) points.push({ id, symbol, currency, exitTime: isoTime(exited), result: exactMoney(gross), mae: excursions.mae, mfe: excursions.mfe })
  }
  return { points, total }
}
