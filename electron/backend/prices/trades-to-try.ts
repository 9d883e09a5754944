import type { Amount, Currency } from '#shared/money/money.ts'
import { query, type Reader } from '../db/database.ts'
import { rowsMeeting, tableOf, tagsOf, type OfFilter } from '../trades/filtered-rows.ts'
import { tripRisks } from '../trades/risks.ts'
import { withFills, type TradePlace, type TradeWithFills } from './trades-to-price.ts'

/** A trade whose exits may be replaced; `priced` is null where its tick value or its delivery is not known. `costs` is what is between gross and net. */
export type TradeOfFilter = { readonly tradingDay: string; readonly currency: Currency; readonly net: Amount; readonly costs: Amount; readonly risk: Amount | null; readonly tags: readonly string[]; readonly priced: Omit<TradeWithFills, 'parts'> | null }

type Row = { id: string; exit_time: number; trading_day: string; currency: Currency; gross: Amount; net: Amount }

/** The trades of a filter from flat to flat, in the order of their ends, and where the next part begins; null at the end. */
export const tradesToTry = (reader: Reader, { userId, filter, after, limit }: OfFilter & { readonly after: TradePlace | null; readonly limit: number }): { readonly trades: readonly TradeOfFilter[]; readonly next: TradePlace | null } => {
  const where = rowsMeeting(reader, userId, 'trips', filter)
  const sql = `SELECT row.id, row.exit_time, row.trading_day, row.currency, row.gross, row.net FROM ${tableOf.trips} AS row WHERE ${where.sql} AND (row.exit_time, row.id) > (?, ?) ORDER BY row.exit_time, row.id LIMIT ?`
  const rows = query<Row>(reader, sql).all(...where.values, after?.ended ?? 0, after?.id ?? '', limit)
  const fills = new Map(withFills(reader, userId, rows).map(({ parts: _, ...trade }) => [trade.id, trade]))
  const tags = tagsOf(reader, userId, 'trips')
  const riskOf = tripRisks(reader, userId, rows.map(({ id }) => id))
  const trades = rows.map(({ id, trading_day: tradingDay, currency, gross, net }): TradeOfFilter => ({ tradingDay, currency, net, costs: (gross - net) as Amount, risk: riskOf({ id }), tags: tags.get(id) ?? [], priced: fills.get(id) ?? null }))
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { trades, next: last === undefined ? null : { ended: last.exit_time, id: last.id } }
}
