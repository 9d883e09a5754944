import { compareText, keyOf, type Placed } from './assembly.ts'
import { isBrokersId } from './fill-ids.ts'
import { secondOf } from './fill-facts.ts'
import type { FillReading, PairReading } from './reading.ts'

/** A fill under the broker's id, by what a platform with ids of its own says of it too; `qty` is null where only the least is known. */
type Known = { readonly id: string; readonly qty: number | null }

/**
 * Fills under the broker's ids, where a platform has ids of its own: what has the same contract, side, price and second
 * as a fill that the broker names, and no other quantity, is that fill.
 */
export const underBrokersIds = (fills: readonly Placed<FillReading>[], pairs: readonly Placed<PairReading>[]): readonly Placed<FillReading>[] => {
  const foreign = fills.filter(({ fillId }) => !isBrokersId(fillId))
  if (foreign.length === 0 || (foreign.length === fills.length && pairs.length === 0)) return fills
  const known = knownFills(fills, pairs)
  const idOf = new Map<string, string>()
  const seen = new Set<string>()
  for (const { fillId, qty, ...fill } of foreign.toSorted((one, other) => compareText(one.fillId, other.fillId))) {
    if (seen.has(fillId)) continue
    seen.add(fillId)
    const fitting = known.get(placeOf(fill.contract, fill.side, fill.price, fill.time)) ?? []
    const exact = fitting.findIndex((one) => one.qty === qty)
    const at = exact >= 0 ? exact : fitting.findIndex((one) => one.qty === null)
    const [found] = at < 0 ? [] : fitting.splice(at, 1)
    if (found !== undefined) idOf.set(fillId, found.id)
  }
  return fills.map((fill) => {
    const fillId = idOf.get(fill.fillId)
    return fillId === undefined ? fill : { ...fill, fillId }
  })
}

const knownFills = (fills: readonly Placed<FillReading>[], pairs: readonly Placed<PairReading>[]): ReadonlyMap<string, Known[]> => {
  const places = new Map<string, Map<string, Known>>()
  const add = (place: string, one: Known): void => {
    const at = places.get(place) ?? new Map<string, Known>()
    if (at.get(one.id)?.qty === undefined || one.qty !== null) at.set(one.id, one)
    places.set(place, at)
  }
  for (const { contract, buy, sell } of pairs) {
    add(placeOf(contract, 'buy', buy.price, buy.time), { id: buy.fillId, qty: null })
    add(placeOf(contract, 'sell', sell.price, sell.time), { id: sell.fillId, qty: null })
  }
  for (const { fillId, contract, side, price, time, qty } of fills) if (isBrokersId(fillId)) add(placeOf(contract, side, price, time), { id: fillId, qty })
  return new Map([...places].map(([place, known]) => [place, [...known.values()].sort((one, other) => compareText(one.id, other.id))]))
}

const placeOf = (contract: string, side: string, price: number, time: number): string => keyOf(contract, side, price, secondOf(time))
