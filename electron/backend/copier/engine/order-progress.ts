import { isEnded, type FillFact } from '#shared/copier/facts.ts'
import { flattened, tradedByCopier, tradedByHand } from '#shared/copier/held.ts'
import { heldWithComing, tradedApart } from '#shared/copier/target.ts'
import type { OrderStage, TakenFill } from '../store/rows.ts'
import { heldOf, inFlight, isNewer, oursIn, ownerOf, withinTarget, type FollowerOf } from './followers.ts'
import type { Outlet } from './orders-out.ts'
import { isSettled, netOf, standOf, type Account, type OutOrder, type Stand } from './world.ts'

// Hands off what is not ours: of every fill it is settled here whose it is, in the order in which the broker traded. What an order of ours
// filled is `held`; anything else is `yours`, the user's. A trade by hand closes the user's own contracts first and then takes from `held`,
// which is never bought back without the user's answer. Nothing is decided about a contract until both add up to what the account holds.

/** What an order of ours came to, for those who count rejects and pauses. */
export type OrderEnd = { readonly account: Account; readonly order: OutOrder; readonly stage: OrderStage; readonly reason: string | null; /** Its user cancelled it. */ readonly byHand: boolean }

/** What following the orders of an account works with. */
export type ProgressParts = {
  readonly outlet: Outlet
  /** An order of ours filled some more. */
  readonly filled: (account: Account, order: OutOrder, fills: readonly FillFact[]) => void
  readonly ended: (end: OrderEnd) => void
  /** Whether an order's id is of a group of this computer: what another one sends counts like a hand. */
  readonly isOurs: (clOrdId: string | null) => boolean
}

/** A fill that is counted now; `order` is null for one by hand. `qty` is signed. */
type Trade = TakenFill & { readonly qty: number; readonly order: OutOrder | null }

const signed = (side: 'buy' | 'sell', qty: number): number => (side === 'buy' ? qty : 0 - qty)

/** Notes the broker's ids of orders of ours that their answers did not tell; one that was given up and arrived late is ours again. */
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
    outlet.tell({ clOrdId, orderId: id, stage: 'acknowledged' })
  }
}

/** Brings the orders of ours on an account, and what is held there, up to what its book knows. `listedSince` (UTC ms) is when the lists that were read last began to be. */
export const followOrders = (parts: ProgressParts, account: Account, followers: readonly FollowerOf[], listedSince: number): void => {
  findOrders(parts.outlet, account)
  takeFills(parts, account, followers, listedSince)
  for (const order of account.ours.values()) if (order.orderId !== null && !order.intent.dryRun) endOrder(parts, account, followers, order, order.orderId)
}

/** Whether somebody else cancelled an order of ours: by the broker's word on who asked for it, which here is the order's own id, or, while that is not told, because it worked and nobody here asked. */
const isByHand = ({ book }: Account, { cancelMs, stood, intent }: OutOrder, id: number): boolean => {
  const under = book.cancelledUnder(id)
  return cancelMs === null && (under === undefined ? stood : under !== intent.clOrdId)
}

const endOrder = ({ outlet, ended }: ProgressParts, account: Account, followers: readonly FollowerOf[], order: OutOrder, id: number): void => {
  const now = account.book.order(id)
  order.stood ||= now?.status === 'Working'
  if (now === null || now.status === null || !isEnded(now.status)) return
  order.ended = !now.final
  // Until its fills are counted it may still fill, for all who ask.
  if (!now.final || now.filled !== order.filled) return
  const stage: OrderStage = now.status === 'Rejected' ? 'rejected' : order.filled >= order.intent.qty || now.status === 'Filled' ? 'filled' : 'cancelled'
  const said = account.book.said(id)
  const reason = said === null ? null : [said.rejectReason, said.text].filter((part) => part !== null).join(': ')
  const { purpose, groupId, contract } = order.intent
  const declined = purpose === 'entry' && stage === 'cancelled' ? followers.find(({ group }) => group.id === groupId)?.follower.stands.get(contract)?.declined : undefined
  if (order.follows !== null && now.status === 'Canceled' && isByHand(account, order, id)) declined?.add(order.follows)
  const byHand = order.follows !== null && declined?.has(order.follows) === true
  outlet.end(account, order, stage, byHand ? { why: 'by-hand' } : reason === null || stage === 'filled' ? {} : { why: reason })
  ended({ account, order, stage, reason, byHand })
}

/** Whether an order of ours in a contract still waits for the broker's id: a command without an id of ours may be its own. */
const isExpected = (account: Account, contractId: number): boolean => {
  const contract = account.contracts.byId.get(contractId)?.name
  return [...account.ours.values()].some(({ intent, orderId }) => orderId === null && !intent.dryRun && intent.contract === contract)
}

