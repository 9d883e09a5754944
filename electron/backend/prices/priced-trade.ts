import type { AccountKey } from '#shared/fills/fill.ts'
import { compareFillIds } from '#shared/fills/order.ts'
import type { StatedExcursions } from '#shared/imports/reading.ts'
import { specInTicks } from '#shared/market/contract-spec.ts'
import type { Currency } from '#shared/money/money.ts'
import type { PricedTrade, TradeFill } from '#shared/prices/excursions.ts'
import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import type { trades } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { statedExcursionsOf } from '../imports/broker-figures.ts'
import { specOf } from '../fills/specs.ts'
import { pairRisks, tripRisks } from '../trades/risks.ts'
import { tradeInView } from '../trades/trade-view.ts'

/** A trade before its prices show how far its stamps may be off. */
export type UntimedTrade = Omit<PricedTrade, 'tolerance'>

/** A closed trade with all that its excursions need but prices. */
export type TradeToPrice = { readonly contract: string; readonly tickSize: string; readonly currency: Currency; readonly trade: UntimedTrade }

/** Both ends of a fill pair. */
export type Sides = Pick<SqlRow<typeof trades>, 'side' | 'qty' | 'entry_time' | 'exit_time' | 'entry_price' | 'exit_price'>

/** A fill pair's row, as excursions need it. */
export type PairRow = Sides & Pick<SqlRow<typeof trades>, 'id' | 'symbol' | 'currency' | 'tick_size'>

/** The columns of a `PairRow`. */
export const pairColumns = 'row.id, row.symbol, row.currency, row.side, row.qty, row.tick_size, row.entry_time, row.exit_time, row.entry_price, row.exit_price'

/** A trade from flat to flat, or one fill pair, by its id; null where there is none, or where nobody knows what a tick of it is worth. */
export const pricedTrade = (reader: Reader, { userId, id }: OfUser & { readonly id: string }): TradeToPrice | null => {
  const sql = `SELECT ${pairColumns} FROM trades AS row WHERE ${tradeInView}`
  const ofTrade = query<PairRow>(reader, `${sql} AND row.trip_id = ?`).all(userId, userId, userId, id)
  const pairs = ofTrade.length > 0 ? ofTrade : query<PairRow>(reader, `${sql} AND row.id = ?`).all(userId, userId, userId, id)
  const [first] = pairs
  if (first === undefined) return null
  const spec = specInTicks(specOf(reader, userId, first.symbol), first.tick_size)
  if (spec === null || spec.source === 'unknown') return null
  const risk = ofTrade.length > 0 ? tripRisks(reader, userId, [id])({ id }) : pairRisks(reader, userId, [id])({ ...first, price: first.entry_price, tickSize: first.tick_size })
  return { contract: first.symbol, tickSize: first.tick_size, currency: first.currency, trade: { fills: fillsOf(pairs), tickValue: spec.tickValue, risk } }
}

type StatedRow = Pick<SqlRow<typeof trades>, 'id' | 'currency' | 'side' | 'qty'> & { readonly account: AccountKey }

/** What a file says of the excursions of a trade of one fill pair, or of a fill pair, in its own currency; null where none does. */
export const statedExcursions = (reader: Reader, { userId, id }: OfUser & { readonly id: string }): (StatedExcursions & { readonly currency: Currency }) | null => {
  const sql = `SELECT row.id, row.account_id AS account, row.currency, row.side, row.qty FROM trades AS row WHERE row.origin = 'synced' AND ${tradeInView}`
  const ofTrade = query<StatedRow>(reader, `${sql} AND row.trip_id = ?`).all(userId, userId, userId, id)
  const [pair, ...others] = ofTrade.length > 0 ? ofTrade : query<StatedRow>(reader, `${sql} AND row.id = ?`).all(userId, userId, userId, id)
  if (pair === undefined || others.length > 0) return null
  const { account, side, qty, currency } = pair
  const [opening = '', closing = ''] = pair.id.slice(account.length + 1).split('/')
  const [buyId, sellId] = side === 'long' ? [opening, closing] : [closing, opening]
  const stated = statedExcursionsOf(reader, { userId, account, buyId, sellId, qty })
  return stated === null || (stated.currency ?? currency) !== currency ? null : { ...stated, currency }
}

/** The fills of fill pairs, each whole, in the order in which they were matched: by time, then by id; of one moment those that open come first, so that the trade is not flat in between. */
export const fillsOf = (pairs: readonly (Sides & { readonly id: string })[]): readonly TradeFill[] => {
  const ends = pairs.flatMap(({ id, side, qty, entry_time: entered, entry_price: entry, exit_time: left, exit_price: exit }) => {
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
