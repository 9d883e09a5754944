import { isEnded, type FillFact } from '#shared/copier/facts.ts'
import { flattened, tradedByCopier, tradedByHand } from '#shared/copier/held.ts'
import { heldWithComing, tradedApart } from '#shared/copier/target.ts'
import type { OrderStage, TakenFill } from '../store/rows.ts'
import { heldOf, inFlight, isNewer, oursIn, ownerOf, withinTarget, type FollowerOf } from './followers.ts'
import type { Outlet } from './orders-out.ts'
import { isSettled, netOf, contractStateOf, type Account, type OutOrder, type ContractState } from './world.ts'

// Hands off the user's contracts: every fill is attributed here, in trade order. What a copier order
// filled is `held`; anything else is `yours`, the user's. A manual trade closes the user's contracts first and then reduces `held`,
// which is never bought back without the user's answer. Nothing is decided about a contract until both add up to the account's net.

/** The result of a copier order, for rejects and backoffs. */
export type OrderEnd = { readonly account: Account; readonly order: OutOrder; readonly stage: OrderStage; readonly reason: string | null; /** Its user cancelled it. */ readonly byHand: boolean }

/** Dependencies of order progress. */
export type ProgressDeps = {
  readonly outlet: Outlet
  /** Called when a copier order filled further. */
  readonly filled: (account: Account, order: OutOrder, fills: readonly FillFact[]) => void
  readonly ended: (end: OrderEnd) => void
  /** Whether an order id is from a group of this computer: another computer's orders count as manual. */
  readonly isOurs: (clOrdId: string | null) => boolean
}

/** A fill to count; `order` is null for a manual one. `qty` is signed. */
type Trade = TakenFill & { readonly qty: number; readonly order: OutOrder | null }

const signed = (side: 'buy' | 'sell', qty: number): number => (side === 'buy' ? qty : 0 - qty)

/** Records broker ids missing from order answers; a late order that was given up is recovered. */
const findOrders = (outlet: Outlet, account: Account): void => {
  const { book } = account
  for (const [clOrdId, order] of account.givenUp) {
    if (book.orderOf(clOrdId) === null) continue
    account.givenUp.delete(clOrdId)
    account.ours.set(clOrdId, order)
  }
  for (const order of account.ours.values()) {
    if (order.intent.dryRun) continue
    const { clOrdId } = order.intent
    const id = order.orderId ?? book.orderOf(clOrdId)
    if (id === null || (order.orderId !== null && order.stage !== 'unknown' && account.placed.has(id))) continue
    order.orderId = id
    account.placed.set(id, order)
    order.stage = 'acknowledged'
    outlet.record({ clOrdId, orderId: id, stage: 'acknowledged' })
  }
}

/** Updates an account's copier orders and positions from its book. `listedSince` (UTC ms): when the last complete list read began. */
export const followOrders = (parts: ProgressDeps, account: Account, followers: readonly FollowerOf[], listedSince: number): void => {
  findOrders(parts.outlet, account)
  takeFills(parts, account, followers, listedSince)
  for (const order of account.ours.values()) if (order.orderId !== null && !order.intent.dryRun) endOrder(parts, account, followers, order, order.orderId)
}

/** Whether a copier order was cancelled manually: by the broker's cancel command, or while that is missing, because it worked and we did not cancel it. */
const isByHand = ({ book }: Account, { cancelMs, wasWorking, intent }: OutOrder, id: number): boolean => {
  const under = book.cancelledUnder(id)
  return cancelMs === null && (under === undefined ? wasWorking : under !== intent.clOrdId)
}

const endOrder = ({ outlet, ended }: ProgressDeps, account: Account, followers: readonly FollowerOf[], order: OutOrder, id: number): void => {
  const now = account.book.order(id)
  order.wasWorking ||= now?.status === 'Working'
  if (now === null || now.status === null || !isEnded(now.status)) return
  order.ended = !now.final
  // Until its fills are counted, it counts as possibly filling.
  if (!now.final || now.filled !== order.filled) return
  const stage: OrderStage = now.status === 'Rejected' ? 'rejected' : order.filled >= order.intent.qty || now.status === 'Filled' ? 'filled' : 'cancelled'
  const report = account.book.lastReport(id)
  const reason = report === null ? null : [report.rejectReason, report.text].filter((part) => part !== null).join(': ')
  const { purpose, groupId, contract } = order.intent
  const declined = purpose === 'entry' && stage === 'cancelled' ? followers.find(({ group }) => group.id === groupId)?.follower.states.get(contract)?.declined : undefined
  if (order.follows !== null && now.status === 'Canceled' && isByHand(account, order, id)) declined?.add(order.follows)
  const byHand = order.follows !== null && declined?.has(order.follows) === true
  if (byHand) order.counts = true
  outlet.end(account, order, stage, byHand ? { why: 'by-hand', counts: true } : reason === null || stage === 'filled' ? {} : { why: reason })
  ended({ account, order, stage, reason, byHand })
}

