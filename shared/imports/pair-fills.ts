import { compareText } from '#shared/base/compare-text.ts'
import type { Side } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { MissingFill } from '#shared/pnl/known-position.ts'
import { keyOf, type DoubtfulDays, type ImportedFill, type Placed, type FactName, type RowConflict } from './assembly.ts'
import { fillKey, maxPlaces, placeOf, placesInOrder } from './distinct.ts'
import { secondOf } from './fill-facts.ts'
import { wholeIdOf } from './fill-ids.ts'
import { sourceOf, type FillReading, type PairReading, type PairedFill } from './reading.ts'

/** The fills known from pairs. */
export type PairFills = {
  readonly fills: readonly ImportedFill[]
  /** The trading days of fills on which pairs differ, and these fills. */
  readonly contradicted: readonly DoubtfulDays[]
  readonly apart: readonly RowConflict[]
}

/** The fills of pairs, each with the sum of its pairs' quantities: its minimum. */
export const fillsOfPairs = (pairs: readonly Placed<PairReading>[], isKnown: (fill: string) => boolean): PairFills => {
  const fills = new Map<string, ImportedFill>()
  const contradicted: DoubtfulDays[] = []
  const differing = new Set<string>()
  const note = ({ pair, side, fill: { fillId, time, price } }: PairSide): void => {
    const { account, contract, qty } = pair
    if (isKnown(fillKey({ account, fillId }))) return
    const key = keyOfSide({ pair, side, fill: { fillId } })
    const before = fills.get(key)
    const fill = before ?? { id: fillId, account, contract, time, side, qty: 0, price, fee: null, active: true, source: 'pairs-file', orderId: null, tradeDate: null, since: time }
    // If pairs disagree on a fill, the choice must not depend on their order.
    const earliest = Math.min(fill.time, time)
    if (fill.time !== time || fill.price !== price) {
      contradicted.push({ account, from: tradingDay(earliest), to: tradingDay(Math.max(fill.time, time)), reason: 'contradicting-rows' })
      differing.add(key)
    }
    fills.set(key, { ...fill, qty: fill.qty + qty, time: earliest, since: earliest, price: fill.price < price ? fill.price : price })
  }
  for (const pair of pairs) for (const side of bothOf(pair)) note(side)
  return { fills: [...fills.values()], contradicted, apart: apartIn(pairs, differing) }
}

type PairSide = { readonly pair: Placed<PairReading>; readonly side: Side; readonly fill: PairedFill }

const bothOf = (pair: Placed<PairReading>): readonly PairSide[] => [{ pair, side: 'buy', fill: pair.buy }, { pair, side: 'sell', fill: pair.sell }]

const keyOfSide = ({ pair: { account, contract }, side, fill: { fillId } }: { readonly pair: Placed<PairReading>; readonly side: Side; readonly fill: Pick<PairedFill, 'fillId'> }): string => keyOf(account, contract, fillId, side)

/** The conflicts between rows of the fills with these keys. */
const apartIn = (pairs: readonly Placed<PairReading>[], keys: ReadonlySet<string>): readonly RowConflict[] => {
  if (keys.size === 0) return []
  const bySide = Map.groupBy(pairs.flatMap(bothOf).filter((one) => keys.has(keyOfSide(one))), keyOfSide)
  const severalOf = (all: readonly PairSide[], of: 'price' | 'time'): readonly FactName[] => (new Set(all.map(({ fill }) => fill[of])).size > 1 ? [of] : [])
  return [...bySide.values()].map((all) => ({ what: 'fill', id: all[0]?.fill.fillId ?? '', differs: [...severalOf(all, 'price'), ...severalOf(all, 'time')], at: placesInOrder(all.map(({ pair }) => placeOf(pair))).slice(0, maxPlaces) }))
}

/** Pairs with each fill under one id, and what is in doubt if files have it under two. */
export type MergedPairs = { readonly pairs: readonly Placed<PairReading>[]; readonly days: readonly DoubtfulDays[]; readonly missing: readonly MissingFill[]; readonly apart: readonly RowConflict[] }

/** A fill of pairs: its id, where and how it filled, its counterparts, and its files. */
type Sided = {
  readonly id: string
  readonly place: string
  readonly side: Side
  readonly time: number
  /** With the files that have the pair. */
  readonly counterparts: Map<string, Set<string>>
  readonly files: Set<string>
  readonly rows: Placed<PairReading>[]
  qty: number
}

/**
 * Finds fills that two files have under different ids and that would count twice: a pair names one that the Fills report lacks, while the report has
 * another of the same contract, side, price, and second that the pair's file lacks; or two pair files have the same fill with one counterpart. They
 * become one. It is unknown which id is right or whether they are two fills after all: the day is contradicted, and the position in doubt from there
 * on. The rows are those of one account.
 */