/** Counts all fills whose senders are known, contract by contract: one of which a sender or a fill is still to come waits. */
const takeFills = (parts: ProgressParts, account: Account, followers: readonly FollowerOf[], listedSince: number): void => {
  const { book } = account
  const waiting = new Set<number>()
  const byContract = new Map<number, FillFact[]>()
  for (const { fill, since } of account.untaken.values()) {
    const { contractId, orderId } = fill
    byContract.set(contractId, [...(byContract.get(contractId) ?? []), fill])
    const isKnown = account.placed.has(orderId) || book.clOrdIdOf(orderId) !== null || (book.isNamed(orderId) && !isExpected(account, contractId)) || listedSince > since
    // One of ours that is not found yet is about to be.
    if (!isKnown || (!account.placed.has(orderId) && parts.isOurs(book.clOrdIdOf(orderId)))) waiting.add(contractId)
  }
  const contracts = new Set<string>()
  for (const id of byContract.keys()) contracts.add(account.contracts.byId.get(id)?.name ?? '')
  for (const { intent, orderId, filled } of account.ours.values()) if (orderId !== null && (book.order(orderId)?.filled ?? filled) !== filled) contracts.add(intent.contract)
  for (const { follower } of followers) for (const { contract, held, yours } of follower.stands.values()) if (held + yours !== netOf(account, contract)) contracts.add(contract)
  for (const contract of contracts) {
    const id = account.contracts.byName.get(contract)?.id
    if (id === undefined || waiting.has(id) || !isSettled(account, contract)) continue
    const fills = byContract.get(id) ?? []
    takeContract(parts, account, followers, contract, fills)
    for (const fill of fills) account.untaken.delete(fill.id)
  }
}

/** What orders of ours filled beyond what was counted; a fill that the exchange took back counts against it. */
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

const takeContract = (parts: ProgressParts, account: Account, followers: readonly FollowerOf[], contract: string, fills: readonly FillFact[]): void => {
  const own = ownTrades(account, contract)
  // A flattening closes what other groups hold in the account too.
  const sender = own.find(({ order }) => order?.intent.purpose !== 'flatten')?.order?.intent.groupId
  const owner = followers.find(({ group }) => group.id === sender) ?? ownerOf(followers, contract)
  const stand = owner === null || !owner.follower.begun ? null : standOf(owner.follower, contract)
  if (owner !== null && stand !== null) {
    const { taken } = stand
    const byHand = fills.filter((fill) => !account.placed.has(fill.orderId) && isNewer(fill, taken)).map((fill): Trade => ({ time: fill.time, id: fill.id, qty: signed(fill.side, fill.qty), order: null }))
    const all = [...own, ...byHand]
    // What no fill explains is the user's.
    const rest = netOf(account, contract) - stand.held - stand.yours - all.reduce((sum, { qty }) => sum + qty, 0)
    // What a group traded that is gone is the user's too.
    for (const trade of all.toSorted((one, other) => (isNewer(one, other) ? 1 : -1))) count(owner, account, stand, trade.order?.intent.groupId === owner.group.id ? trade : { ...trade, order: null })
    if (rest !== 0) count(owner, account, stand, { time: 0, id: 0, qty: rest, order: null })
    stand.changed = true
  }
  // Of another group that does not trade there all of it is somebody else's.
  for (const { follower } of followers) {
    const other = follower.stands.get(contract)
    if (other !== undefined && other !== stand) other.yours = netOf(account, contract) - other.held
  }
  for (const order of new Set(own.map((trade) => trade.order))) {
    if (order === null || order.orderId === null) continue
    order.filled = account.book.order(order.orderId)?.filled ?? order.filled
    parts.filled(account, order, account.book.fillsOf(order.orderId))
  }
}

/** Whether nothing more comes of an order of ours, though its end is not told yet. */
const isOver = (account: Account, { orderId, filled }: OutOrder): boolean => {
  const now = orderId === null ? null : account.book.order(orderId)
  return now !== null && now.status !== null && isEnded(now.status) && now.final && now.filled === filled
}

/** Counts one fill in what the copier holds and what is its user's; what the copier did not decide stands apart. */
const count = ({ group, follower }: FollowerOf, account: Account, stand: Stand, { time, id, qty, order }: Trade): void => {
  if (isNewer({ time, id }, stand.taken)) stand.taken = { time, id }
  // An order whose fate is unknown may never fill: counted as coming, a close by hand would look like part of the target and be sold again.
  const { buying, selling } = inFlight(oursIn(account, stand.contract).filter((each) => each.stage !== 'unknown' && !isOver(account, each)))
  const before = heldOf(follower, stand.contract)
  // While its user is asked whose contracts these are, an exit of before still closes them.
  const closes = order?.intent.purpose === 'flatten' || (order?.intent.purpose === 'exit' && stand.asks)
  const next = order === null ? tradedByHand(stand, qty) : closes ? flattened(stand, qty) : tradedByCopier(stand, qty)
  const changed = next.held - stand.held
  stand.held = next.held
  stand.yours = next.yours
  if (order !== null) order.filled += Math.abs(qty) * (signed(order.intent.side, 1) === Math.sign(qty) ? 1 : -1)
  if (changed === 0 || group.kept.dryRun) return
  // What the exchange took back of an entry is not bought again without the user's answer either.
  const isTakenBack = order !== null && signed(order.intent.side, 1) !== Math.sign(qty) && Math.abs(next.held) < Math.abs(before)
  if (order === null || isTakenBack) standApart(stand, before, buying - selling, changed, 'by-hand')
  else if (order.intent.purpose === 'exit') standApart(stand, before, buying - selling, changed, 'exit-filled')
}

/** `before` is what the copier held before, `coming` its orders under way. After a restart the target is not known yet: then it was where it should be. */
const standApart = (stand: Stand, before: number, coming: number, qty: number, why: 'exit-filled' | 'by-hand'): void => {
  const target = stand.target ?? stand.lastTarget ?? before + coming - stand.apart
  const held = heldWithComing({ held: before, coming, target })
  const apart = tradedApart({ apart: stand.apart, target, held, qty })
  stand.apart = why === 'exit-filled' ? withinTarget(apart, target) : apart
  stand.lastTarget = target
  if (why === 'by-hand') stand.handAt = stand.taken
  stand.apartWhy = stand.apart === 0 ? null : (stand.apartWhy ?? why)
}
