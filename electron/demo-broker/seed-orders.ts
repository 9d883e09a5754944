import type { Random } from './random.ts'
import type { OrderDraft } from './world.ts'

/** Where and when an order meets the market. */
export type OrderSlot = Pick<OrderDraft, 'accountId' | 'contract' | 'session' | 'action' | 'time'> & { readonly ticks: number }

/** An order that fills whole at the slot's time, in one piece or in several of the same millisecond. */
export const filledOrder = (
  random: Random,
  slot: OrderSlot,
  how: { readonly qty: number; readonly type: OrderDraft['type']; readonly inPieces: boolean; readonly since?: number },
): OrderDraft => {
  const { accountId, contract, session, action, time, ticks } = slot
  const waited = how.type === 'Market' ? random.whole(6, 140) : random.whole(4000, 90_000)
  // Whoever is in a hurry pays for it: a market or stop order fills up to a tick beyond the price that was seen.
  const slipped = ticks + (how.type === 'Limit' ? 0 : random.whole(0, 1) * (action === 'Buy' ? 1 : -1))
  const fills = pieces(random, how.qty, how.inPieces).map((qty, index) => ({
    time,
    qty,
    ticks: how.type === 'Limit' || index === 0 ? slipped : slipped + random.whole(0, 1) * (action === 'Buy' ? 1 : -1),
    bustedAt: null,
  }))
  return {
    accountId, contract, session, action, fills,
    time: how.since ?? time - waited,
    qty: how.qty,
    type: how.type,
    ticks: how.type === 'Market' ? null : ticks,
    endsAt: time,
    outcome: 'Filled',
  }
}

/** An order that waited from `since` and was cancelled, unfilled, at the slot's time. */
export const cancelledOrder = (
  slot: OrderSlot,
  how: { readonly qty: number; readonly type: 'Limit' | 'Stop'; readonly since: number },
): OrderDraft => {
  const { accountId, contract, session, action, time, ticks } = slot
  return { accountId, contract, session, action, ticks, fills: [], time: how.since, qty: how.qty, type: how.type, endsAt: time, outcome: 'Canceled' }
}

const pieces = (random: Random, qty: number, wanted: boolean): number[] => {
  if (!wanted || qty < 2) return [qty]
  const first = random.whole(1, qty - 1)
  const rest = qty - first
  return rest >= 2 && random.next() < 0.4 ? [first, 1, rest - 1] : [first, rest]
}