/** Whether a copier order in a contract still lacks its broker id: a command without our id may be its own. */
const isExpected = (account: Account, contractId: number): boolean => {
  const contract = account.contracts.byId.get(contractId)?.name
  return [...account.ours.values()].some(({ intent, orderId }) => orderId === null && !intent.dryRun && intent.contract === contract)
}

/** Counts fills contract by contract; a contract waits while a fill or a fill's sender is missing. */
const takeFills = (parts: ProgressDeps, account: Account, followers: readonly FollowerOf[], listedSince: number): void => {
  const { book } = account
  const waiting = new Set<number>()
  const byContract = new Map<number, FillFact[]>()
  for (const { fill, since } of account.untaken.values()) {
    const { contractId, orderId } = fill
    byContract.set(contractId, [...(byContract.get(contractId) ?? []), fill])
    const isKnown = account.placed.has(orderId) || book.clOrdIdOf(orderId) !== null || (book.isNamed(orderId) && !isExpected(account, contractId)) || listedSince > since
    // A copier order not matched yet will be soon.
    if (!isKnown || (!account.placed.has(orderId) && parts.isOurs(book.clOrdIdOf(orderId)))) waiting.add(contractId)
  }
  const contracts = new Set<string>()
  for (const id of byContract.keys()) contracts.add(account.contracts.byId.get(id)?.name ?? '')
  for (const { intent, orderId, filled } of account.ours.values()) if (orderId !== null && (book.order(orderId)?.filled ?? filled) !== filled) contracts.add(intent.contract)
  for (const { follower } of followers) for (const { contract, held, yours } of follower.states.values()) if (held + yours !== netOf(account, contract)) contracts.add(contract)
  for (const contract of contracts) {
    const id = account.contracts.byName.get(contract)?.id
    if (id === undefined || waiting.has(id) || !isSettled(account, contract)) continue
    const fills = byContract.get(id) ?? []
    takeContract(parts, account, followers, contract, fills)
    for (const fill of fills) account.untaken.delete(fill.id)
  }
}

/** Uncounted quantity of copier orders; a busted fill counts negative. */
const ownTrades = (account: Account, contract: string): Trade[] =>
  [...account.placed].flatMap(([orderId, order]) => {
    const filled = order.intent.contract === contract ? account.book.order(orderId)?.filled : undefined
    if (filled === undefined || filled === order.filled) return []
    let left = filled - order.filled
    if (left < 0) return [{ time: 0, id: 0, qty: signed(order.intent.side, left), order }]
    const trades: Trade[] = []
    for (const fill of account.book.fillsOf(orderId).filter(({ active }) => active).toSorted((one, other) => (isNewer(one, other) ? -1 : 1))) {
      const qty = Math.min(left, fill.qty)
      if (qty > 0) trades.push({ time: fill.time, id: fill.id, qty: signed(order.intent.side, qty), order })
      left -= qty
    }
    return trades
  })

const takeContract = (parts: ProgressDeps, account: Account, followers: readonly FollowerOf[], contract: string, fills: readonly FillFact[]): void => {
  const own = ownTrades(account, contract)
  // A flatten also closes other groups' contracts in the account.
  const sender = own.find(({ order }) => order?.intent.purpose !== 'flatten')?.order?.intent.groupId
  // A group that the account left gives a contract away as soon as another group starts there.
  const owner = followers.find(({ group, follower }) => group.id === sender && (group.followers.has(account.key) || follower.states.has(contract))) ?? ownerOf(followers, contract)
  const state = owner === null || !owner.follower.begun ? null : contractStateOf(owner.follower, contract)
  if (owner !== null && state !== null) {
    const { taken } = state
    const byHand = fills.filter((fill) => !account.placed.has(fill.orderId) && isNewer(fill, taken)).map((fill): Trade => ({ time: fill.time, id: fill.id, qty: signed(fill.side, fill.qty), order: null }))
    const all = [...own, ...byHand]
    // Contracts that no fill explains are the user's.
    const rest = netOf(account, contract) - state.held - state.yours - all.reduce((sum, { qty }) => sum + qty, 0)
    // What another group's order opened is the user's too; its exits belong to the group that owns the contract now.
    const isOwners = ({ order }: Trade): boolean => order?.intent.groupId === owner.group.id || order?.intent.purpose === 'exit'
    for (const trade of all.toSorted((one, other) => (isNewer(one, other) ? 1 : -1))) count(owner, account, state, isOwners(trade) ? trade : { ...trade, order: null })
    if (rest !== 0) count(owner, account, state, { time: 0, id: 0, qty: rest, order: null })
    state.changed = true
  }
  // For a group that does not trade there, all of it is somebody else's.
  for (const { follower } of followers) {
    const other = follower.states.get(contract)
    if (other !== undefined && other !== state) other.yours = netOf(account, contract) - other.held
  }
  for (const order of new Set(own.map((trade) => trade.order))) {
    if (order === null || order.orderId === null) continue
    order.filled = account.book.order(order.orderId)?.filled ?? order.filled
    parts.filled(account, order, account.book.fillsOf(order.orderId))
  }
}

