import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { entryQty } from '#shared/copier/entries.ts'
import { isExitType, kindOf, readPrices } from '#shared/copier/exits.ts'
import type { Sides } from '#shared/copier/hedge.ts'
import { wallOf } from '../../brokers/timing.ts'
import { entriesIn, entriesOf, filledFor, leftOf } from './entries-own.ts'
import { isFollowing, wirePrices } from './exits-loop.ts'
import { otherAccountsOf, entryExcess, entryRoom, heldOf, inFlight, leaderContractsOf, noAddingOf, oursIn, sidesHeld, type OtherAccounts } from './followers.ts'
import { eventWithoutFill, type Draft, type MirroredDraft } from './order-gateway.ts'
import { contractsToFollow, activeFollowers, type StepDeps } from './copy-and-repair.ts'
import { accountIn, hasUnnamed, isLiquidating, isSettled, isUp, contractStateOf, type Account, type Follower, type Group, type CopierOrder, type World } from './world.ts'

// Order mode: the leader's working entries work at the followers too. What a follower's entry fills ahead of the leader's counts toward the target while
// the leader's order works; what the leader's filled first is left to the follower's entry for a moment, then sent at market once that entry is
// smaller by as much. So a fill is never copied twice, and a follower never exceeds its share of the leader's fills.

/** Places, modifies, and cancels followers' entries to mirror the leader's. */
export const mirrorEntries = (deps: StepDeps, group: Group): void => {
  const { world, gateway, timing } = deps
  const isOn = group.settings.mode === 'orders'
  const leaderContracts = leaderContractsOf(world, group)
  const drafts = new Map<string, Draft[]>()
  const others = otherAccountsOf(world, group, timing.now())
  let held: Sides | null = null
  for (const { follower, account } of activeFollowers(world, group)) {
    if (!isUp(world, account) || hasUnnamed(account)) continue
    const promised = { qty: 0 }
    for (const contract of isOn ? contractsToFollow(follower, account, leaderContracts) : new Set([...account.ours.values()].flatMap(({ intent }) => (intent.purpose === 'entry' ? [intent.contract] : [])))) {
      for (const { from, draft } of mirrorOne(deps, group, follower, account, leaderContracts, contract, { ...others, held: () => (held ??= sidesHeld(world, group)), promised })) {
        // The next decision sees it as working.
        others.sides().add({ account: account.key, contract, low: draft.side === 'buy' ? 0 : -1, high: draft.side === 'buy' ? 1 : 0 })
        getOrInsert(drafts, from, () => []).push(draft)
      }
    }
  }
  for (const [contract, together] of drafts) gateway.send(eventWithoutFill(group, 'repair', contract, wallOf(timing)), together, null)
}

/** Extra inputs of entries: the accounts' current sides, ignoring pending orders, and this follower's contracts decided but not sent yet. */
type BesideEntries = OtherAccounts & { readonly held: () => Sides; readonly promised: { qty: number } }

