import { and, asc, count, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { TradeSort } from '#shared/api/journal.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import type { Amount } from '#shared/money/money.ts'
import type { ExcursionFigure } from '#shared/stats/filter.ts'
import { rMultiple } from '#shared/stats/r-multiple.ts'
import { query, type Reader } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { fills } from '../db/schema/journal.ts'
import { excursionsIn, keptExcursions } from '../prices/store/stored-excursions.ts'
import { type Condition, conditionOf, inViewOf, isExcursionSort, readPage, type PageQuery } from './filtered-rows.ts'
import { pairRisks } from './risks.ts'
import { accountName, derivedRow, pairInView, pairRow, type PairRow, pairRows, sharedSorts, toPairRecord } from './rows.ts'
import type { JournalTotals, OfUser } from '../db/rows.ts'

// Raw SQL in this file, except of the totals: the benchmark `reads` reads all fill pairs, the pages of the logbook, and the latest pairs with it.
const sorts: Record<Exclude<TradeSort, ExcursionFigure>, string> = {
  ...sharedSorts,
  entryPrice: 'row.entry_price * CAST(row.tick_size AS REAL)',
  exitPrice: 'row.exit_price * CAST(row.tick_size AS REAL)',
}

export const pairById = (reader: Reader, { userId, id }: OfUser & { readonly id: string }): FillPairRecord | null => {
  const row = query<PairRow>(reader, `${pairRows} WHERE ${pairInView} AND row.id = ?`).get(userId, userId, userId, id)
  return row === undefined ? null : toPairRecord(row)
}

export const pairPage = (reader: Reader, input: PageQuery): { total: number; rows: FillPairRecord[] } => {
  const { total, refs } = readPage(reader, { unit: 'pairs', sort: isExcursionSort(input.sort) ? { excursion: input.sort } : sorts[input.sort] }, input)
  return { total, rows: withR(reader, input.userId, rowsAt(reader, refs)) }
}

/** The pairs with these row numbers, in this order. */
const pairsAt = (reader: Reader, refs: readonly number[]): FillPairRecord[] => rowsAt(reader, refs).map(toPairRecord)

const rowsAt = (reader: Reader, refs: readonly number[]): PairRow[] => {
  const rows = query<PairRow>(reader, `${pairRows} WHERE row.ref IN (SELECT value FROM json_each(?))`).all(JSON.stringify(refs))
  const byRef = new Map(rows.map((row) => [row.ref, row]))
  return refs.flatMap((ref) => byRef.get(ref) ?? [])
}

const withR = (reader: Reader, userId: string, rows: readonly PairRow[]): FillPairRecord[] => {
  const ids = rows.map(({ id }) => id)
  const riskOf = pairRisks(reader, userId, ids)
  const excursions = keptExcursions(reader, userId, ids)
  return rows.map((row) => ({ ...toPairRecord(row), ...excursionsIn(excursions.get(row.id)), r: rMultiple({ netPnl: row.net, risk: riskOf({ id: row.id, symbol: row.symbol, side: row.side, price: row.entry_price, tickSize: row.tick_size, qty: row.qty }) }) }))
}

/** The pairs of one trade, oldest exit first. */
export const tradePairs = (reader: Reader, { userId, tradeId }: OfUser & { readonly tradeId: string }): { rows: FillPairRecord[] } => {
  const pairs = query<{ ref: number }>(reader, `SELECT row.ref FROM fill_pairs AS row INDEXED BY fill_pairs_of_trade WHERE ${pairInView} AND row.trade_id = ? ORDER BY row.exit_time, row.id`)
  const rows = withR(reader, userId, rowsAt(reader, pairs.all(userId, userId, userId, tradeId).map(({ ref }) => ref)))
  if (rows.length > 0) return { rows }
  // A trade entered by hand is its own pair.
  const byHand = pairById(reader, { userId, id: tradeId })
  return { rows: byHand?.origin === 'manual' ? [byHand] : [] }
}

/** The pairs with the latest dates that meet a condition, ties by exit time. */
export const recentPairs = (reader: Reader, { sql, values }: Condition, count: number): FillPairRecord[] => {
  const some = `SELECT row.ref, row.date, row.exit_time, row.id FROM fill_pairs AS row WHERE ${sql}`
  // A derived pair's date is that of its exit, so an index has the latest at its end; an entered one may have any date.
  const derived = `SELECT * FROM (${some} AND row.origin = 'synced' ORDER BY row.exit_time DESC, row.id DESC LIMIT ?)`
  const refs = query<{ ref: number }>(reader, `SELECT ref FROM (${derived} UNION ALL ${some} AND row.origin = 'manual') ORDER BY date DESC, exit_time DESC, id DESC LIMIT ?`)
  return pairsAt(reader, refs.all(...values, count, ...values, count).map(({ ref }) => ref))
}

const rowsInChunk = 500

/** The whole answer of the call `getTrades`, as UTF-8 JSON. */
export const tradesJson = (reader: Reader, { userId }: OfUser): Uint8Array => {
  const rows = query<PairRow>(reader, `${pairRows} WHERE ${pairInView} ORDER BY row.exit_time, row.id`)
  const encoder = new TextEncoder()
  const chunks: Uint8Array[] = [encoder.encode('{"success":true,"trades":[')]
  let pairs: FillPairRecord[] = []
  const close = () => {
    if (pairs.length === 0) return
    if (chunks.length > 1) chunks.push(encoder.encode(','))
    // The list's brackets are cut from the bytes: cutting the text would copy it.
    chunks.push(encoder.encode(JSON.stringify(pairs)).subarray(1, -1))
    pairs = []
  }
  // A few rows at a time, so that the journal is in memory once, as bytes.
  for (const row of rows.iterate(userId, userId, userId)) {
    pairs.push(toPairRecord(row))
    if (pairs.length === rowsInChunk) close()
  }
  close()
  chunks.push(encoder.encode(']}'))
  return concat(chunks)
}

const concat = (chunks: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

export const totals = ({ orm }: Reader, { userId }: OfUser): JournalTotals => {
  const connected = orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), isNull(accounts.removedAt)))
  const there = conditionOf(inViewOf(userId, 'pairs'))
  const { currency, tradingDay } = pairRow
  const sums = { currency, grossPnl: sql<Amount>`sum(${pairRow.gross})`, commission: sql<Amount>`sum(${pairRow.commission})`, netPnl: sql<Amount>`sum(${pairRow.net})` }
  const account = sql<string>`${sql.raw(accountName)}`
  return {
    accounts: connected.all().length,
    fills: orm.select({ count: count() }).from(fills).where(and(eq(fills.userId, userId), inArray(fills.account, connected))).get()?.count ?? 0,
    pairs: orm.select({ count: count() }).from(pairRow).where(there).get()?.count ?? 0,
    trades: orm.select({ count: count() }).from(derivedRow).where(conditionOf(inViewOf(userId, 'trades'))).get()?.count ?? 0,
    money: orm.select(sums).from(pairRow).where(there).groupBy(currency).orderBy(asc(currency)).all(),
    byTradingDay: orm
      .select({ account, tradingDay, ...sums })
      .from(pairRow)
      .leftJoin(accounts, and(eq(accounts.userId, pairRow.userId), eq(accounts.key, pairRow.accountId)))
      .where(there)
      .groupBy(pairRow.accountId, account, tradingDay, currency)
      .orderBy(asc(tradingDay), asc(account), asc(currency))
      .all(),
  }
}
