import { specInTicks, type TickValue } from '#shared/market/contract-spec.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { contractKey } from '#shared/prices/contract-key.ts'
import type { TradeFill } from '#shared/prices/excursions.ts'
import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import type { trips } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { specOf } from '../fills/specs.ts'
import { inViewOf, rowsMeeting, tableOf, tagsOf, tradedSymbols, type OfFilter } from '../trades/filtered-rows.ts'
import { tripRisks } from '../trades/risks.ts'
import { fillsOf, pairColumns, type PairRow } from './priced-trade.ts'

/** Where a list of trades read in parts continues: behind the trade that ended then (UTC ms) with this id. */
export type TradePlace = { readonly ended: number; readonly id: string }

/** A closed trade with all that its excursions need but prices and risk; `parts` are its fill pairs if it has several, each a trade of its own. `contract` is root and delivery. */
export type TradeWithFills = {
  readonly id: string
  readonly ended: number
  readonly contract: string
  readonly tickSize: string
  readonly tickValue: TickValue
  readonly fills: readonly TradeFill[]
  readonly parts: readonly { readonly id: string; readonly fills: readonly TradeFill[] }[]
}

type Wanted = OfUser & { readonly contracts: readonly string[]; readonly after: TradePlace | null; readonly limit: number }
type TradeRow = Pick<SqlRow<typeof trips>, 'id' | 'exit_time'>
type PairOfTrade = PairRow & { trip: string }

const behind = 'AND (row.exit_time, row.id) > (?, ?)'
const some = 'ORDER BY row.exit_time, row.id LIMIT ?'

/** The trades of some contracts (root and delivery) in the order of their ends, and where the next part begins; null at the end. */
export const tradesToPrice = (reader: Reader, { userId, contracts, after, limit }: Wanted): { readonly trades: readonly TradeWithFills[]; readonly next: TradePlace | null } => {
  const wanted = new Set(contracts)
  const symbols = JSON.stringify([...tradedSymbols(reader, userId)].filter((symbol) => wanted.has(contractKey(symbol) ?? '')))
  const [trips, pairs] = [inViewOf(userId, 'trips'), inViewOf(userId, 'pairs')]
  const place = [after?.ended ?? 0, after?.id ?? '']
  const of = (table: string, condition: string): string => `SELECT * FROM (SELECT row.id, row.exit_time FROM ${table} AS row WHERE ${condition} AND row.symbol IN (SELECT value FROM json_each(?)) ${behind} ${some})`
  const sql = `SELECT row.id, row.exit_time FROM (${of('trips', trips.sql)} UNION ALL ${of('trades', `${pairs.sql} AND row.origin = 'manual'`)}) AS row ${some}`
  const rows = query<TradeRow>(reader, sql).all(...trips.values, symbols, ...place, limit, ...pairs.values, symbols, ...place, limit, limit)
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { trades: withFills(reader, userId, rows), next: last === undefined ? null : { ended: last.exit_time, id: last.id } }
}

/** Trades by their rows, with fills and tick value; those whose tick value or delivery nobody knows are left out. */
export const withFills = (reader: Reader, userId: string, rows: readonly TradeRow[]): readonly TradeWithFills[] => {
  const there = inViewOf(userId, 'pairs')
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const found = query<PairOfTrade>(reader, `SELECT wanted.value AS trip, ${pairColumns} FROM json_each(?) AS wanted CROSS JOIN trades AS row INDEXED BY trades_of_trip ON row.user_id = ? AND row.trip_id = wanted.value WHERE ${there.sql}
    UNION ALL SELECT row.id AS trip, ${pairColumns} FROM json_each(?) AS wanted CROSS JOIN trades AS row ON row.user_id = ? AND row.id = wanted.value WHERE row.origin = 'manual' AND ${there.sql}`)
  const pairsOf = Map.groupBy(found.iterate(ids, userId, ...there.values, ids, userId, ...there.values), ({ trip }) => trip)
  const specs = new Map<string, ReturnType<typeof specInTicks>>()
  const specIn = ({ symbol, tick_size: tickSize }: PairRow): ReturnType<typeof specInTicks> => {
    const key = `${symbol} ${tickSize}`
    const known = specs.get(key)
    if (known !== undefined) return known
    const spec = specInTicks(specOf(reader, userId, symbol), tickSize)
    specs.set(key, spec)
    return spec
  }
  return rows.flatMap(({ id, exit_time: ended }): TradeWithFills[] => {
    const pairs = pairsOf.get(id) ?? []
    const [first] = pairs
    const spec = first === undefined ? null : specIn(first)
    const contract = first === undefined ? null : contractKey(first.symbol)
    if (first === undefined || spec === null || spec.source === 'unknown' || contract === null) return []
    const parts = pairs.map((pair) => ({ id: pair.id, fills: fillsOf([pair]) }))
    return [{ id, ended, contract, tickSize: first.tick_size, tickValue: spec.tickValue, fills: fillsOf(pairs), parts: pairs.length > 1 || first.id !== id ? parts : [] }]
  })
}

/** A trade whose exits may be replaced; `priced` is null where its tick value or its delivery is not known. `costs` is gross less net. */
export type TradeOfFilter = { readonly tradingDay: string; readonly currency: Currency; readonly net: Amount; readonly costs: Amount; readonly risk: Amount | null; readonly tags: readonly string[]; readonly priced: Omit<TradeWithFills, 'parts'> | null }

type RowOfFilter = TradeRow & Pick<SqlRow<typeof trips>, 'trading_day' | 'currency' | 'gross' | 'net'>

/** The trades of a filter from flat to flat, in the order of their ends, and where the next part begins; null at the end. */
export const tradesToTry = (reader: Reader, { userId, filter, after, limit }: OfFilter & { readonly after: TradePlace | null; readonly limit: number }): { readonly trades: readonly TradeOfFilter[]; readonly next: TradePlace | null } => {
  const where = rowsMeeting(reader, userId, 'trips', filter)
  const sql = `SELECT row.id, row.exit_time, row.trading_day, row.currency, row.gross, row.net FROM ${tableOf.trips} AS row WHERE ${where.sql} AND (row.exit_time, row.id) > (?, ?) ORDER BY row.exit_time, row.id LIMIT ?`
  const rows = query<RowOfFilter>(reader, sql).all(...where.values, after?.ended ?? 0, after?.id ?? '', limit)
  const fills = new Map(withFills(reader, userId, rows).map(({ parts: _, ...trade }) => [trade.id, trade]))
  const tags = tagsOf(reader, userId, 'trips')
  const riskOf = tripRisks(reader, userId, rows.map(({ id }) => id))
  const trades = rows.map(({ id, trading_day: tradingDay, currency, gross, net }): TradeOfFilter => ({ tradingDay, currency, net, costs: (gross - net) as Amount, risk: riskOf({ id }), tags: tags.get(id) ?? [], priced: fills.get(id) ?? null }))
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { trades, next: last === undefined ? null : { ended: last.exit_time, id: last.id } }
}
