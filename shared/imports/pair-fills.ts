import type { Side } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { keyOf, type DoubtfulDays, type ImportedFill, type Placed } from './assembly.ts'
import { fillKey, mostPlaces, placeOf, placesInOrder, type FactName, type ToldApart } from './distinct.ts'
import type { PairReading, PairedFill } from './reading.ts'

/** What pairs tell of fills. */
export type PairFills = { readonly fills: readonly ImportedFill[]; /** The trading days of fills that pairs tell differently, and these fills. */ readonly contradicted: readonly DoubtfulDays[]; readonly apart: readonly ToldApart[] }

/** The fills that pairs tell of: each has the quantity that its pairs sum up to, which is the least it can have. */
export const fillsOfPairs = (pairs: readonly Placed<PairReading>[], isKnown: (fill: string) => boolean): PairFills => {
  const fills = new Map<string, ImportedFill>()
  const contradicted: DoubtfulDays[] = []
  const differing = new Set<string>()
  const note = ({ pair, side, fill: { fillId, time, price } }: Told): void => {
    const { account, contract, qty } = pair
    if (isKnown(fillKey({ account, fillId }))) return
    const key = keyOfTold({ pair, side, fill: { fillId } })
    const before = fills.get(key)
    const fill = before ?? { id: fillId, account, contract, time, side, qty: 0, price, fee: null, active: true, source: 'pairs-file', orderId: null, tradeDate: null, since: time }
    // Where pairs disagree on a fill, the choice must not depend on their order.
    const earliest = Math.min(fill.time, time)
    if (fill.time !== time || fill.price !== price) {
      contradicted.push({ account, from: tradingDay(earliest), to: tradingDay(Math.max(fill.time, time)), reason: 'contradicting-rows' })
      differing.add(key)
    }
    fills.set(key, { ...fill, qty: fill.qty + qty, time: earliest, since: earliest, price: fill.price < price ? fill.price : price })
  }
  for (const pair of pairs) for (const told of bothOf(pair)) note(told)
  return { fills: [...fills.values()], contradicted, apart: apartIn(pairs, differing) }
}

type Told = { readonly pair: Placed<PairReading>; readonly side: Side; readonly fill: PairedFill }

const bothOf = (pair: Placed<PairReading>): readonly Told[] => [{ pair, side: 'buy', fill: pair.buy }, { pair, side: 'sell', fill: pair.sell }]

const keyOfTold = ({ pair: { account, contract }, side, fill: { fillId } }: { readonly pair: Placed<PairReading>; readonly side: Side; readonly fill: Pick<PairedFill, 'fillId'> }): string => keyOf(account, contract, fillId, side)

/** What rows tell differently of the fills of these keys. */
const apartIn = (pairs: readonly Placed<PairReading>[], keys: ReadonlySet<string>): readonly ToldApart[] => {
  if (keys.size === 0) return []
  const told = Map.groupBy(pairs.flatMap(bothOf).filter((one) => keys.has(keyOfTold(one))), keyOfTold)
  const severalOf = (all: readonly Told[], of: 'price' | 'time'): readonly FactName[] => (new Set(all.map(({ fill }) => fill[of])).size > 1 ? [of] : [])
  return [...told.values()].map((all) => ({ what: 'fill', id: all[0]?.fill.fillId ?? '', differs: [...severalOf(all, 'price'), ...severalOf(all, 'time')], at: placesInOrder(all.map(({ pair }) => placeOf(pair))).slice(0, mostPlaces) }))
}
