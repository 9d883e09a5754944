import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import { doubtsIn, leftOpen, type IncompleteDay, type LeftOpen } from '#shared/imports/derive-trades.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { reprice } from '#shared/money/price.ts'
import { deriveBatches } from '#shared/pnl/derive-batches.ts'
import type { Pair } from '#shared/pnl/pair.ts'
import type { Reader } from '../db/database.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { keptSpec, withPointValue } from '../fills/specs.ts'
import { zoneOf } from '../db/zone.ts'
import type { AssembledImports } from './assemble-imports.ts'

/** What the fills of some accounts would come to, trips by their ids. */
type Derived = { readonly pairs: readonly Pair[]; readonly trips: readonly string[]; readonly open: readonly LeftOpen[]; readonly incompleteDays: readonly IncompleteDay[] }

/** Matches the fills that these accounts would have after the import; nothing is written. */
export const previewTrades = (reader: Reader, userId: string, { accounts: together, assembly }: AssembledImports, keys: ReadonlySet<AccountKey>): Derived => {
  const zone = zoneOf(reader, userId)
  const specs = new Map<string, ContractSpec>()
  const specOf = (contract: string): ContractSpec => {
    const known = specs.get(contract)
    if (known !== undefined) return known
    const kept = keptSpec(reader, userId, contract)
    const fileSpec = assembly.specs.get(contract) ?? contractSpecOf(contract)
    const spec = kept?.source === 'broker' ? { ...kept, rounding: fileSpec.rounding ?? kept.rounding } : withPointValue(reader, userId, fileSpec)
    specs.set(contract, spec)
    return spec
  }
  const [pairs, trips, open, incompleteDays] = [[] as Pair[], new Set<string>(), [] as LeftOpen[], [] as IncompleteDay[]]
  for (const key of keys) {
    const fills = [...(together.get(key)?.fills().values() ?? [])].flatMap((fill) => inTicksOf(specOf(fill.contract), fill)).sort(compareFills)
    const underWay = new Map<string, string | null>()
    const ends = new Map<string, number>()
    for (const batch of deriveBatches(fills, { zone, specOf, doubtsOf: doubtsIn({ fills, positions: assembly.positions, missing: assembly.missing }) })) {
      ends.set(batch.contract, batch.end.net)
      for (const tradingDay of batch.doubtfulDays) incompleteDays.push({ account: key, tradingDay, currency: specOf(batch.contract).currency })
      for (const pair of batch.pairs) pairs.push(pair)
      for (const { id } of batch.trips) trips.add(id)
      const { trip } = batch.end
      underWay.set(batch.contract, trip !== null && trip.pairCount > 0 ? trip.id : null)
    }
    for (const id of underWay.values()) if (id !== null) trips.add(id)
    for (const [contract, net] of ends) {
      const left = leftOpen(key, contract, net)
      if (left !== null) open.push(left)
    }
  }
  return { pairs, trips: [...trips], open, incompleteDays }
}

/** None where the price lies on no tick of the contract: the journal leaves such a fill out. */
const inTicksOf = ({ tickSize }: ContractSpec, { tickSize: own, ...fill }: PricedFill): Fill[] => {
  const price = reprice(fill.price, own, tickSize)
  return price === null ? [] : [{ ...fill, price }]
}
