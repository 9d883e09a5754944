import { isOurs } from '#shared/copier/client-order-id.ts'
import type { CopierStore, Intent, KeptOrder } from '../store/copier/rows.ts'
import { standOf, type Account, type Group, type OutOrder, type World } from './world.ts'

/** A request whose answer did not come within this was cut. */
const answerMs = 10_000
/** Orders of these days are known again after a restart. */
const rememberedMs = 7 * 24 * 3_600_000

const outFrom = ({ stage, orderId, filled, ...intent }: KeptOrder, now: number): OutOrder => {
  const unsure = orderId === null
  return {
    intent,
    stage: unsure ? 'unknown' : stage,
    orderId,
    filled,
    heardAt: null,
    leader: null,
    wireAt: null,
    sentMs: intent.writtenAt,
    cutMs: unsure ? Math.min(now, intent.writtenAt + answerMs) : null,
    ended: false,
    cancelMs: null,
    changing: false,
    asked: { qty: intent.qty, price: intent.price, stopPrice: intent.stopPrice },
    askedMs: 0,
    follows: intent.leaderOrderId,
  }
}

/**
 * An account becomes known, after a restart say: every order of it without an end is taken up again, and what was sent without an answer is
 * asked for before anything else is sent.
 */
export const recoverOrders = (world: World, store: CopierStore, account: Account, now: number): void => {
  for (const kept of store.openOrders()) {
    if (!kept.dryRun && kept.account === account.key) account.ours.set(kept.clOrdId, outFrom(kept, now))
  }
  const kept = store.ordersOf(account.key, now - rememberedMs)
  for (const { orderId } of kept) if (orderId !== null) account.placed.add(orderId)
  for (const group of world.groups.values()) {
    const follower = group.followers.get(account.key)
    if (group.userId !== account.userId || follower?.begun !== true) continue
    // What was copied there may still be open, though the leader's session tells nothing of it any more.
    for (const { contract, groupId, dryRun } of kept) if (groupId === group.id && !dryRun) standOf(follower, contract)
  }
}

/** Takes orders that work at the broker under an id of ours, and that nothing here knows, as ours. */
export const adoptStrays = (account: Account, groups: readonly Group[], now: number): void => {
  const group = groups.find(({ followers }) => followers.has(account.key))
  if (group === undefined) return
  const known = new Set([...account.ours.values()].map(({ orderId }) => orderId))
  for (const [contractId, { name: contract }] of account.contracts.byId) {
    for (const { id, side, version } of account.book.working(contractId)) {
      const clOrdId = account.book.clOrdIdOf(id)
      if (clOrdId === null || !isOurs(clOrdId) || known.has(id) || account.ours.has(clOrdId) || side === null || version === null) continue
      const type = version.type === 'Limit' || version.type === 'Stop' || version.type === 'StopLimit' ? version.type : 'Market'
      const intent: Intent = {
        clOrdId,
        cause: 0,
        groupId: group.id,
        account: account.key,
        contract,
        side,
        qty: version.qty,
        purpose: type === 'Market' ? 'repair' : 'exit',
        type,
        price: version.price,
        stopPrice: version.stopPrice,
        leaderOrderId: null,
        writtenAt: now,
        dryRun: false,
      }
      account.ours.set(clOrdId, { ...outFrom({ ...intent, stage: 'acknowledged', orderId: id, filled: account.book.order(id)?.filled ?? 0 }, now) })
      account.placed.add(id)
    }
  }
}