const mirrorOne = (deps: StepDeps, group: Group, follower: Follower, account: Account, leaderContracts: readonly string[], contract: string, { held: heldBeside, promised, ...others }: BesideEntries): MirroredDraft[] => {
  const { world, gateway, timing, takeCall } = deps
  const workingEntries = entriesIn(account, group, contract)
  const to = account.contracts.byName.get(contract)
  if (to === undefined || (workingEntries.length === 0 && group.settings.mode !== 'orders')) return []
  const state = contractStateOf(follower, contract)
  const now = timing.now()
  const may = (order: CopierOrder): boolean => order.intent.dryRun || takeCall(account, 'reduce').ok
  const cancel = (order: CopierOrder): void => {
    if (order.cancelMs === null && order.orderId !== null && may(order)) gateway.cancel(account, order)
    else if (order.intent.dryRun) gateway.cancel(account, order)
  }
  const { entries, shares, most, not } = entriesOf(world, group, follower, account, to, leaderContracts)
  state.notMirrored = [...state.notMirrored, ...not.filter(({ type, why }) => !state.notMirrored.some((one) => one.type === type && one.why === why))]
  // While adding is blocked until further notice, no entry may work either.
  const stops = group.settings.mode !== 'orders' || state.target === null || follower.flattening || isLiquidating(account, contract) || noAddingOf(group, follower, state, account) !== null
  const held = heldOf(follower, contract)
  const mayFill = now < state.entryUntil
  const leaderOrders = accountIn(world, group, group.settings.leader)?.book
  // If the leader's entry has just filled, the follower's may have too: keep what would protect it.
  const coming = mayFill ? workingEntries.filter(({ follows }) => follows !== null && leaderOrders?.order(follows)?.left === 0).reduce((sum, order) => sum + (order.intent.side === 'buy' ? 1 : -1) * leftOf(account, order), 0) : 0
  const drop = (order: CopierOrder): void => {
    const protectedNow = held + coming
    if (!isOnlyStop(world, group, account, order, protectedNow)) cancel(order)
    else if (!order.changing && leftOf(account, order) > Math.abs(protectedNow) && may(order)) gateway.modify(account, order, { ...order.asked, qty: Math.abs(protectedNow) + order.filled })
  }
  if (stops || !isSettled(account, contract)) {
    // A flatten brings the account to rest: what it cancels is not placed again.
    const closes = follower.flattening || isLiquidating(account, contract)
    if (closes) for (const { follows } of workingEntries) if (follows !== null) state.declined.add(follows)
    if (stops) workingEntries.forEach(closes ? cancel : drop)
    return []
  }
  if (workingEntries.some(({ stage, changing }) => stage === 'unknown' || changing)) return []
  const flying = inFlight(oursIn(account, contract))
  const projected = held + flying.buying - flying.selling
  // A working entry may stay while a close is pending; none may be placed or grow before what is pending or to be canceled can fill no more.
  const open = { buy: most.buy - Math.max(0, projected), sell: most.sell - Math.max(0, 0 - projected) }
  const free = { buy: most.buy - Math.max(0, held + flying.buying), sell: most.sell - Math.max(0, flying.selling - held) }
  for (const order of workingEntries) free[order.intent.side] -= leftOf(account, order)
  const excessOf = ({ intent }: CopierOrder): number => entryExcess(group, follower, account, contract, intent.side, heldBeside)
  for (const order of workingEntries) {
    if (entries.some(({ entry }) => entry.orderId === order.follows)) continue
    open[order.intent.side] -= leftOf(account, order)
    const mayStay = entryQty(order.follows === null ? undefined : shares.get(order.follows), leftOf(account, order), mayFill) > 0
    if (!mayStay || excessOf(order) > 0) drop(order)
  }
  for (const id of state.declined) if (!entries.some(({ entry }) => entry.orderId === id)) state.declined.delete(id)
  const drafts: MirroredDraft[] = []
  const filled = filledFor(account, group, contract)
  for (const { entry, from } of entries) {
    const own = workingEntries.filter(({ follows }) => follows === entry.orderId)
    const [order] = own
    if (order === undefined && state.declined.has(entry.orderId)) {
      state.notMirrored = [...state.notMirrored, { type: entry.type, why: 'by-hand' }]
      continue
    }
    const share = shares.get(entry.orderId)
    const left = own.reduce((sum, each) => sum + leftOf(account, each), 0)
    // An order of the leader's is mirrored once: contracts that filled and were closed since are not placed again.
    const unfilled = (share?.whole ?? 0) - (filled.get(entry.orderId) ?? 0)
    const qty = Math.max(0, Math.min(open[entry.side], left + Math.max(0, free[entry.side]), unfilled, entryQty(share, left, mayFill)))
    open[entry.side] -= qty
    free[entry.side] -= Math.max(0, qty - left)
    const prices = wirePrices(entry, to.tickSize)
    if (own.length > 1 || (order !== undefined && (order.intent.type !== entry.type || order.intent.side !== entry.side || qty === 0))) {
      own.forEach(cancel)
      continue
    }
    if (order === undefined ? qty === 0 : order.cancelMs !== null) continue
    // The leader's stop was an exit before: both could fill.
    if (order === undefined && oursIn(account, contract).some(({ intent, follows }) => intent.purpose === 'exit' && follows === entry.orderId)) continue
    const working = order === undefined ? 0 : order.asked.qty - order.filled
    const grows = Math.max(0, qty - working)
    const room = grows === 0 ? 0 : entryRoom(group, follower, account, contract, entry.side, grows, others, promised.qty, now)
    const excess = order === undefined ? 0 : excessOf(order)
    const size = Math.min(qty - grows + room, excess > 0 ? Math.max(0, working - excess) : Infinity)
    if (order !== undefined && size <= 0) {
      drop(order)
      continue
    }
    if (order === undefined) {
      if (size === 0 || (!group.settings.dryRun && !takeCall(account, 'enter').ok)) continue
      promised.qty += size
      drafts.push({ from: from.name, draft: { group, follower, account, contract, side: entry.side, qty: size, purpose: 'entry', type: entry.type, ...prices, leaderOrderId: entry.orderId } })
      continue
    }
    const type = order.intent.type
    const at = isExitType(type) ? readPrices(type, order.asked, to.tickSize) : null
    const isSame = at !== null && (entry.type === 'TrailingStop' ? at.peg === entry.peg : at.price === entry.price && at.stopPrice === entry.stopPrice)
    if (isSame && order.asked.qty === size + order.filled) continue
    if (!isSame && entry.type === 'TrailingStop') {
      cancel(order)
      continue
    }
    if (now < state.movesHeldUntil || (!order.intent.dryRun && !takeCall(account, room > 0 ? 'enter' : 'reduce').ok)) continue
    promised.qty += room
    gateway.modify(account, order, { qty: size + order.filled, ...(entry.type === 'TrailingStop' ? { price: order.asked.price, stopPrice: order.asked.stopPrice, pegDifference: order.asked.pegDifference } : prices) })
  }
  return drafts
}

/** Whether the follower's entry is its only stop until a confirmed exit replaces it: the leader's stop order turned from an entry into an exit. */
const isOnlyStop = (world: World, group: Group, account: Account, { intent, follows }: CopierOrder, held: number): boolean => {
  const isStop = (type: CopierOrder['intent']['type']): boolean => isExitType(type) && kindOf(type) === 'stop'
  if (!group.settings.exits || follows === null || held === 0 || held > 0 !== (intent.side === 'sell') || !isStop(intent.type)) return false
  const working = ({ orderId }: CopierOrder): boolean => orderId !== null && ['Working', 'PendingReplace'].includes(account.book.order(orderId)?.status ?? '')
  const works = (accountIn(world, group, group.settings.leader)?.book.order(follows)?.left ?? 0) > 0
  return works && !oursIn(account, intent.contract).some((order) => order.intent.purpose === 'exit' && isStop(order.intent.type) && working(order) && order.cancelMs === null)
}

/** Cancels orphaned entries, of a group or follower that is off or gone: they would open a position. */
export const cancelLeftEntries = ({ world, gateway, takeCall }: StepDeps): void => {
  for (const account of world.accounts.values()) {
    if (!isUp(world, account)) continue
    for (const order of account.ours.values()) {
      if (order.intent.purpose !== 'entry' || order.cancelMs !== null || order.orderId === null) continue
      if (!isFollowing(world, account, order.intent.groupId) && takeCall(account, 'reduce').ok) gateway.cancel(account, order)
    }
  }
}
