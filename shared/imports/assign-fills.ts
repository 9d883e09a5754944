import { compareFillIds, compareFills } from '#shared/fills/order.ts'
import { keyOf, type ImportedFill } from './assembly.ts'
import type { UncoveredOrder } from './order-fills.ts'

// Pair and order files have whole seconds.
const second = 1000
// Limits on the fills considered per order and on the combinations tried.
const mostLookedAt = 64
const mostTried = 500

/** The uncovered parts of orders, the orders whose price contradicts the fills assigned to them, and those that are a known fill at another hour. */
export type OrderCoverage = { readonly rests: readonly UncoveredOrder[]; readonly contradicting: readonly UncoveredOrder['order'][]; readonly astray: readonly WrongZoneMatch[]; /** The fills assigned to each order. */ readonly taken: readonly { readonly order: UncoveredOrder['order']; readonly fills: readonly ImportedFill[] }[] }

/** A fill and an order that differ only by whole or half hours: one was written in another zone. */
export type WrongZoneMatch = { readonly fill: ImportedFill; readonly order: UncoveredOrder['order'] }

/**
 * The parts of orders not covered by fills without an order id: fills win, an order's average only approximates them. An order takes fills of its
 * account, contract, and side between its placement and its fill time: first any that add up to exactly its quantity and price; then, nearest to its
 * fill time first, up to its missing quantity. Its last fill is in its fill second: if no fill is known there and none has its price, at least one
 * contract is missing.
 */
export const assignFillsToOrders = (fills: readonly ImportedFill[], rests: readonly UncoveredOrder[]): OrderCoverage => {
  if (rests.length === 0 || fills.length === 0) return { rests, contradicting: [], astray: [], taken: [] }
  const streams = new Map([...Map.groupBy(fills, streamOf)].map(([key, stream]) => [key, openStream(stream.sort(compareFills))]))
  const open = rests
    // The order placed last has the fewest candidates, so it picks first: that matches the most fills.
    .toSorted((one, other) => other.order.placedAt - one.order.placedAt || other.order.filledAt - one.order.filledAt || compareFillIds(other.order.orderId, one.order.orderId))
    .map((rest): OpenRest => ({ rest, stream: streams.get(streamOf(rest.order)), qty: rest.qty, priceSum: rest.priceSum, fills: [], isLastKnown: false }))
  for (const slack of [0, second]) for (const one of open) takeExactly(one, slack)
  for (const slack of [0, second]) {
    for (const isPriced of [true, false]) {
      for (const one of open) {
        if (one.isLastKnown && slack > 0) continue
        const before = one.qty
        takeNearest(one, one.rest.order.filledAt - slack, one.rest.order.filledAt + slack, isPriced, one.qty)
        one.isLastKnown ||= one.qty < before
      }
    }
  }
  for (const isPriced of [true, false]) {
    for (const one of open) takeNearest(one, one.rest.order.placedAt - second, one.rest.order.filledAt, isPriced, isPriced || one.isLastKnown ? one.qty : one.qty - 1)
  }
  return {
    rests: open.flatMap(({ rest, qty, priceSum }) => (qty === rest.qty ? [rest] : qty === 0 ? [] : [{ ...rest, qty, priceSum }])),
    contradicting: open.flatMap(({ rest, qty, priceSum }) => (qty === 0 && priceSum !== 0 ? [rest.order] : [])),
    astray: open.flatMap(({ rest, stream, qty }) => (qty === rest.qty ? (stream?.left() ?? []).flatMap((fill) => (isAstray(fill, rest) ? [{ fill, order: rest.order }] : [])) : [])),
    taken: open.flatMap(({ rest: { order }, fills: own }) => (own.length === 0 ? [] : [{ order, fills: own }])),
  }
}

const halfHour = 1_800_000
const farthest = 26 * 3_600_000

/** Whether a fill matches an order except for whole or half hours. */
const isAstray = ({ time, qty, price }: ImportedFill, { order: { filledAt }, qty: whole, priceSum }: UncoveredOrder): boolean => {
  const apart = Math.abs(time - filledAt)
  return apart <= farthest && Math.abs(apart - Math.round(apart / halfHour) * halfHour) <= second && qty <= whole && price * whole === priceSum
}

