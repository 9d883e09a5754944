import type { Side } from '#shared/fills/fill.ts'
import { compareFillIds, compareFills } from '#shared/fills/order.ts'
import { keyOf, type ImportedFill, type Placed } from './assembly.ts'
import { fillKey } from './distinct.ts'
import type { OrderRest } from './order-fills.ts'
import type { PairReading, PairedFill } from './reading.ts'

// Files of pairs and orders tell whole seconds.
const second = 1000

/** The fills that pairs tell of: each has the quantity that its pairs sum up to, which is the least it can have. */
export const fillsOfPairs = (pairs: Iterable<Placed<PairReading>>, isKnown: (fill: string) => boolean): readonly ImportedFill[] => {
  const fills = new Map<string, ImportedFill>()
  const note = (pair: Placed<PairReading>, side: Side, { fillId, time, price }: PairedFill): void => {
    const { account, contract, qty } = pair
    if (isKnown(fillKey({ account, fillId }))) return
    const key = keyOf(account, contract, fillId, side)
    const before = fills.get(key)
    const fill = before ?? { id: fillId, account, contract, time, side, qty: 0, price, fee: null, active: true, source: 'pairs-file', orderId: null, tradeDate: null, since: time }
    // Where pairs disagree on a fill, the choice must not depend on their order.
    const earliest = Math.min(fill.time, time)
    fills.set(key, { ...fill, qty: fill.qty + qty, time: earliest, since: earliest, price: fill.price < price ? fill.price : price })
  }
  for (const pair of pairs) {
    note(pair, 'buy', pair.buy)
    note(pair, 'sell', pair.sell)
  }
  return [...fills.values()]
}

/**
 * The fills of pairs that no order accounts for. An order takes in those of its account, contract and side that lie
 * between its placing and its filling, the ones nearest to its filling first, up to the quantity that it misses: an
 * order that waited for days must not swallow what others did meanwhile.
 */
export const fillsBesideOrders = (fills: readonly ImportedFill[], rests: readonly OrderRest[]): readonly ImportedFill[] => {
  if (rests.length === 0) return fills
  const streams = new Map<string, ImportedFill[]>()
  for (const fill of fills) {
    const key = streamOf(fill)
    const stream = streams.get(key)
    if (stream === undefined) streams.set(key, [fill])
    else stream.push(fill)
  }
  const taken = new Set<ImportedFill>()
  const byStream = new Map([...streams].map(([key, stream]) => [key, openStream(stream.sort(compareFills), taken)]))
  // The order placed last has the least to choose from, so it chooses first: then as many fills as possible find theirs.
  const byPlacing = [...rests].sort((one, other) => other.order.placedAt - one.order.placedAt || other.order.filledAt - one.order.filledAt || compareFillIds(other.order.orderId, one.order.orderId))
  const missing = new Map(byPlacing.map((rest) => [rest, rest.qty]))
  for (const slack of [0, second]) for (const rest of byPlacing) missing.set(rest, byStream.get(streamOf(rest.order))?.(rest.order, missing.get(rest) ?? 0, slack) ?? 0)
  return fills.filter((fill) => !taken.has(fill))
}

const streamOf = ({ account, contract, side }: Pick<ImportedFill, 'account' | 'contract' | 'side'>): string => keyOf(account, contract, side)

/** Takes what fits an order out of the fills of its stream, which come in the order of time, and says how much it still misses. */
type Take = (order: OrderRest['order'], missing: number, slack: number) => number

const openStream = (stream: readonly ImportedFill[], taken: Set<ImportedFill>): Take => {
  // The nearest fill at or before each place that is not taken: paths are shortened as they are walked.
  const before = stream.map((_, index) => index)
  const openAt = (from: number): number => {
    let at = from
    while (at >= 0 && before[at] !== at) at = before[at] ?? -1
    for (let place = from; place > at; ) {
      const next = before[place] ?? -1
      before[place] = at
      place = next
    }
    return at
  }
  return (order, missing, slack) => {
    let still = missing
    for (let at = openAt(lastUntil(stream, order.filledAt + slack)); at >= 0 && still > 0; at = openAt(at - 1)) {
      const fill = stream[at]
      if (fill === undefined || fill.time < order.placedAt - slack) break
      if (fill.qty > still) continue
      still -= fill.qty
      taken.add(fill)
      before[at] = at - 1
    }
    return still
  }
}

/** The index of the last fill at or before a time; -1 where there is none. */
const lastUntil = (stream: readonly ImportedFill[], time: number): number => {
  let [low, high] = [-1, stream.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((stream[middle]?.time ?? Number.POSITIVE_INFINITY) <= time) low = middle
    else high = middle - 1
  }
  return low
}
