import { and, eq, type SQL } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { compareFillIds } from '#shared/fills/order.ts'
import type { StatedExcursions } from '#shared/imports/reading.ts'
import { specInTicks } from '#shared/market/contract-spec.ts'
import type { Currency } from '#shared/money/money.ts'
import type { PricedTrade, TradeFill } from '#shared/prices/excursions.ts'
import type { Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import type { fillPairs } from '../db/schema/journal.ts'
import { statedExcursionsOf } from '../imports/broker-figures.ts'
import { specOf } from '../fills/specs.ts'
import { pairRisks, tradeRisks } from '../trades/risks.ts'
import { conditionOf, inViewOf } from '../trades/filtered-rows.ts'
import { pairRow } from '../trades/rows.ts'

/** A trade before its prices show how far its stamps may be off. */
export type UntimedTrade = Omit<PricedTrade, 'tolerance'>

/** A closed trade with all that its excursions need but prices. */
export type TradeToPrice = { readonly contract: string; readonly tickSize: string; readonly currency: Currency; readonly trade: UntimedTrade }

/** Both ends of a fill pair. */
export type Sides = Pick<typeof fillPairs.$inferSelect, 'side' | 'qty' | 'entryTime' | 'exitTime' | 'entryPrice' | 'exitPrice'>

/** A fill pair's row, as excursions need it. */
export type PairToPrice = Sides & Pick<typeof fillPairs.$inferSelect, 'id' | 'symbol' | 'currency' | 'tickSize'>

const { id, symbol, currency, side, qty, tickSize, entryTime, exitTime, entryPrice, exitPrice, accountId: account, tradeId, origin } = pairRow

/** The columns of a `PairToPrice`. */
export const pairColumns = { id, symbol, currency, side, qty, tickSize, entryTime, exitTime, entryPrice, exitPrice }

/** What `read` finds of the pairs of a trade, else of the pair of the id. */
const ofTradeOrPair = <Row>(userId: string, of: string, read: (condition: SQL | undefined) => Row[]): { readonly rows: Row[]; readonly isTrade: boolean } => {
  const there = conditionOf(inViewOf(userId, 'pairs'))
  const ofTrade = read(and(there, eq(tradeId, of)))
  return ofTrade.length > 0 ? { rows: ofTrade, isTrade: true } : { rows: read(and(there, eq(id, of))), isTrade: false }
}

/** A trade from flat to flat, or one fill pair, by its id; null where there is none, or where nobody knows what a tick of it is worth. */
export const pricedTrade = (reader: Reader, { userId, id: of }: OfUser & { readonly id: string }): TradeToPrice | null => {
  const { rows: pairs, isTrade } = ofTradeOrPair(userId, of, (condition) => reader.orm.select(pairColumns).from(pairRow).where(condition).all())
  const [first] = pairs
  if (first === undefined) return null
  const spec = specInTicks(specOf(reader, userId, first.symbol), first.tickSize)
  if (spec === null || spec.source === 'unknown') return null
  const risk = isTrade ? tradeRisks(reader, userId, [of])({ id: of }) : pairRisks(reader, userId, [of])({ ...first, price: first.entryPrice })
  return { contract: first.symbol, tickSize: first.tickSize, currency: first.currency, trade: { fills: fillsOf(pairs), tickValue: spec.tickValue, risk } }
}

/** What a file says of the excursions of a trade of one fill pair, or of a fill pair, in its own currency; null where none does. */
export const statedExcursions = (reader: Reader, { userId, id: of }: OfUser & { readonly id: string }): (StatedExcursions & { readonly currency: Currency }) | null => {
  const { rows } = ofTradeOrPair(userId, of, (condition) => reader.orm.select({ id, account, currency, side, qty }).from(pairRow).where(and(condition, eq(origin, 'synced'))).all())
  const [pair, ...others] = rows
  if (pair === undefined || others.length > 0) return null
  const [opening = '', closing = ''] = pair.id.slice(pair.account.length + 1).split('/')
  const [buyId, sellId] = pair.side === 'long' ? [opening, closing] : [closing, opening]
  const stated = statedExcursionsOf(reader, { userId, account: pair.account as AccountKey, buyId, sellId, qty: pair.qty })
  return stated === null || (stated.currency ?? pair.currency) !== pair.currency ? null : { ...stated, currency: pair.currency }
}

/** The fills of fill pairs, each whole, in the order in which they were matched: by time, then by id; of one moment those that open come first, so that the trade is not flat in between. */
export const fillsOf = (pairs: readonly (Sides & { readonly id: string })[]): readonly TradeFill[] => {
  const ends = pairs.flatMap(({ id, side, qty, entryTime: entered, entryPrice: entry, exitTime: left, exitPrice: exit }) => {
    const signed = side === 'long' ? qty : -qty
    // A trade that was entered by hand names no fills.
    const [closing = id, opening = id] = id.split('/').reverse()
    return [{ id: opening, closes: 0, time: entered, qty: signed, price: entry }, { id: closing, closes: 1, time: left, qty: -signed, price: exit }]
  })
  const fills = new Map<string, (typeof ends)[number]>()
  for (const end of ends) {
    const key = `${String(end.closes)} ${String(end.time)} ${String(end.price)} ${end.id}`
    fills.set(key, { ...end, qty: end.qty + (fills.get(key)?.qty ?? 0) })
  }
  return [...fills.values()].sort((one, other) => one.time - other.time || one.closes - other.closes || compareFillIds(one.id, other.id)).map(({ time, qty, price }) => ({ time, qty, price }))
}
