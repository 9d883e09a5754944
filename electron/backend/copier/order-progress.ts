import { isOurs } from '#shared/copier/client-order-id.ts'
import { isEnded, type FillFact } from '#shared/copier/facts.ts'
import { tradedApart } from '#shared/copier/target.ts'
import type { OrderStage } from '../store/copier/rows.ts'
import { inFlight, oursIn, realOf, withinTarget } from './followers.ts'
import type { Outlet } from './orders-out.ts'
import { standOf, type Account, type Follower, type OutOrder } from './world.ts'

/** What an order of ours came to, for those who count rejects and pauses. */
export type OrderEnd = { readonly account: Account; readonly order: OutOrder; readonly stage: OrderStage; readonly reason: string | null }

/** What following the orders of an account works with. */
export type ProgressParts = {
  readonly outlet: Outlet
  /** An order of ours filled some more. */
  readonly filled: (account: Account, order: OutOrder, fills: readonly FillFact[]) => void
  readonly ended: (end: OrderEnd) => void
}

/** Brings the orders of ours on an account up to what its book knows. */
export const followOrders = ({ outlet, filled, ended }: ProgressParts, account: Account, follower: Follower | null): void => {
  const { book } = account
  for (const order of account.ours.values()) {
    if (order.intent.dryRun) continue
    const { clOrdId } = order.intent
    const id = order.orderId ?? book.orderOf(clOrdId)
    if (id === null) continue
    if (order.orderId === null || order.stage === 'unknown') {
      order.orderId = id
      account.placed.add(id)
      order.stage = 'acknowledged'
      outlet.tell({ clOrdId, orderId: id, stage: 'acknowledged' })
    }
    const now = book.order(id)
    if (now === null) continue
    if (now.filled > order.filled) {
      const qty = now.filled - order.filled
      order.filled = now.filled
      if (order.intent.purpose === 'exit' && follower !== null) traded(account, follower, order.intent.contract, order.intent.side === 'buy' ? qty : -qty, 'exit-filled')
      filled(account, order, book.fillsOf(id))
    }
    if (now.status === null || !isEnded(now.status)) continue
    order.ended = !now.final
    if (!now.final) continue
    const stage: OrderStage = now.status === 'Rejected' ? 'rejected' : order.filled >= order.intent.qty || now.status === 'Filled' ? 'filled' : 'cancelled'
    const said = book.said(id)
    const reason = said === null ? null : [said.rejectReason, said.text].filter((part) => part !== null).join(': ')
    outlet.end(account, order, stage, reason === null || stage === 'filled' ? {} : { why: reason })
    ended({ account, order, stage, reason })
  }
}

/** Takes a trade that the copier did not decide into a follower's stance: what brings it nearer counts as done, the rest stands apart. */
const traded = (account: Account, follower: Follower, contract: string, qty: number, why: 'exit-filled' | 'by-hand'): void => {
  const stand = standOf(follower, contract)
  const target = stand.target ?? stand.lastTarget
  if (target === null) return
  const { buying, selling } = inFlight(oursIn(account, contract))
  const real = realOf(follower, account, contract) - qty + buying - selling
  const next = tradedApart({ own: stand.own, apart: stand.apart, target, real, qty })
  // The target is the copied part and the own one: what was taken off the own one leaves it.
  const goal = target + next.own - stand.own
  stand.apart = why === 'exit-filled' ? withinTarget(next.apart, goal) : next.apart
  stand.own = next.own
  stand.target = goal
  stand.lastTarget = goal
  stand.apartWhy = stand.apart === 0 ? null : (stand.apartWhy ?? why)
  stand.changed = true
}

/**
 * Settles who traded where that is known by now: a fill of no order of ours came of somebody's hand. One whose order's sender was not told
 * waits for it, or for lists that began to be read (UTC ms) after it came and tell no sender either.
 */
export const nameFills = (account: Account, follower: Follower | null, listedSince: number): void => {
  for (const [id, { fill, since }] of account.nameless) {
    const sender = account.book.clOrdIdOf(fill.orderId)
    const own = account.placed.has(fill.orderId) || isOurs(sender)
    if (!own && sender === null && listedSince <= since) continue
    account.nameless.delete(id)
    const contract = account.contracts.byId.get(fill.contractId)?.name
    if (!own && follower !== null && follower.begun && contract !== undefined) traded(account, follower, contract, fill.side === 'buy' ? fill.qty : -fill.qty, 'by-hand')
  }
}
