import { deriveBatches } from '#shared/pnl/derive-batches.ts'
import type { Pair } from '#shared/pnl/pair.ts'
import type { Trip } from '#shared/pnl/trip.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { Assembly } from './assembly.ts'

/** What the fills of files come to. */
export type ImportedTrades = {
  readonly pairs: readonly Pair[]
  /** Those that went flat, and those under way of which something has been closed. */
  readonly trips: readonly Trip[]
}

/** Matches the fills of all accounts; dates are local to `zone` (IANA). */
export const deriveTrades = ({ fills, specs }: Pick<Assembly, 'fills' | 'specs'>, zone: string): ImportedTrades => {
  const pairs: Pair[] = []
  const trips: Trip[] = []
  const underWay = new Map<string, Trip | null>()
  for (const batch of deriveBatches(fills, { zone, specOf: (contract) => specs.get(contract) ?? contractSpecOf(contract) })) {
    for (const pair of batch.pairs) pairs.push(pair)
    for (const trip of batch.trips) trips.push(trip)
    underWay.set(`${batch.account}\n${batch.contract}`, batch.end.trip)
  }
  for (const trip of underWay.values()) if (trip !== null && trip.pairCount > 0) trips.push(trip)
  return { pairs, trips }
}
