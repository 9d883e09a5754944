import { groupMark, isOurs, readClientOrderId } from '#shared/copier/client-order-id.ts'
import { isExitType } from '#shared/copier/exits.ts'
import type { CopierStore, Intent, KeptOrder } from '../store/rows.ts'
import { isFollowed, type FollowerOf } from './followers.ts'
import { standOf, type Account, type Follower, type OutOrder, type World } from './world.ts'

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
    asked: { qty: intent.qty, price: intent.price, stopPrice: intent.stopPrice, pegDifference: intent.pegDifference },
    askedMs: 0,
    follows: intent.leaderOrderId,
    pair: null,
    stood: false,
    twin: false,
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
  for (const each of kept) {
    if (each.dryRun) continue
    const order = account.ours.get(each.clOrdId) ?? outFrom(each, now)
    if (each.orderId !== null) account.placed.set(each.orderId, order)
    else if (!account.ours.has(each.clOrdId)) account.givenUp.set(each.clOrdId, order)
  }
  for (const group of world.groups.values()) {
    const follower = group.followers.get(account.key)
    if (group.userId !== account.userId || follower?.begun !== true) continue
    // What was copied there may still be open, though the leader's session tells nothing of it any more.
    for (const { contract, groupId, dryRun, leaderOrderId, purpose, why } of kept) {
      if (groupId !== group.id || dryRun) continue
      const { declined } = standOf(follower, contract)
      if (purpose !== 'entry' || leaderOrderId === null) continue
      // The newest tells: one that came after was asked for.
      if (why === 'by-hand') declined.add(leaderOrderId)
      else declined.delete(leaderOrderId)
    }
  }
}

/** Orders of an account that work, or filled and are not counted yet. */
const untold = ({ book, contracts, untaken }: Account): Set<number> => {
  const ids = new Set<number>()
  for (const contractId of contracts.byId.keys()) for (const { id } of book.working(contractId)) ids.add(id)
  for (const { fill } of untaken.values()) ids.add(fill.orderId)
  return ids
}

/** Whether an order's id is of a group that this computer knows. */
export const isOfGroupHere = (world: World, clOrdId: string | null): boolean => {
  const mark = readClientOrderId(clOrdId ?? '')?.group
  return mark !== undefined && [...world.groups.keys()].some((id) => groupMark(id) === mark)
}

/** Whether another computer copies to a follower: an order of a copier's there is of a group that nobody here knows, and no older than what was counted last. */
export const isCopiedElsewhere = (world: World, account: Account, { stands }: Follower): boolean => {
  const marks = new Set([...world.groups.keys()].map(groupMark))
  const counted = Math.max(0, ...[...stands.values()].map(({ taken }) => taken.time))
  return [...untold(account)].some((id) => {
    const mark = account.placed.has(id) ? undefined : readClientOrderId(account.book.clOrdIdOf(id) ?? '')?.group
    return mark !== undefined && !marks.has(mark) && (account.book.order(id)?.time ?? 0) >= counted
  })
}

/**
 * Takes orders under an id of ours that work at the broker, or filled, and that nothing here knows, as ours: after a power cut say, which takes
 * away what was written last. Of another computer's orders only working exits are taken, which protect; what it buys or sells is its user's decision.
 */
export const adoptStrays = (world: World, store: CopierStore, account: Account, followers: readonly FollowerOf[], now: number): void => {
  const { book } = account
  const unknown = untold(account)
  if (unknown.size === 0) return
  const known = new Set([...account.ours.values()].map(({ orderId }) => orderId))
  for (const id of unknown) {
    const clOrdId = book.clOrdIdOf(id)
    if (clOrdId === null || !isOurs(clOrdId) || account.placed.has(id) || known.has(id) || account.ours.has(clOrdId) || account.givenUp.has(clOrdId)) continue
    const order = book.order(id)
    const contract = order === null || order.contractId === null ? undefined : account.contracts.byId.get(order.contractId)?.name
    if (order === null || contract === undefined || order.side === null || order.version === null) continue
    // Who is not confirmed to be the one that copies there leaves them to whoever is.
    const ours = followers.filter(({ group: { state, entries }, follower }) => state !== 'off' && entries === true && !follower.elsewhere)
    const group = (ours.find(({ follower }) => isFollowed(follower, contract)) ?? ours[0])?.group
    if (group === undefined) return
    const { type: named, qty, price, stopPrice, pegDifference } = order.version
    const type = isExitType(named) ? named : 'Market'
    if (type === 'Market' && !isOfGroupHere(world, clOrdId)) continue
    const intent: Omit<Intent, 'cause'> = {
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
    const cause = store.writeIntents({ groupId: group.id, at: now, kind: 'repair', leaderAccount: group.kept.leader, contract, fillId: null, side: null, qty: 0, price: null }, [intent])
    const out = outFrom({ ...intent, cause, stage: 'acknowledged', orderId: id, filled: 0, why: null }, now)
    account.ours.set(clOrdId, out)
    account.placed.set(id, out)
    store.tell([{ clOrdId, orderId: id, stage: 'acknowledged' }])
  }
}
