import type { Ticks } from '#shared/money/price.ts'
import type { ImportedFill, Placed } from './assembly.ts'
import { orderKey } from './distinct.ts'
import type { FillReading, OrderReading } from './reading.ts'

/** What of an order is not known by the fills themselves. */
export type OrderRest = { readonly order: Placed<OrderReading>; readonly qty: number; /** Whole ticks. */ readonly priceSum: number }

type Filled = { readonly qty: number; readonly priceSum: number }

const nothing: Filled = { qty: 0, priceSum: 0 }
const isSum = (one: Filled, other: Filled): boolean => one.qty === other.qty && one.priceSum === other.priceSum

/** What remains of each order beyond the fills that name it, and the orders that know less than their fills do. */
export const restsOfOrders = (orders: readonly Placed<OrderReading>[], fills: Iterable<Placed<FillReading>>): { readonly rests: readonly OrderRest[]; readonly contradicting: readonly Placed<OrderReading>[] } => {
  if (orders.length === 0) return { rests: [], contradicting: [] }
  const known = new Map<string, { readonly all: Filled; readonly standing: Filled }>()
  for (const { account, orderId, qty, price, active } of fills) {
    if (orderId === null) continue
    const key = orderKey({ account, orderId })
    const { all, standing } = known.get(key) ?? { all: nothing, standing: nothing }
    const more = (sums: Filled): Filled => ({ qty: sums.qty + qty, priceSum: sums.priceSum + price * qty })
    known.set(key, { all: more(all), standing: active ? more(standing) : standing })
  }
  const rests: OrderRest[] = []
  const contradicting: Placed<OrderReading>[] = []
  for (const order of orders) {
    const { all, standing } = known.get(orderKey(order)) ?? { all: nothing, standing: nothing }
    // A busted fill may still be counted by its order or not: the fills know better.
    if (isSum(order, all) || isSum(order, standing)) continue
    const qty = order.qty - all.qty
    if (qty > 0) rests.push({ order, qty, priceSum: order.priceSum - all.priceSum })
    else contradicting.push(order)
  }
  return { rests, contradicting }
}

/** The fills that stand for what remains of an order: one, or two at neighbouring ticks where its average lies between them. */
export const fillsOfRest = ({ order, qty, priceSum }: OrderRest): readonly ImportedFill[] => {
  const { account, contract, orderId, filledAt, placedAt, side } = order
  const lower = Math.floor(priceSum / qty)
  const atUpper = priceSum - lower * qty
  const fill = (id: string, count: number, price: number): ImportedFill => ({
    ...{ id, account, contract, time: filledAt, side, qty: count, price: price as Ticks },
    ...{ fee: null, active: true, source: 'orders-file', orderId, tradeDate: null, since: Math.min(placedAt, filledAt) },
  })
  const first = fill(`order:${orderId}`, qty - atUpper, lower)
  return atUpper === 0 ? [first] : [first, fill(`order:${orderId}:2`, atUpper, lower + 1)]
}
