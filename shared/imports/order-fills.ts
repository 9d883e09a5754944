import type { Ticks } from '#shared/money/price.ts'
import type { ImportedFill, Placed } from './assembly.ts'
import { orderKey } from './distinct.ts'
import type { FillReading, OrderReading } from './reading.ts'

/** What of an order is not known by the fills themselves. */
export type OrderRest = { readonly order: Placed<OrderReading>; readonly qty: number; /** Whole ticks. */ readonly priceSum: number }

/** What remains of each order beyond the fills that name it, and how many orders know less than their fills do. */
export const restsOfOrders = (orders: Iterable<Placed<OrderReading>>, fills: Iterable<Placed<FillReading>>): { readonly rests: readonly OrderRest[]; readonly contradicting: number } => {
  const known = new Map<string, { qty: number; priceSum: number }>()
  for (const { account, orderId, qty, price } of fills) {
    if (orderId === null) continue
    const key = orderKey({ account, orderId })
    const sums = known.get(key)
    if (sums === undefined) known.set(key, { qty, priceSum: price * qty })
    else {
      sums.qty += qty
      sums.priceSum += price * qty
    }
  }
  const rests: OrderRest[] = []
  let contradicting = 0
  for (const order of orders) {
    const { qty: knownQty, priceSum: knownSum } = known.get(orderKey(order)) ?? { qty: 0, priceSum: 0 }
    const qty = order.qty - knownQty
    // A busted fill may still be counted by its order or not: the fills know better.
    if (qty < 0 || (qty === 0 && order.priceSum !== knownSum)) contradicting += 1
    if (qty > 0) rests.push({ order, qty, priceSum: order.priceSum - knownSum })
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
