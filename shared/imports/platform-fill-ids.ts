import { compareText } from '#shared/base/compare-text.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { MissingFill } from '#shared/pnl/known-position.ts'
import { keyOf, type DoubtfulDays, type Placed, type RowConflict } from './assembly.ts'
import { maxPlaces, placeOf as rowPlace, placesInOrder } from './distinct.ts'
import { isBrokersId, isMappedId, issuerOf, wholeIdOf } from './fill-ids.ts'
import { secondOf } from './fill-facts.ts'
import { sourceOf, type FillReading, type PairReading } from './reading.ts'

/** A fill under the broker's id, to compare with a platform's own ids; `qty` is null if only its minimum is known. */
type KnownFill = { readonly id: string; readonly qty: number | null }

/**
 * Renames a platform's own fill ids to the broker's: a fill with the same contract, side, price, and second as a broker fill, and no other quantity,
 * is that fill.
 */
export const withBrokerIds = (fills: readonly Placed<FillReading>[], pairs: readonly Placed<PairReading>[]): readonly Placed<FillReading>[] => {
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

const knownFills = (fills: readonly Placed<FillReading>[], pairs: readonly Placed<PairReading>[]): ReadonlyMap<string, KnownFill[]> => {
  const places = new Map<string, Map<string, KnownFill>>()
  const add = (place: string, one: KnownFill): void => {
    const at = places.get(place) ?? new Map<string, KnownFill>()
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

/** Each fill under one broker id, and what is in doubt if files have it under two. */
export type MergedFills = { readonly fills: readonly Placed<FillReading>[]; readonly days: readonly DoubtfulDays[]; readonly missing: readonly MissingFill[]; readonly apart: readonly RowConflict[] }

/**
 * Finds fills that two files have under different ids of the broker or of one format: both cover the second, and each has a fill with the same contract, side, price, and
 * quantity that the other lacks. They become one; as in `mergePairFillIds`, the day is contradicted and the position in doubt from there on.
 */
export const mergeFillIds = (fills: readonly Placed<FillReading>[]): MergedFills => {
  const [days, missing, apart]: [DoubtfulDays[], MissingFill[], RowConflict[]] = [[], [], []]
  const renamed = new Map<string, string>()
  if (new Set(fills.map(sourceOf)).size > 1) {
    const alike = Map.groupBy(fills.filter(({ fillId }) => isBrokersId(fillId) || isMappedId(fillId)), ({ fillId, contract, side, price, time, qty }) => keyOf(issuerOf(fillId), placeOf(contract, side, price, time), qty))
    for (const group of alike.values()) {
      const byId = [...Map.groupBy(group, idOf)].toSorted(([one], [other]) => compareText(one, other))
      if (byId.length < 2) continue
      // By their files: fills without a twin so far, lowest id first.
      const alone = new Map<string, { readonly files: ReadonlySet<string>; readonly ids: (typeof byId)[number][] }>()
      for (const each of byId) {
        const [id, rows] = each
        const files = new Set(rows.map(sourceOf))
        const key = [...files].sort().join('\n')
        const [twins] = [...alone.values()].filter((one) => one.ids.length > 0 && ![...files].some((file) => one.files.has(file))).toSorted((one, other) => compareText(one.ids[0]?.[0] ?? '', other.ids[0]?.[0] ?? ''))
        const twin = twins?.ids.shift()
        const [first] = rows
        if (twin === undefined || first === undefined) {
          const same = alone.get(key) ?? { files, ids: [] }
          alone.set(key, same)
          same.ids.push(each)
          continue
        }
        const [known, others] = twin
        renamed.set(id, known)
        const { account, contract, time } = first
        days.push({ account, from: tradingDay(time), to: tradingDay(time), reason: 'contradicting-rows' })
        missing.push({ account, contract, time })
        apart.push({ what: 'fill', id, differs: ['fill-id'], at: placesInOrder([...rows, ...others].map(rowPlace)).slice(0, maxPlaces) })
      }
    }
  }
  return { days, missing, apart, fills: renamed.size === 0 ? fills : fills.map((fill) => (renamed.has(idOf(fill)) ? { ...fill, fillId: renamed.get(idOf(fill)) ?? fill.fillId } : fill)) }
}

const idOf = ({ fillId }: Placed<FillReading>): string => wholeIdOf(fillId) ?? fillId
