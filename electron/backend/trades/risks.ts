import { eq } from 'drizzle-orm'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { createTradeRisks, riskBy, type DefaultStop } from '#shared/stats/risk.ts'
import { query, queryCells, type Reader } from '../db/database.ts'
import { defaultStops } from '../db/schema/own-data.ts'
import { inViewOf } from './filtered-rows.ts'
import { specOf } from '../fills/specs.ts'

/** What a pair's risk depends on, without its own stop; `price` is its entry in ticks of `tickSize`. */
export type RiskedPair = { readonly id: string; readonly symbol: string; readonly side: 'long' | 'short'; readonly price: Ticks; readonly tickSize: string; readonly qty: number }

/** The loss at the stop of a pair or a trade, negative for a stop in profit; null without a known stop. */
export type Risks<Of> = (of: Of) => Amount | null

/** The risks of a user's pairs: by their own stops, else by their products' default stops. Of all pairs, or of those with these ids. */
export const pairRisks = (reader: Reader, userId: string, ids: readonly string[] | null = null): Risks<RiskedPair> => {
  const [stops, defaults] = [stopsOf(reader, userId, ids), defaultsOf(reader, userId)]
  const riskOf = riskBy(defaults)
  const specs = new Map<string, ContractSpec>()
  const byDefault = new Map<string, Amount | null>()
  const ask = (pair: RiskedPair, stop: string | null): Amount | null => {
    const spec = specs.get(pair.symbol) ?? specOf(reader, userId, pair.symbol)
    specs.set(pair.symbol, spec)
    return riskOf({ ...pair, stop }, spec)
  }
  return (pair) => {
    const stop = stops.get(pair.id)
    if (stop !== undefined) return ask(pair, stop)
    if (defaults.size === 0) return null
    // Without a stop of its own the entry's price does not matter, and most pairs are alike.
    const alike = `${String(pair.qty)} ${pair.symbol}`
    const known = byDefault.get(alike)
    const risk = known === undefined ? ask(pair, null) : known
    byDefault.set(alike, risk)
    return risk
  }
}

/** The pairs of all trades with at least one own stop: without defaults only these can have a risk. Takes the user twice. */
const besideAStop = `SELECT own.ref FROM shown_notes AS edit CROSS JOIN fill_pairs AS own ON own.user_id = edit.user_id AND own.id = edit.pair_id WHERE edit.user_id = ? AND edit.stop IS NOT NULL
  UNION SELECT pair.ref FROM shown_notes AS edit CROSS JOIN fill_pairs AS own ON own.user_id = edit.user_id AND own.id = edit.pair_id
    CROSS JOIN fill_pairs AS pair INDEXED BY fill_pairs_of_trade ON pair.user_id = own.user_id AND pair.trade_id = own.trade_id WHERE edit.user_id = ? AND edit.stop IS NOT NULL`

type PairCells = [trade: string | null, id: string, symbol: string, side: 'long' | 'short', price: Ticks, tickSize: string, qty: number]

/** The pairs of some trades; one entered by hand is its own pair. Takes the ids and the user twice. */
const pairsOfTrades = `SELECT pair.ref FROM json_each(?) AS wanted CROSS JOIN fill_pairs AS pair INDEXED BY fill_pairs_of_trade ON pair.user_id = ? AND pair.trade_id = wanted.value
  UNION SELECT own.ref FROM json_each(?) AS wanted CROSS JOIN fill_pairs AS own ON own.user_id = ? AND own.id = wanted.value`

/** The risks of a user's trades, by id: the sums of their pairs. Of all trades, or of those with these ids. */
export const tradeRisks = (reader: Reader, userId: string, ids: readonly string[] | null = null): Risks<{ readonly id: string }> => {
  const trades = createTradeRisks()
  const { sql, values } = inViewOf(userId, 'pairs')
  // Raw SQL, since there may be a million pairs and stops: the benchmark `reads` measures it.
  const cellsOf = (refs: string, own: readonly string[]) =>
    queryCells<PairCells>(reader, `SELECT row.trade_id, row.id, row.symbol, row.side, row.entry_price, row.tick_size, row.qty FROM ${refs} WHERE ${sql}`).iterate(...own, ...values)
  const take = (pairs: Iterable<PairCells>, riskOf: Risks<RiskedPair>): void => {
    for (const [trade, id, symbol, side, price, tickSize, qty] of pairs) trades.take(trade ?? id, riskOf({ id, symbol, side, price, tickSize, qty }))
  }
  const among = (refs: string): string => `(${refs}) AS some CROSS JOIN fill_pairs AS row ON row.ref = some.ref`
  if (ids !== null) {
    const wanted = JSON.stringify(ids)
    const pairs = [...cellsOf(among(pairsOfTrades), [wanted, userId, wanted, userId])]
    take(pairs, pairRisks(reader, userId, pairs.map(([, id]) => id)))
  } else if (defaultsOf(reader, userId).size > 0) take(cellsOf('fill_pairs AS row', []), pairRisks(reader, userId))
  else take(cellsOf(among(besideAStop), [userId, userId]), pairRisks(reader, userId))
  return ({ id }) => trades.of(id)
}

/** The pairs' own stops, as exact decimal prices, by id. */
const stopsOf = (reader: Reader, userId: string, ids: readonly string[] | null): ReadonlyMap<string, string> => {
  type Stop = { pair_id: string; stop: string }
  const stops = ids === null
    ? query<Stop>(reader, 'SELECT pair_id, stop FROM shown_notes WHERE user_id = ? AND stop IS NOT NULL').all(userId)
    : query<Stop>(reader, 'SELECT shown.pair_id, shown.stop FROM json_each(?) AS wanted CROSS JOIN shown_notes AS shown ON shown.user_id = ? AND shown.pair_id = wanted.value WHERE shown.stop IS NOT NULL').all(JSON.stringify(ids), userId)
  return new Map(stops.map(({ pair_id, stop }) => [pair_id, stop]))
}

const defaultsOf = ({ orm }: Reader, userId: string): ReadonlyMap<string, DefaultStop> => {
  const general = orm.select().from(defaultStops).where(eq(defaultStops.userId, userId)).all()
  return new Map(general.flatMap(({ product, distance, unit }) => (distance === null ? [] : [[product, { distance, unit }] as const])))
}
