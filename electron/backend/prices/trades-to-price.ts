import { and, asc, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { specInTicks, type TickValue } from '#shared/market/contract-spec.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { contractKey } from '#shared/prices/contract-key.ts'
import type { TradeFill } from '#shared/prices/excursions.ts'
import { isAmong } from '../db/among.ts'
import { eachRow, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import type { trades } from '../db/schema/journal.ts'
import { specOf } from '../fills/specs.ts'
import { conditionOf, inViewOf, rowsMeeting, tagsOf, tradedSymbols, type OfFilter } from '../trades/filtered-rows.ts'
import { tradeRisks } from '../trades/risks.ts'
import { derivedRow, pairRow, tradeRow } from '../trades/rows.ts'
import { fillsOf, pairColumns, type PairToPrice } from './priced-trade.ts'

/** Where a list of trades read in parts continues: behind the trade that ended then (UTC ms) with this id. */
export type TradeCursor = { readonly ended: number; readonly id: string }

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

type PricingFilter = OfUser & { readonly contracts: readonly string[]; readonly after: TradeCursor | null; readonly limit: number }
type TradeRow = Pick<typeof trades.$inferSelect, 'id' | 'exitTime'>

// In the text, because the index of entered trades is found only by that.
const isEntered = sql`${pairRow.origin} = 'manual'`
const isBehind = (after: TradeCursor | null) => sql`(row.exit_time, row.id) > (${after?.ended ?? 0}, ${after?.id ?? ''})`

/** The trades of some contracts (root and delivery) in the order of their ends, and where the next part begins; null at the end. */
export const tradesToPrice = (reader: Reader, { userId, contracts, after, limit }: PricingFilter): { readonly trades: readonly TradeWithFills[]; readonly next: TradeCursor | null } => {
  const wanted = new Set(contracts)
  const symbols = [...tradedSymbols(reader, userId)].filter((symbol) => wanted.has(contractKey(symbol) ?? ''))
  const { orm } = reader
  const derived = orm
    .select({ id: derivedRow.id, exitTime: derivedRow.exitTime })
    .from(derivedRow)
    .where(and(conditionOf(inViewOf(userId, 'trades')), isAmong(derivedRow.symbol, symbols), isBehind(after)))
    .orderBy(asc(derivedRow.exitTime), asc(derivedRow.id))
    .limit(limit)
    .as('derived')
  const entered = orm
    .select({ id: pairRow.id, exitTime: pairRow.exitTime })
    .from(pairRow)
    .where(and(conditionOf(inViewOf(userId, 'pairs')), isEntered, isAmong(pairRow.symbol, symbols), isBehind(after)))
    .orderBy(asc(pairRow.exitTime), asc(pairRow.id))
    .limit(limit)
    .as('entered')
  const rows = unionAll(orm.select().from(derived), orm.select().from(entered)).orderBy(asc(derived.exitTime), asc(derived.id)).limit(limit).all()
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { trades: withFills(reader, userId, rows), next: last === undefined ? null : { ended: last.exitTime, id: last.id } }
}

/** Trades by their rows, with fills and tick value; those whose tick value or delivery nobody knows are left out. */
const withFills = (reader: Reader, userId: string, rows: readonly TradeRow[]): readonly TradeWithFills[] => {
  const there = conditionOf(inViewOf(userId, 'pairs'))
  const wanted = sql`json_each(${JSON.stringify(rows.map(({ id }) => id))}) AS wanted`
  const pairsOfWanted = () => reader.orm.select({ trade: sql<string>`wanted.value`, ...pairColumns }).from(wanted).crossJoin(pairRow)
  const found = unionAll(pairsOfWanted().where(and(sql`${pairRow.tradeId} = wanted.value`, there)), pairsOfWanted().where(and(sql`${pairRow.id} = wanted.value`, isEntered, there)))
  const pairsOf = Map.groupBy(eachRow(reader, found), ({ trade }) => trade)
  const specs = new Map<string, ReturnType<typeof specInTicks>>()
  const specIn = ({ symbol, tickSize }: PairToPrice) => getOrInsert(specs, `${symbol} ${tickSize}`, () => specInTicks(specOf(reader, userId, symbol), tickSize))
  return rows.flatMap(({ id, exitTime: ended }): TradeWithFills[] => {
    const pairs = pairsOf.get(id) ?? []
    const [first] = pairs
    const spec = first === undefined ? null : specIn(first)
    const contract = first === undefined ? null : contractKey(first.symbol)
    if (first === undefined || spec === null || spec.source === 'unknown' || contract === null) return []
    const parts = pairs.map((pair) => ({ id: pair.id, fills: fillsOf([pair]) }))
    return [{ id, ended, contract, tickSize: first.tickSize, tickValue: spec.tickValue, fills: fillsOf(pairs), parts: pairs.length > 1 || first.id !== id ? parts : [] }]
  })
}

/** A trade whose exits may be replaced; `priced` is null where its tick value or its delivery is not known. `costs` is gross less net. */
export type TradeOfFilter = { readonly tradingDay: string; readonly currency: Currency; readonly net: Amount; readonly costs: Amount; readonly risk: Amount | null; readonly tags: readonly string[]; readonly priced: Omit<TradeWithFills, 'parts'> | null }

/** The trades of a filter from flat to flat, in the order of their ends, and where the next part begins; null at the end. */
export const tradesToTry = (reader: Reader, { userId, filter, after, limit }: OfFilter & { readonly after: TradeCursor | null; readonly limit: number }): { readonly trades: readonly TradeOfFilter[]; readonly next: TradeCursor | null } => {
  const rows = reader.orm
    .select({ id: tradeRow.id, exitTime: tradeRow.exitTime, tradingDay: tradeRow.tradingDay, currency: tradeRow.currency, gross: tradeRow.gross, net: tradeRow.net })
    .from(tradeRow)
    .where(and(conditionOf(rowsMeeting(reader, userId, 'trades', filter)), isBehind(after)))
    .orderBy(asc(tradeRow.exitTime), asc(tradeRow.id))
    .limit(limit)
    .all()
  const fills = new Map(withFills(reader, userId, rows).map(({ parts: _, ...trade }) => [trade.id, trade]))
  const tags = tagsOf(reader, userId, 'trades')
  const riskOf = tradeRisks(reader, userId, rows.map(({ id }) => id))
  const trades = rows.map(({ id, tradingDay, currency, gross, net }): TradeOfFilter => ({ tradingDay, currency, net, costs: (gross - net) as Amount, risk: riskOf({ id }), tags: tags.get(id) ?? [], priced: fills.get(id) ?? null }))
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { trades, next: last === undefined ? null : { ended: last.exitTime, id: last.id } }
}
