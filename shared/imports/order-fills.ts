import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { shareOf } from '#shared/money/share.ts'
import { keyOf, type ImportedFill, type Placed } from './assembly.ts'
import { orderKey } from './distinct.ts'
import type { FillReading, OrderReading } from './reading.ts'

/** The part of an order not covered by known fills. */
export type UncoveredOrder = {
  readonly order: Placed<OrderReading>
  readonly qty: number
  /** Whole ticks. */
  readonly priceSum: number
  /** The stand-in fills that another computer made of it; missing in orders of files here. */
  readonly mirrored?: readonly ImportedFill[]
}

type Filled = { readonly qty: number; readonly priceSum: number }

const nothing: Filled = { qty: 0, priceSum: 0 }
const isSum = (one: Filled, other: Filled): boolean => one.qty === other.qty && one.priceSum === other.priceSum

type UncoveredOrders = {
  readonly rests: readonly UncoveredOrder[]
  readonly contradicting: readonly Placed<OrderReading>[]
  /** Contradicting orders that put the position in doubt. */
  readonly miscounted: readonly Placed<OrderReading>[]
}

/** The uncovered part of each order, and the orders that contradict their fills in quantity, contract, price, or side. */
export const uncoveredOrders = (orders: readonly Placed<OrderReading>[], fills: Iterable<Placed<FillReading>>): UncoveredOrders => {
  if (orders.length === 0) return { rests: [], contradicting: [], miscounted: [] }
  const known = new Map<string, {
    readonly all: Filled
    readonly standing: Filled
    /** Contract and side of its first fill; `isOne` if all fills share them. */
    readonly kind: string
    readonly isOne: boolean
  }>()
  for (const { account, orderId, contract, side, qty, price, active } of fills) {
    if (orderId === null) continue
    const key = orderKey({ account, orderId })
    const own = keyOf(contract, side)
    const { all, standing, kind, isOne } = known.get(key) ?? { all: nothing, standing: nothing, kind: own, isOne: true }
    const more = (sums: Filled): Filled => ({ qty: sums.qty + qty, priceSum: sums.priceSum + price * qty })
    known.set(key, { all: more(all), standing: active ? more(standing) : standing, kind, isOne: isOne && kind === own })
  }
  const rests: UncoveredOrder[] = []
  const [contradicting, miscounted]: [Placed<OrderReading>[], Placed<OrderReading>[]] = [[], []]
  for (const order of orders) {
    const { all, standing, kind, isOne } = known.get(orderKey(order)) ?? { all: nothing, standing: nothing, kind: keyOf(order.contract, order.side), isOne: true }
    if (!isOne || kind !== keyOf(order.contract, order.side)) {
      contradicting.push(order)
      miscounted.push(order)
      continue
    }
    // An order may or may not count a busted fill: trust the fills.
    if (isSum(order, all) || isSum(order, standing)) continue
    const qty = order.qty - all.qty
    if (qty > 0) rests.push({ order, qty, priceSum: order.priceSum - all.priceSum })
    else contradicting.push(order)
    if (qty < 0) miscounted.push(order)
  }
  return { rests, contradicting, miscounted }
}

/** The ids of an order's stand-in fills. */
export const orderFillIds = (orderId: string): readonly [string, string] => [`order:${orderId}`, `order:${orderId}:2`]

/** Stand-in fills for the uncovered part of an order: one, or two at neighboring ticks if its average lies between. */
export const fillsOfUncovered = ({ order, qty, priceSum, mirrored }: UncoveredOrder): readonly ImportedFill[] => {
  if (mirrored !== undefined && qty === order.qty) return mirrored
  const { account, contract, orderId, filledAt, placedAt, side, fee } = order
  const lower = Math.floor(priceSum / qty)
  const atUpper = priceSum - lower * qty
  const feeOf = (from: number, count: number): Amount | null => (fee === undefined ? null : shareOf(fee, from, from + count, order.qty))
  const fill = (id: string, count: number, price: number, from = 0): ImportedFill => ({
    id, account, contract, time: filledAt, side, qty: count, price: price as Ticks,
    fee: feeOf(from, count), active: true, source: 'orders-file', orderId, tradeDate: null, since: Math.min(placedAt, filledAt),
    ...(mirrored === undefined ? {} : { mirrored: true as const }),
  })
  const [firstId, secondId] = orderFillIds(orderId)
  const first = fill(firstId, qty - atUpper, lower)
  return atUpper === 0 ? [first] : [first, fill(secondId, atUpper, lower + 1, qty - atUpper)]
}

/**
 * The fills, marking those that may precede or follow an order-only fill: that one filled between its order's placement and the end of its fill
 * second. Fills with broker pairs are already ordered.
 */
export const markUncertainOrder = (fills: readonly ImportedFill[], isPaired: (fill: ImportedFill) => boolean): readonly ImportedFill[] => {
  if (fills.every(({ source }) => source !== 'orders-file')) return fills
  const unsure = new Set<ImportedFill>()
  for (const stream of Map.groupBy(fills, ({ account, contract }) => keyOf(account, contract)).values()) {
    const [averages, others] = [stream.filter(isAverage).sort((one, other) => one.since - other.since), stream.filter((fill) => !isAverage(fill) && fill.active && !isPaired(fill)).sort((one, other) => one.time - other.time)]
    let [working, next]: [ImportedFill[], number] = [[], 0]
    for (const fill of others) {
      for (let average = averages[next]; average !== undefined && average.since <= fill.time; average = averages[next]) {
        working.push(average)
        next += 1
      }
      working = working.filter(({ time }) => fill.time < time + second)
      if (working.some(({ side, price }) => side !== fill.side || price !== fill.price)) unsure.add(fill)
    }
  }
  return unsure.size === 0 ? fills : fills.map((fill) => (unsure.has(fill) ? { ...fill, ambiguous: true } : fill))
}

// Order files have whole seconds.
const second = 1000

const isAverage = ({ source }: ImportedFill): boolean => source === 'orders-file'
