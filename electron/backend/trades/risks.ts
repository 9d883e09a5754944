import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { createTripRisks, riskBy, type DefaultStop } from '#shared/stats/risk.ts'
import { query, queryCells, type Reader } from '../db/database.ts'
import { inViewOf } from './filtered-rows.ts'
import { specOf } from '../fills/specs.ts'

/** What a pair's risk follows from, but for its own stop; `price` is its entry in ticks of `tickSize`. */
export type RiskedPair = { readonly id: string; readonly symbol: string; readonly side: 'long' | 'short'; readonly price: Ticks; readonly tickSize: string; readonly qty: number }

/** What was to be lost at the stop of a pair or a trip, below zero where only a profit would be stopped; null where no stop is known. */
export type Risks<Of> = (of: Of) => Amount | null

/** The risks of a user's pairs: by their own stops, else by the defaults of their products. */
export const pairRisks = (reader: Reader, userId: string): Risks<RiskedPair> => {
  const { stops, defaults } = stopsOf(reader, userId)
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

/** The pairs of all trips of which one has a stop of its own, and so the only ones of which a trip can have a risk without defaults. Takes the user twice. */
const besideAStop = `SELECT own.ref FROM shown_notes AS edit CROSS JOIN trades AS own ON own.user_id = edit.user_id AND own.id = edit.trade_id WHERE edit.user_id = ? AND edit.stop IS NOT NULL
  UNION SELECT pair.ref FROM shown_notes AS edit CROSS JOIN trades AS own ON own.user_id = edit.user_id AND own.id = edit.trade_id
    CROSS JOIN trades AS pair INDEXED BY trades_of_trip ON pair.user_id = own.user_id AND pair.trip_id = own.trip_id WHERE edit.user_id = ? AND edit.stop IS NOT NULL`

type PairCells = [trip: string | null, id: string, symbol: string, side: 'long' | 'short', price: Ticks, tickSize: string, qty: number]

/** The pairs of some trips, and trades that are trips of their own. Takes the ids and the user twice. */
const pairsOfTrips = `SELECT pair.ref FROM json_each(?) AS wanted CROSS JOIN trades AS pair INDEXED BY trades_of_trip ON pair.user_id = ? AND pair.trip_id = wanted.value
  UNION SELECT own.ref FROM json_each(?) AS wanted CROSS JOIN trades AS own ON own.user_id = ? AND own.id = wanted.value`

/** The risks of a user's trips, by their ids: those of their pairs together. Of all trips, or of those with these ids. */
export const tripRisks = (reader: Reader, userId: string, ids: readonly string[] | null = null): Risks<{ readonly id: string }> => {
  const { stops, defaults } = stopsOf(reader, userId)
  const trips = createTripRisks()
  if (stops.size > 0 || defaults.size > 0) {
    const riskOf = pairRisks(reader, userId)
    const { sql, values } = inViewOf(userId, 'pairs')
    const of = (refs: string, own: readonly string[]) => ({ sql: `(${refs}) AS some CROSS JOIN trades AS row ON row.ref = some.ref`, values: own })
    const wanted = JSON.stringify(ids)
    const some = ids !== null ? of(pairsOfTrips, [wanted, userId, wanted, userId]) : defaults.size > 0 ? { sql: 'trades AS row', values: [] } : of(besideAStop, [userId, userId])
    const pairs = queryCells<PairCells>(reader, `SELECT row.trip_id, row.id, row.symbol, row.side, row.entry_price, row.tick_size, row.qty FROM ${some.sql} WHERE ${sql}`)
    for (const [trip, id, symbol, side, price, tickSize, qty] of pairs.iterate(...some.values, ...values)) trips.take(trip ?? id, riskOf({ id, symbol, side, price, tickSize, qty }))
  }
  return ({ id }) => trips.of(id)
}

const stopsOf = (reader: Reader, userId: string): { readonly stops: ReadonlyMap<string, string>; readonly defaults: ReadonlyMap<string, DefaultStop> } => {
  const own = query<{ trade_id: string; stop: string }>(reader, 'SELECT trade_id, stop FROM shown_notes WHERE user_id = ? AND stop IS NOT NULL').all(userId)
  const general = query<DefaultStop & { product: string }>(reader, 'SELECT product, distance, unit FROM default_stops WHERE user_id = ? AND distance IS NOT NULL').all(userId)
  return {
    stops: new Map(own.map(({ trade_id, stop }) => [trade_id, stop])),
    defaults: new Map(general.map(({ product, distance, unit }) => [product, { distance, unit }])),
  }
}
