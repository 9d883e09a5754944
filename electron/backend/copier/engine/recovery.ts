import { groupMark, isOurs, readClientOrderId } from '#shared/copier/client-order-id.ts'
import { isExitType } from '#shared/copier/exits.ts'
import type { CopierStore } from '../store/copier-store.ts'
import type { SavedOrder, UnwrittenIntent } from '../store/rows.ts'
import { isFollowed, type FollowerOf } from './followers.ts'
import { restoreFills } from './saved-groups.ts'
import { eventWithoutFill } from './order-gateway.ts'
import { contractStateOf, giveOrdersToUser, newOrder, type Account, type Follower, type CopierOrder, type World } from './world.ts'

/** A request without an answer for this long counts as cut. */
const answerMs = 10_000
/** How many days of orders are restored after a restart. */
const rememberedMs = 7 * 24 * 3_600_000

const restoredOrder = ({ stage, orderId, filled, counts, ...intent }: SavedOrder, now: number): CopierOrder => {
  const order = { ...newOrder(intent), orderId, filled, counts }
  return orderId === null ? { ...order, stage: 'unknown', cutMs: Math.min(now, intent.writtenAt + answerMs) } : { ...order, stage }
}

/**
 * Restores a newly known account, for example after a restart: resumes every open order, looks up requests without an answer before anything else
 * is sent, and remembers what a leader's orders filled before. Throws, and changes nothing, if the store cannot be read.
 */
export const recoverOrders = (world: World, store: CopierStore, account: Account, now: number): void => {
  const open = store.openOrders()
  const recent = store.ordersOf(account.key, now - rememberedMs)
  const led = [...world.groups.values()].flatMap((group) => (group.userId === account.userId && group.settings.leader === account.key ? [{ group, fills: store.leaderFills(group.id) }] : []))
  for (const saved of open) if (!saved.dryRun && saved.account === account.key) account.ours.set(saved.clOrdId, restoredOrder(saved, now))
  for (const { group, fills } of led) restoreFills(group, account, fills)
  for (const saved of recent) {
    if (saved.dryRun) continue
    const order = account.ours.get(saved.clOrdId) ?? restoredOrder(saved, now)
    if (saved.orderId !== null) account.placed.set(saved.orderId, order)
    else if (!account.ours.has(saved.clOrdId)) account.givenUp.set(saved.clOrdId, order)
  }
  for (const group of world.groups.values()) {
    const follower = group.followers.get(account.key)
    if (group.userId !== account.userId || follower?.begun !== true) continue
    // Copied positions may still be open although the leader's session no longer shows them.
    for (const { contract, groupId, dryRun, leaderOrderId, purpose, why } of recent) {
      if (groupId !== group.id || dryRun) continue
      const { declined } = contractStateOf(follower, contract)
      if (purpose !== 'entry' || leaderOrderId === null) continue
      // The newest counts: later orders were requested.
      if (why === 'by-hand') declined.add(leaderOrderId)
      else declined.delete(leaderOrderId)
    }
  }
  const followers = [...world.groups.values()].flatMap(({ userId, followers }) => (userId === account.userId ? (followers.get(account.key) ?? []) : []))
  const states = followers.flatMap((follower) => [...follower.states.values()])
  // What the user was given before a restart stays given.
  for (const [contract, of] of Map.groupBy(states, (state) => state.contract)) if (of.every(({ held }) => held === 0) && of.some(({ yours }) => yours !== 0)) giveOrdersToUser(account, contract)
  account.recovered = true
}

/** An account's orders that work, or filled but are not counted yet. */
const uncountedOrders = ({ book, contracts, uncounted }: Account): Set<number> => {
  const ids = new Set<number>()
  for (const contractId of contracts.byId.keys()) for (const { id } of book.working(contractId)) ids.add(id)
  for (const { fill } of uncounted.values()) ids.add(fill.orderId)
  return ids
}

/** Whether an order id belongs to a group on this computer. */
export const isOfGroupHere = (world: World, clOrdId: string | null): boolean => {
  const mark = readClientOrderId(clOrdId ?? '')?.group
  return mark !== undefined && [...world.groups.keys()].some((id) => groupMark(id) === mark)
}

/** Whether another computer copies to a follower: it has a copier order of a group unknown here, not older than the last counted fill. */
export const isCopiedElsewhere = (world: World, account: Account, { states }: Follower): boolean => {
  const marks = new Set([...world.groups.keys()].map(groupMark))
  const counted = Math.max(0, ...[...states.values()].map(({ taken }) => taken.time))
  return [...uncountedOrders(account)].some((id) => {
    const mark = account.placed.has(id) ? undefined : readClientOrderId(account.book.clOrdIdOf(id) ?? '')?.group
    return mark !== undefined && !marks.has(mark) && (account.book.order(id)?.time ?? 0) >= counted
  })
}

/**
 * Adopts working or filled broker orders with a copier id that are missing here, for example after a power cut lost the last writes. Of another
 * computer's orders only working, protective exits are adopted; its other trades count as the user's.
 */
export const adoptMissingOrders = (world: World, store: CopierStore, account: Account, followers: readonly FollowerOf[], now: number): void => {
  const { book } = account
  const unknown = uncountedOrders(account)
  if (unknown.size === 0) return
  const known = new Set([...account.ours.values()].map(({ orderId }) => orderId))
  for (const id of unknown) {
    const clOrdId = book.clOrdIdOf(id)
    if (clOrdId === null || !isOurs(clOrdId) || account.placed.has(id) || known.has(id) || account.ours.has(clOrdId) || account.givenUp.has(clOrdId)) continue
    const order = book.order(id)
    const contract = order === null || order.contractId === null ? undefined : account.contracts.byId.get(order.contractId)?.name
    if (order === null || contract === undefined || order.side === null || order.version === null) continue
    // Without a confirmed lease, leave them to the computer that has it.
    const ours = followers.filter(({ group: { state, entries }, follower }) => state !== 'off' && entries === true && !follower.elsewhere)
    const group = (ours.find(({ follower }) => isFollowed(follower, contract)) ?? ours[0])?.group
    if (group === undefined) return
    const { type: brokerType, qty, price, stopPrice, pegDifference } = order.version
    const type = isExitType(brokerType) ? brokerType : 'Market'
    if (type === 'Market' && !isOfGroupHere(world, clOrdId)) continue
    const intent: UnwrittenIntent = {
      clOrdId,
      groupId: group.id,
      account: account.key,
      contract,
      side: order.side,
      qty,
      purpose: type === 'Market' ? 'repair' : 'exit',
      type,
      price,
      stopPrice,
      pegDifference,
      leaderOrderId: null,
      writtenAt: now,
      dryRun: false,
    }
    const cause = store.writeIntents(eventWithoutFill(group, 'repair', contract, now), [intent])
    const adopted = restoredOrder({ ...intent, cause, stage: 'acknowledged', orderId: id, filled: 0, why: null, counts: false }, now)
    account.ours.set(clOrdId, adopted)
    account.placed.set(id, adopted)
    store.record([{ clOrdId, orderId: id, stage: 'acknowledged' }])
  }
}