/** Whether a copier order is complete although its end has not arrived. */
const isOver = (account: Account, { orderId, filled }: OutOrder): boolean => {
  const now = orderId === null ? null : account.book.order(orderId)
  return now !== null && now.status !== null && isEnded(now.status) && now.final && now.filled === filled
}

/** Counts one fill in `held` and `yours`; what the copier did not decide becomes the deviation. */
const count = ({ group, follower }: FollowerOf, account: Account, state: ContractState, { time, id, qty, order }: Trade): void => {
  if (isNewer({ time, id }, state.taken)) state.taken = { time, id }
  // An order of unknown fate may never fill: counted as pending, a manual close would look like part of the target and be sold again.
  const { buying, selling } = inFlight(oursIn(account, state.contract).filter((each) => each.stage !== 'unknown' && !isOver(account, each)))
  const before = heldOf(follower, state.contract)
  // While the user is asked about these contracts, an earlier exit still closes them; so does one that another group left there.
  const closes = order?.intent.purpose === 'flatten' || (order?.intent.purpose === 'exit' && (state.asks || order.intent.groupId !== group.id))
  const next = order === null ? tradedByHand(state, qty) : closes ? flattened(state, qty) : tradedByCopier(state, qty)
  const changed = next.held - state.held
  state.held = next.held
  state.yours = next.yours
  if (order !== null) order.filled += Math.abs(qty) * (signed(order.intent.side, 1) === Math.sign(qty) ? 1 : -1)
  if (order?.intent.purpose === 'entry') countEntry(state, order, qty)
  if (changed === 0 || group.kept.dryRun) return
  // A busted entry is not bought again without the user's answer either.
  const isTakenBack = order !== null && signed(order.intent.side, 1) !== Math.sign(qty) && Math.abs(next.held) < Math.abs(before)
  if (order === null || isTakenBack) standApart(state, before, buying - selling, changed, 'by-hand')
  else if (order.intent.purpose === 'exit') standApart(state, before, buying - selling, changed, 'exit-filled')
}

/** Counts a fill of an own entry as ahead of the leader, until the leader's own fill is counted against it. */
const countEntry = (state: ContractState, { follows, intent }: OutOrder, qty: number): void => {
  const known = follows === null ? undefined : state.entries.get(follows)
  if (follows === null || known === undefined) return
  const surplus = known.surplus + signed(intent.side, qty)
  const ahead = signed(intent.side, Math.max(0, surplus) - Math.max(0, known.surplus))
  state.entries = new Map(state.entries).set(follows, { ...known, surplus })
  state.ahead += ahead
  if (state.target !== null) state.target += ahead
  if (state.lastTarget !== null) state.lastTarget += ahead
}

/** `before`: the copier's previous position; `coming`: its pending orders. After a restart the target is unknown: then it counts as in sync. */
const standApart = (state: ContractState, before: number, coming: number, qty: number, why: 'exit-filled' | 'by-hand'): void => {
  const target = state.target ?? state.lastTarget ?? before + coming - state.apart
  const held = heldWithComing({ held: before, coming, target })
  const apart = tradedApart({ apart: state.apart, target, held, qty })
  state.apart = why === 'exit-filled' ? withinTarget(apart, target) : apart
  state.lastTarget = target
  if (why === 'by-hand') state.handAt = state.taken
  state.apartWhy = state.apart === 0 ? null : (state.apartWhy ?? why)
}