type OpenRest = { readonly rest: UncoveredOrder; readonly stream: Stream | undefined; qty: number; priceSum: number; readonly fills: ImportedFill[]; isLastKnown: boolean }

const streamOf = ({ account, contract, side }: Pick<ImportedFill, 'account' | 'contract' | 'side'>): string => keyOf(account, contract, side)

const take = (open: OpenRest, found: Found): void => {
  open.qty -= found.fill.qty
  open.priceSum -= found.fill.price * found.fill.qty
  open.fills.push(found.fill)
  open.stream?.take(found)
}

const takeExactly = (open: OpenRest, slack: number): void => {
  const { rest: { order: { placedAt, filledAt } }, stream } = open
  if (stream === undefined || open.qty === 0) return
  const candidates = [...stream.within(placedAt - slack, filledAt + slack)]
  const isLast = (fill: ImportedFill): boolean => Math.abs(fill.time - filledAt) <= slack
  const chosen = candidates.some(({ fill }) => isLast(fill)) ? summingUp(candidates, open, isLast) : null
  for (const found of chosen ?? []) take(open, found)
  if (chosen !== null) open.isLastKnown = true
}

/** Fills that add up to a quantity and price, with at least one possible last fill; null if there are none or too many combinations. */
const summingUp = (candidates: readonly Found[], { qty, priceSum }: { readonly qty: number; readonly priceSum: number }, isLast: (fill: ImportedFill) => boolean): readonly Found[] | null => {
  let tried = 0
  const search = (at: number, left: number, sum: number, hasLast: boolean): readonly Found[] | null => {
    if (left === 0) return sum === 0 && hasLast ? [] : null
    for (let next = at; next < candidates.length && tried < mostTried; next += 1) {
      const found = candidates[next]
      if (found === undefined || found.fill.qty > left) continue
      tried += 1
      const others = search(next + 1, left - found.fill.qty, sum - found.fill.price * found.fill.qty, hasLast || isLast(found.fill))
      if (others !== null) return [found, ...others]
    }
    return null
  }
  return search(0, qty, priceSum, false)
}

const takeNearest = (open: OpenRest, from: number, until: number, isPriced: boolean, most: number): void => {
  const { qty, priceSum } = open.rest
  let left = most
  if (left <= 0 || open.stream === undefined) return
  for (const found of open.stream.within(from, until)) {
    if (found.fill.qty > left || (isPriced && found.fill.price * qty !== priceSum)) continue
    left -= found.fill.qty
    take(open, found)
    if (left === 0) return
  }
}

type Found = { readonly fill: ImportedFill; readonly at: number }

/** The unassigned fills of one account, contract, and side. */
type Stream = { readonly within: (from: number, until: number) => Generator<Found>; readonly take: (found: Found) => void; /** The unassigned fills. */ readonly left: () => readonly ImportedFill[] }

const openStream = (stream: readonly ImportedFill[]): Stream => {
  // The nearest untaken fill at or before each index, with path compression.
  const before = stream.map((_, index) => index)
  let left: readonly ImportedFill[] | null = null
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
  return {
    /** Latest first. */
    within: function* (from, until) {
      let looked = 0
      for (let at = openAt(lastUntil(stream, until)); at >= 0 && looked < mostLookedAt; at = openAt(at - 1)) {
        const fill = stream[at]
        if (fill === undefined || fill.time < from) return
        looked += 1
        yield { fill, at }
      }
    },
    take: ({ at }) => {
      before[at] = at - 1
    },
    left: () => (left ??= stream.filter((_, at) => before[at] === at)),
  }
}

/** The index of the last fill at or before a time; -1 if none. */
const lastUntil = (stream: readonly ImportedFill[], time: number): number => {
  let [low, high] = [-1, stream.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((stream[middle]?.time ?? Number.POSITIVE_INFINITY) <= time) low = middle
    else high = middle - 1
  }
  return low
}
