import { and, eq, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import type { SeenPair } from '#shared/api/journal.ts'
import { fillIdsOf, pairPlacesOf, pairsBeside, type KnownPair, type NoteEnd, type NotePlace, type PairPlace } from '#shared/notes/place.ts'
import { perConnection, type Reader } from '../db/database.ts'
import { fillPairs, fills } from '../db/schema/journal.ts'

const { id, accountId: account, symbol: contract, side, qty, date, tradingDay, tickSize, entryPrice, exitPrice, entryTime, exitTime, tradeId: trade } = fillPairs
const pair = { id, side, qty, date, tickSize, entryPrice, exitPrice, entryTime, exitTime }

const isDerived = and(eq(fillPairs.userId, sql.placeholder('userId')), eq(fillPairs.origin, 'synced'))
const isOfContract = and(eq(account, sql.placeholder('account')), eq(contract, sql.placeholder('contract')))

const pairsOfContract = perConnection(({ orm }: Reader) => orm.select(pair).from(fillPairs).where(and(isDerived, isOfContract)).prepare())
const pairFacts = perConnection(({ orm }: Reader) => orm.select({ account, contract, date, tradingDay, trade }).from(fillPairs).where(and(isDerived, eq(id, sql.placeholder('id')))).prepare())
const pairsNear = perConnection(({ orm }: Reader) => {
  const ofDate = orm.select(pair).from(fillPairs).where(and(isDerived, isOfContract, eq(date, sql.placeholder('date'))))
  return union(ofDate, orm.select(pair).from(fillPairs).where(and(isDerived, eq(trade, sql.placeholder('trade'))))).prepare()
})

const isOfAccount = and(eq(fills.userId, sql.placeholder('userId')), eq(fills.account, sql.placeholder('account')))
const fillById = perConnection(({ orm }: Reader) => {
  const { orderId, time, qty, contract, localDate, tradeDate } = fills
  return orm.select({ orderId, time, qty, contract, localDate, tradeDate }).from(fills).where(and(isOfAccount, eq(fills.id, sql.placeholder('id')))).prepare()
})
// The list drives the search, so that it costs one lookup per id however many fills there are.
const fillsByIds = perConnection(({ orm }: Reader) =>
  orm.select({ id: fills.id, order: fills.orderId, qty: fills.qty }).from(sql`json_each(${sql.placeholder('ids')}) AS wanted`).crossJoin(fills).where(and(isOfAccount, sql`${fills.id} = wanted.value`)).prepare(),
)

const placed = (reader: Reader, userId: string, account: string, pairs: readonly KnownPair[]): readonly PairPlace[] => {
  const ids = new Set(pairs.flatMap((pair) => fillIdsOf(account, pair.id).flat()))
  const known = fillsByIds(reader).all({ userId, account, ids: JSON.stringify([...ids]) })
  return pairPlacesOf(account, pairs, new Map(known.map((fill) => [fill.id, fill])))
}

/** All derived pairs of an account's contract, in the order of matching. */
export const pairPlaces = (reader: Reader, userId: string, account: string, contract: string): readonly PairPlace[] =>
  placed(reader, userId, account, pairsOfContract(reader).all({ userId, account, contract }))

/** A derived pair's place; null if the id is unknown. */
export const placeOf = (reader: Reader, userId: string, pairId: string): NotePlace | null => {
  const row = pairFacts(reader).get({ userId, id: pairId })
  if (row === undefined) return null
  const near = pairsNear(reader).all({ userId, account: row.account, contract: row.contract, date: row.date, trade: row.trade })
  const pairs = placed(reader, userId, row.account, near)
  const own = pairs.find((one) => one.id === pairId)
  if (own === undefined) return null
  const { side, qty, date, opening, closing } = own
  return { account: row.account, contract: row.contract, date, tradingDay: row.tradingDay, side, qty, opening, closing, beside: pairsBeside(own, pairs) }
}

/** The place of a gone pair, as far as its fills still show it; null if none of them is known. */
export const placeByFills = (reader: Reader, userId: string, account: string, pairId: string): NotePlace | null => {
  const fillOf = (id: string) => fillById(reader).get({ userId, account, id })
  for (const [openingId, closingId] of fillIdsOf(account, pairId)) {
    const [opening, closing] = [fillOf(openingId), fillOf(closingId)]
    const known = closing ?? opening
    if (known === undefined) continue
    const end = (id: string, row: typeof known | undefined) => ({ fill: id, order: row?.orderId ?? null, time: row?.time ?? null, price: null, qty: row?.qty ?? null, from: 0 })
    return { account, contract: known.contract, date: known.localDate, tradingDay: known.tradeDate ?? known.localDate, side: null, qty: null, opening: end(openingId, opening), closing: end(closingId, closing), beside: [] }
  }
  return null
}

/** The place of a pair that disappeared while someone annotated it: as it was seen, with the known data of its fills. */
export const goneAt = (reader: Reader, userId: string, pairId: string, seen: SeenPair): NotePlace => {
  const { accountId: account, symbol: contract, side, qty, date, tradingDay } = seen
  const left = placeByFills(reader, userId, account, pairId)
  const [[openingId, closingId] = [pairId, pairId]] = fillIdsOf(account, pairId)
  const end = (known: NoteEnd | undefined, fill: string, time: string, price: number): NoteEnd => ({ ...(known ?? { fill, order: null, qty: null, from: 0 }), time: Date.parse(time), price: String(price) })
  const [opening, closing] = [end(left?.opening, openingId, seen.entryTime, seen.entryPrice), end(left?.closing, closingId, seen.exitTime, seen.exitPrice)]
  return { account, contract, date, tradingDay, side, qty, opening, closing, beside: [] }
}
