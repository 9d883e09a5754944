import { and, eq } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { SeenTrade } from '#shared/api/journal.ts'
import { fillIdsOf, pairPlacesOf, pairsBeside, type KnownFill, type KnownPair, type NoteEnd, type NotePlace, type PairPlace } from '#shared/notes/place.ts'
import { query, type Reader } from '../db/database.ts'
import { fills as table } from '../db/schema/journal.ts'

type PairRow = KnownPair & { account: string; contract: string; tradingDay: string; trip: string | null; entryPrice: Ticks; exitPrice: Ticks }

const pairsSql = `SELECT id, account_id AS account, symbol AS contract, side, qty, date, trading_day AS tradingDay, tick_size AS tickSize, entry_price AS entryPrice, exit_price AS exitPrice,
  entry_time AS entryTime, exit_time AS exitTime, trip_id AS trip FROM trades`

const placed = (reader: Reader, userId: string, account: string, pairs: readonly PairRow[]): readonly PairPlace[] => {
  const sql = 'SELECT fills.id, order_id AS "order", qty FROM json_each(?) AS wanted CROSS JOIN fills ON fills.user_id = ? AND fills.account = ? AND fills.id = wanted.value'
  const ids = new Set(pairs.flatMap(({ id }) => fillIdsOf(account, id).flat()))
  const fills = query<KnownFill>(reader, sql).all(JSON.stringify([...ids]), userId, account)
  return pairPlacesOf(account, pairs, new Map(fills.map((fill) => [fill.id, fill])))
}

/** All derived pairs of an account's contract, in the order of matching. */
export const pairPlaces = (reader: Reader, userId: string, account: string, contract: string): readonly PairPlace[] =>
  placed(reader, userId, account, query<PairRow>(reader, `${pairsSql} WHERE user_id = ? AND account_id = ? AND symbol = ? AND origin = 'synced'`).all(userId, account, contract))

/** A derived pair's place; null if the id is unknown. */
export const placeOf = (reader: Reader, userId: string, tradeId: string): NotePlace | null => {
  const row = query<PairRow>(reader, `${pairsSql} WHERE user_id = ? AND id = ? AND origin = 'synced'`).get(userId, tradeId)
  if (row === undefined) return null
  const sql = `${pairsSql} WHERE user_id = @user AND account_id = @account AND symbol = @contract AND date = @date AND origin = 'synced'
    UNION ${pairsSql} WHERE user_id = @user AND trip_id = @trip AND origin = 'synced'`
  const near = query<PairRow>(reader, sql).all({ user: userId, account: row.account, contract: row.contract, date: row.date, trip: row.trip })
  const pairs = placed(reader, userId, row.account, near)
  const pair = pairs.find(({ id }) => id === tradeId)
  if (pair === undefined) return null
  const { side, qty, date, opening, closing } = pair
  return { account: row.account, contract: row.contract, date, tradingDay: row.tradingDay, side, qty, opening, closing, beside: pairsBeside(pair, pairs) }
}

/** The place of a gone pair, as far as its fills still show it; null if none of them is known. */
export const placeByFills = (reader: Reader, userId: string, account: string, tradeId: string): NotePlace | null => {
  const fillOf = (id: string) => reader.orm.select().from(table).where(and(eq(table.userId, userId), eq(table.account, account as AccountKey), eq(table.id, id))).get()
  for (const [openingId, closingId] of fillIdsOf(account, tradeId)) {
    const [opening, closing] = [fillOf(openingId), fillOf(closingId)]
    const known = closing ?? opening
    if (known === undefined) continue
    const end = (id: string, row: typeof known | undefined) => ({ fill: id, order: row?.orderId ?? null, time: row?.time ?? null, price: null, qty: row?.qty ?? null, from: 0 })
    return { account, contract: known.contract, date: known.localDate, tradingDay: known.tradeDate ?? known.localDate, side: null, qty: null, opening: end(openingId, opening), closing: end(closingId, closing), beside: [] }
  }
  return null
}

/** The place of a pair that disappeared while someone annotated it: as it was seen, with the known data of its fills. */
export const goneAt = (reader: Reader, userId: string, tradeId: string, seen: SeenTrade): NotePlace => {
  const { accountId: account, symbol: contract, side, qty, date, tradingDay } = seen
  const left = placeByFills(reader, userId, account, tradeId)
  const [[openingId, closingId] = [tradeId, tradeId]] = fillIdsOf(account, tradeId)
  const end = (known: NoteEnd | undefined, fill: string, time: string, price: number): NoteEnd => ({ ...(known ?? { fill, order: null, qty: null, from: 0 }), time: Date.parse(time), price: String(price) })
  const [opening, closing] = [end(left?.opening, openingId, seen.entryTime, seen.entryPrice), end(left?.closing, closingId, seen.exitTime, seen.exitPrice)]
  return { account, contract, date, tradingDay, side, qty, opening, closing, beside: [] }
}