export const mergePairFillIds = (pairs: readonly Placed<PairReading>[], fills: readonly Placed<FillReading>[]): MergedPairs => {
  const named = sidesOf(pairs)
  const known = new Map(fills.flatMap((fill) => [fill.fillId, wholeIdOf(fill.fillId) ?? fill.fillId].map((id) => [id, fill] as const)))
  const fillsAt = new Map<string, FilesWith<number>>()
  for (const { fillId, contract, side, price, time, qty } of known.values()) {
    const [place, id] = [placeAt(contract, side, price, time), wholeIdOf(fillId) ?? fillId]
    const fill = withFiles(fillsAt, place, named.get(keyOf(side, id))?.files ?? none)
    fill.set(id, Math.max(qty, fill.get(id) ?? 0))
  }
  const namedAt = new Map<string, FilesWith<Sided>>()
  for (const sided of named.values()) for (const [other, files] of sided.counterparts) withFiles(namedAt, keyOf(sided.place, other), files).set(sided.id, sided)
  const renamed = new Map<string, string>()
  const [days, missing, apart]: [DoubtfulDays[], MissingFill[], RowConflict[]] = [[], [], []]
  for (const one of [...named.values()].toSorted((first, second) => compareText(first.id, second.id))) {
    if (known.has(one.id) || renamed.has(one.id)) continue
    const [fill, anotherFill] = firstTwo(elsewhere(fillsAt.get(one.place), one.files, (qty) => qty >= one.qty))
    const [twin, another] = fill === undefined ? firstTwo(pairedElsewhere(namedAt, one)) : [fill, anotherFill]
    const [first] = one.rows
    if (twin === undefined || another !== undefined || first === undefined) continue
    renamed.set(one.id, twin)
    for (const side of ['buy', 'sell']) {
      const gone = named.get(keyOf(side, one.id))
      for (const [other, files] of gone?.counterparts ?? []) withFiles(namedAt, keyOf(gone?.place ?? '', other), files).delete(one.id)
    }
    const day = tradingDay(one.time)
    const { account, contract } = first
    days.push({ account, from: day, to: day, reason: 'contradicting-rows' })
    missing.push({ account, contract, time: one.time })
    const others = [...(named.get(keyOf(one.side, twin))?.rows ?? []), ...[known.get(twin) ?? []].flat()]
    apart.push({ what: 'fill', id: one.id, differs: ['fill-id'], at: placesInOrder([...one.rows, ...others].map(placeOf)).slice(0, maxPlaces) })
  }
  if (renamed.size === 0) return { pairs, days, missing, apart }
  const idOf = (id: string): string => renamed.get(id) ?? id
  return { days, missing, apart, pairs: pairs.map((pair) => ({ ...pair, buy: { ...pair.buy, fillId: idOf(pair.buy.fillId) }, sell: { ...pair.sell, fillId: idOf(pair.sell.fillId) } })) }
}

const none: ReadonlySet<string> = new Set()

const share = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => [...some].some((one) => others.has(one))

/** Entries by id, grouped by their files: among thousands of fills of one second, those of the same files are skipped at once. */
type FilesWith<T> = Map<string, { readonly files: ReadonlySet<string>; readonly ids: Map<string, T> }>

const withFiles = <T>(at: Map<string, FilesWith<T>>, place: string, files: ReadonlySet<string>): Map<string, T> => {
  const groups: FilesWith<T> = at.get(place) ?? new Map()
  at.set(place, groups)
  const key = [...files].sort().join('\n')
  const group = groups.get(key) ?? { files, ids: new Map<string, T>() }
  groups.set(key, group)
  return group.ids
}

/** Ids from files that share none with these. */
function* elsewhere<T>(groups: FilesWith<T> | undefined, files: ReadonlySet<string>, fits: (one: T) => boolean): Generator<string> {
  for (const group of groups?.values() ?? []) if (!share(group.files, files)) for (const [id, one] of group.ids) if (fits(one)) yield id
}

/** Ids that other files have with one counterpart. */
function* pairedElsewhere(namedAt: ReadonlyMap<string, FilesWith<Sided>>, { id, place, counterparts }: Sided): Generator<string> {
  for (const [other, files] of counterparts) yield* elsewhere(namedAt.get(keyOf(place, other)), files, (sided) => sided.id !== id)
}

/** Two distinct ids are enough: then it is ambiguous. */
const firstTwo = (ids: Iterable<string>): readonly string[] => {
  const found = new Set<string>()
  for (const id of ids) if (found.add(id).size > 1) break
  return [...found]
}

const placeAt = (contract: string, side: Side, price: number, time: number): string => keyOf(contract, side, price, secondOf(time))

const sidesOf = (pairs: readonly Placed<PairReading>[]): ReadonlyMap<string, Sided> => {
  const sides = new Map<string, Sided>()
  const counted = new Set<string>()
  for (const pair of pairs) {
    for (const [side, own, other] of [['buy', pair.buy, pair.sell], ['sell', pair.sell, pair.buy]] as const) {
      const key = keyOf(side, own.fillId)
      const known = sides.get(key) ?? { id: own.fillId, side, time: own.time, place: placeAt(pair.contract, side, own.price, own.time), counterparts: new Map<string, Set<string>>(), files: new Set(), rows: [], qty: 0 }
      sides.set(key, known)
      const counterpart = keyOf(other.fillId, pair.qty)
      known.counterparts.set(counterpart, (known.counterparts.get(counterpart) ?? new Set()).add(sourceOf(pair)))
      known.files.add(sourceOf(pair))
      known.rows.push(pair)
      // A pair may be in several files.
      const name = keyOf(side, own.fillId, other.fillId)
      if (!counted.has(name)) known.qty += pair.qty
      counted.add(name)
    }
  }
  return sides
}
