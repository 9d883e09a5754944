import type { ExactRatio, FollowerRule } from '#shared/api/copier.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { CallKind } from '#shared/copier/budget.ts'
import { samePrices } from '#shared/copier/contract-match.ts'
import { coveredBy, exitSteps, isExitType, kindOf, readExits, readPrices, slotsOf, wantedExits, type ExitPrices, type ExitRoom, type ExitStep, type LeaderExit, type NotMirrored, type WorkingLeg, type WorkingSlot, type WantedExit, type WantedSlot } from '#shared/copier/exits.ts'
import { targetOf } from '#shared/copier/target.ts'
import { priceToJsonNumber, type Ticks } from '#shared/money/price.ts'
import { wallOf } from '../../brokers/timing.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import { heldOf, inFlight, leaderContractsOf, leaderNet, matchOf, oursIn, ownerOf, type FollowerOf } from './followers.ts'
import { eventWithoutFill, type Draft, type DraftLeg, type MirroredDraft } from './order-gateway.ts'
import { activeFollowers, type StepDeps } from './copy-and-repair.ts'
import { accountIn, followsHere, hasUnnamed, isSettled, isUp, netOf, contractStateOf, type Account, type Follower, type Group, type NotMirroredHere, type CopierOrder, type ContractState, type World } from './world.ts'

// Rules of this file:
// - Never bare: a copier position that had a stop keeps one until flat. Stop and target are one broker OCO; quantities are
//   modified, not replaced; a replaced order is canceled once its replacement works; a close leaves its exits in place until it fills.
// - Nothing left behind: exits whose group or follower is off stay within the account's position, or are canceled, as the group's user
//   chose. If another computer copies, they may be its only protection: they are canceled only once they could open a position.

/** A requested change of a working exit counts as its state for this long; then the broker's version does. */
const askedCountsMs = 2_000

/** How long a position may lack its stop: the round trips to place it. */
const bareMs = 2_000

const wireOf = (price: Ticks | null, tickSize: string): number | null => (price === null ? null : priceToJsonNumber(price, tickSize))
export const wirePrices = ({ price, stopPrice, peg }: ExitPrices, tickSize: string): Pick<DraftLeg, 'price' | 'stopPrice' | 'pegDifference'> =>
  ({ price: wireOf(price, tickSize), stopPrice: wireOf(stopPrice, tickSize), pegDifference: wireOf(peg, tickSize) })

/** An account's mirrored exits in a contract that may still fill. */
const exitsIn = (account: Account, contract: string): CopierOrder[] => oursIn(account, contract).filter(({ intent, ended }) => intent.purpose === 'exit' && !ended)

const legOf = (account: Account, order: CopierOrder, tickSize: string, now: number, mayFill: boolean): WorkingLeg => {
  const { intent, filled } = order
  const booked = order.orderId === null ? null : account.book.order(order.orderId)
  const version = booked?.version ?? null
  if (version !== null && !order.changing && now - order.askedMs > askedCountsMs) {
    order.asked = { qty: version.qty, price: version.price, stopPrice: version.stopPrice, pegDifference: version.pegDifference }
  }
  const type = isExitType(intent.type) ? intent.type : 'Limit'
  const prices = readPrices(type, order.asked, tickSize) ?? { price: null, stopPrice: null, peg: null }
  const works = intent.dryRun || booked?.status === 'Working' || booked?.status === 'PendingReplace'
  return { key: intent.clOrdId, leaderOrderId: order.follows ?? 0, type, qty: Math.max(0, order.asked.qty - filled), filled, ...prices, ending: order.cancelMs !== null, sure: works && order.stage !== 'unknown', twin: order.twin && !mayFill }
}

/** An account's mirrored exits working at the broker, as requested or reported, OCO orders together. `mayFill`: an exit whose leader's order filled still has time to fill. */
const workingExitsIn = (account: Account, contract: string, tickSize: string, now: number, mayFill: boolean): readonly WorkingSlot[] => {
  const orders = exitsIn(account, contract)
  const byId = new Map(orders.flatMap((order) => (order.orderId === null ? [] : [[order.orderId, order] as const])))
  const partnerOf = (order: CopierOrder): CopierOrder | undefined => {
    const booked = order.orderId === null ? null : (account.book.order(order.orderId)?.ocoId ?? null)
    return (booked === null ? undefined : byId.get(booked)) ?? orders.find(({ intent }) => intent.clOrdId === order.pair)
  }
  const done = new Set<CopierOrder>()
  return orders.flatMap((order) => {
    if (done.has(order)) return []
    const partner = partnerOf(order)
    const slot = { side: order.intent.side, stop: null, limit: null }
    done.add(order)
    const kind = kindOf(order.intent.type)
    if (partner === undefined || done.has(partner) || kindOf(partner.intent.type) === kind) return [{ ...slot, [kind]: legOf(account, order, tickSize, now, mayFill) }]
    done.add(partner)
    return [{ ...slot, [kind]: legOf(account, order, tickSize, now, mayFill), [kindOf(partner.intent.type)]: legOf(account, partner, tickSize, now, mayFill) }]
  })
}

/** One leader contract whose exits a follower's contract mirrors: nearly always one, two if NQ and MNQ both map to MNQ. */
type Leg = { readonly from: LiveContract; readonly exits: readonly LeaderExit[]; readonly leader: number; readonly base: number; readonly factor: ExactRatio }

/** The leader's exits for a follower's contract, and its orders that are not mirrored there. */
const legsOf = (world: World, group: Group, follower: Follower, to: LiveContract, leaderContracts: readonly string[]): { readonly legs: readonly Leg[]; readonly not: readonly NotMirroredHere[] } => {
  const leaderAccount = accountIn(world, group, group.settings.leader)
  const legs: Leg[] = []
  const not: NotMirroredHere[] = []
  for (const name of leaderAccount === undefined ? [] : leaderContracts) {
    const match = matchOf(follower, name)
    const leader = leaderNet(world, group, name)
    const from = leaderAccount?.contracts.byName.get(name)
    if (leaderAccount === undefined || match?.contract !== to.name || leader === null || leader === 0 || from === undefined) continue
    const read = readExits(leaderAccount.book.working(from.id), leader, from.tickSize)
    const all: readonly Pick<NotMirrored, 'type'>[] = [...read.exits, ...read.not]
    if (follower.rule.invert) not.push(...all.map(({ type }) => ({ type, why: 'invert' as const })))
    else if (!samePrices(from, to)) not.push(...all.map(({ type }) => ({ type, why: 'other-prices' as const })))
    else {
      not.push(...read.not)
      legs.push({ from, exits: read.exits, leader, base: follower.bases.get(name) ?? 0, factor: match.factor })
    }
  }
  return { legs, not: [...new Map(not.map((one) => [`${one.type} ${one.why}`, one])).values()] }
}

/** The exits wanted for a follower's `position`: per leader contract for its part, together never more than the position. */
const wantedOf = (legs: readonly Leg[], { ratio, contractCap }: FollowerRule, position: number): readonly WantedExit[] => {
  let left = Math.abs(position)
  return legs.flatMap(({ exits, leader, base, factor }) => {
    const { target } = targetOf({ legs: [{ leader, base, factor }], ratio, contractCap })
    if (left === 0 || Math.sign(target) !== Math.sign(position)) return []
    const wanted = wantedExits({ exits, leader, base, factor, ratio, contractCap, position: Math.sign(position) * left })
    left -= Math.min(left, Math.abs(target))
    return wanted
  })
}

/** The part of `position` that is also within `other`, on the same side. */
const within = (position: number, other: number): number => (Math.sign(position) === Math.sign(other) ? Math.sign(position) * Math.min(Math.abs(position), Math.abs(other)) : 0)

/** When an account's exits were last changed (UTC ms); 0 without exits. */
const askedLast = (account: Account): number => {
  let last = 0
  for (const { intent, askedMs } of account.ours.values()) if (intent.purpose === 'exit') last = Math.max(last, askedMs)
  return last
}

/** Places, moves, and cancels followers' exits to mirror the leader's, as far as the budget allows; the rest is retried next time at its newest price. */
export const mirrorExits = (deps: StepDeps, group: Group): void => {
  const { world, gateway, timing } = deps
  const leaderContracts = leaderContractsOf(world, group)
  const drafts = new Map<string, Draft[]>()
  // When calls are short, the follower whose exits wait longest goes first.
  for (const { follower, account } of activeFollowers(world, group).toSorted((one, other) => askedLast(one.account) - askedLast(other.account))) {
    if (follower.flattening || !isUp(world, account)) continue
    const contracts = new Set([...follower.states.keys(), ...[...account.ours.values()].flatMap(({ intent }) => (intent.purpose === 'exit' && intent.groupId === group.id ? [intent.contract] : []))])
    const managers = followersIn(world, account)
    for (const contract of contracts) {
      // Two groups managing one contract of an account would undo each other's exits.
      if (managers.length > 1 && (ownerOf(managers, contract)?.group ?? group) !== group) continue
      for (const { from, draft } of mirrorOne(deps, group, follower, account, leaderContracts, contract)) getOrInsert(drafts, from, () => []).push(draft)
    }
  }
  for (const [contract, together] of drafts) gateway.send(eventWithoutFill(group, 'exit', contract, wallOf(timing)), together, null)
}

/** Keeps orphaned exits within the account's position, or cancels them: none may open a position. */
export const manageLeftExits = (deps: StepDeps): void => {
  const { world, timing } = deps
  for (const account of world.accounts.values()) {
    if (!isUp(world, account) || hasUnnamed(account)) continue
    const contracts = new Map<string, Group | undefined>()
    for (const { intent } of account.ours.values()) if (intent.purpose === 'exit' && !isFollowing(world, account, intent.groupId)) contracts.set(intent.contract, world.groups.get(intent.groupId))
    for (const [contract, group] of contracts) {
      const to = account.contracts.byName.get(contract)
      // Another group that trades the contract manages all its exits.
      if (to === undefined || [...world.groups.values()].some(({ id, followers }) => isFollowing(world, account, id) && followers.get(account.key)?.states.has(contract) === true) || !isSettled(account, contract) || exitsIn(account, contract).some(({ stage, changing }) => stage === 'unknown' || changing)) continue
      const workingExits = workingExitsIn(account, contract, to.tickSize, timing.now(), true)
      const net = netOf(account, contract)
      const elsewhere = group?.followers.get(account.key)?.elsewhere === true
      if (elsewhere && workingExits.every(({ side }) => net !== 0 && net > 0 === (side === 'sell'))) continue
      const follower = group?.followers.get(account.key) ?? group?.left.get(account.key)
      // Exits of a closed position are canceled. But if the start question is open, or another computer traded, their owner is unknown.
      const isClosed = follower?.begun === true && isOnlyYours(follower.states.get(contract))
      const held = isClosed || (group?.settings.leftExits === 'cancel' && !elsewhere) ? 0 : net
      const { steps } = exitSteps([], workingExits, { held, closing: Math.abs(held) })
      for (const step of steps) if (step.do !== 'place') act(deps, account, step, to.tickSize)
    }
  }
}

/** Whether a contract is certainly the user's alone. */
const isOnlyYours = (state: ContractState | undefined): boolean => state !== undefined && state.held === 0 && !state.needsDecision

/** Whether an account follows in a group that is not off. */
export const isFollowing = (world: World, account: Account, groupId: string): boolean => {
  const group = world.groups.get(groupId)
  const follower = group?.followers.get(account.key)
  return group !== undefined && group.state !== 'off' && group.userId === account.userId && !account.gone && follower !== undefined && followsHere(follower)
}

/** An account's active followers, over all groups. */
const followersIn = (world: World, account: Account): FollowerOf[] =>
  [...world.groups.values()].flatMap((group) => {
    const follower = group.followers.get(account.key)
    return follower !== undefined && isFollowing(world, account, group.id) ? [{ group, follower }] : []
  })

/** A group's working exits in accounts that no longer follow it. */
export const leftExitsOf = (world: World, group: Group): { readonly account: Account; readonly order: CopierOrder }[] =>
  [...world.accounts.values()]
    .filter((account) => account.userId === group.userId && !isFollowing(world, account, group.id) && !(group.state !== 'off' && group.followers.get(account.key)?.elsewhere === true))
    .flatMap((account) => [...account.ours.values()].filter(({ intent, ended, orderId }) => intent.purpose === 'exit' && !intent.dryRun && intent.groupId === group.id && !ended && orderId !== null).map((order) => ({ account, order })))

/** Cancels or modifies one order if the budget allows. */
const act = ({ gateway, takeCall }: StepDeps, account: Account, step: Exclude<ExitStep, { do: 'place' }>, tickSize: string): void => {
  const order = account.ours.get(step.key)
  if (order === undefined || (!order.intent.dryRun && !takeCall(account, 'reduce').ok)) return
  if (step.do === 'cancel') gateway.cancel(account, order)
  else gateway.modify(account, order, { qty: step.qty, ...wirePrices(step.to, tickSize) })
}

/** A step's budget kind: the first stop of an unprotected position reduces risk as much as a reduction. */
const kindOfStep = (step: ExitStep, workingExits: readonly WorkingSlot[], shrinks: boolean): CallKind => {
  if (step.do === 'cancel' || shrinks) return 'reduce'
  const protects = step.do === 'place' && step.slot.stop !== null && workingExits.every(({ stop }) => stop === null || stop.ending)
  return protects ? 'reduce' : step.tightens ? 'tighten' : 'exit'
}

/** The wanted exits of a follower's contract, and its position. */
type Aim = { readonly wanted: readonly WantedSlot[]; readonly room: ExitRoom; readonly legs: readonly Leg[] }

const aimOf = (group: Group, follower: Follower, account: Account, state: ContractState, legs: readonly Leg[], now: number): Aim => {
  const { contract, target, apart, yours } = state
  // Uncounted fills may be manual closes; and with the user on the other side, exits beyond the account's net would open a position.
  const net = netOf(account, contract)
  const own = group.settings.dryRun ? heldOf(follower, contract) : within(within(heldOf(follower, contract), net - yours), net)
  // While the user is asked about these contracts, earlier exits keep protecting them.
  const held = state.needsDecision && own === 0 && !group.settings.dryRun ? net : own
  // Unknown or questioned contracts keep their exits; so does a follower whose own exit may be filling.
  const keeps: Aim = { wanted: [], room: { held, closing: Math.abs(held) }, legs: [] }
  if (!follower.begun || target === null || now < state.twinUntil || held !== own) return keeps
  const { buying, selling } = inFlight(oursIn(account, contract))
  const goal = within(held, target + apart)
  // A pending close larger than the rest of a position leaves its exits in place too.
  const position = within(goal, held + (held > 0 ? 0 - selling : buying))
  const closing = Math.abs(held) - Math.abs(position)
  const exits = group.settings.exits ? wantedOf(legs, follower.rule, position) : []
  return { wanted: slotsOf(exits, position), room: { held, closing }, legs }
}

/** Tracks since when contracts lack the stop that they should have. */
const watchCover = (state: ContractState, { wanted, room }: Aim, workingExits: readonly WorkingSlot[], now: number): void => {
  const stops = wanted.reduce((sum, { qty, stop }) => sum + (stop === null ? 0 : qty), 0)
  const needed = Math.min(Math.abs(room.held), stops + (state.lastStop === null ? 0 : room.closing))
  if (coveredBy(workingExits) >= needed) {
    state.bareSince = null
    state.unprotected = false
    return
  }
  state.bareSince ??= now
  // After a rejected pair, try the stop alone first.
  state.unprotected = now - state.bareSince >= bareMs || (state.exitsRefused !== null && now < state.exitsHeldUntil)
}

/** Closes unprotected contracts if the group's user wants that: the follower stays out until the leader's position matches. */
const closeUnprotected = (group: Group, state: ContractState, { room }: Aim): void => {
  if (!state.unprotected || group.settings.unprotected !== 'flatten' || group.settings.dryRun || state.target === null || room.closing >= Math.abs(room.held)) return
  state.apart = 0 - state.target
  state.apartWhy = 'exit-filled'
  state.changed = true
}

/** A rejected close may leave contracts without exits, since a liquidation cancels them: they get their last stop again. */
const withLastStop = (state: ContractState, { wanted, room, legs }: Aim, workingExits: readonly WorkingSlot[], closes: boolean, now: number): Aim => {
  const refused = !closes && now < state.heldUntil && state.pauses === 'all' && (state.heldWhy === 'rejected' || state.heldWhy === 'market-closed')
  const side = room.held > 0 ? 'sell' : 'buy'
  const working = workingExits.reduce((sum, { stop }) => sum + (stop === null || stop.ending ? 0 : stop.qty), 0)
  const missing = Math.abs(room.held) - Math.max(working, wanted.reduce((sum, { qty }) => sum + qty, 0))
  if (!refused || missing <= 0 || state.lastStop?.side !== side) return { wanted, room, legs }
  const { leaderOrderId, type, price, stopPrice, peg } = state.lastStop
  const stop = { leaderOrderId, type, price, stopPrice, peg }
  const qty = Math.min(missing, room.closing)
  return qty <= 0 ? { wanted, room, legs } : { wanted: [...wanted, { side, qty, stop, limit: null }], room: { held: room.held, closing: room.closing - qty }, legs }
}

const mirrorOne = (deps: StepDeps, group: Group, follower: Follower, account: Account, leaderContracts: readonly string[], contract: string): MirroredDraft[] => {
  const { world, gateway, timing, takeCall } = deps
  const state = contractStateOf(follower, contract)
  const now = timing.now()
  const exits = exitsIn(account, contract)
  const to = account.contracts.byName.get(contract)
  if (to === undefined) return []
  const { legs, not } = legsOf(world, group, follower, to, leaderContracts)
  state.notMirrored = not
  if (hasUnnamed(account) || !isSettled(account, contract)) return []
  const { tickSize } = to
  const workingExits = workingExitsIn(account, contract, tickSize, now, now < state.twinUntil)
  const closes = oursIn(account, contract).some(({ intent }) => intent.type === 'Market')
  const aim = withLastStop(state, aimOf(group, follower, account, state, legs, now), workingExits, closes, now)
  watchCover(state, aim, workingExits, now)
  closeUnprotected(group, state, aim)
  if (aim.room.held === 0) state.lastStop = null
  else {
    const [stop] = workingExits.flatMap(({ side, stop: leg }) => (leg !== null && leg.sure && !leg.ending ? [{ ...leg, side, ocoId: null }] : []))
    if (stop !== undefined) state.lastStop = stop
    else if (aim.room.closing === 0 && aim.wanted.every(({ stop: leg }) => leg === null)) state.lastStop = null
  }
  // After a rejected pair, its stop is tried alone.
  const wanted = now < state.pairHeldUntil ? aim.wanted.map((slot) => (slot.stop !== null && slot.limit !== null && !workingExits.some((own) => own.stop !== null && own.limit !== null) ? { ...slot, limit: null } : slot)) : aim.wanted
  if (exits.some(({ stage, changing }) => stage === 'unknown' || changing)) return []
  const { steps, waiting } = exitSteps(wanted, workingExits, aim.room)
  state.exitsWaiting = waiting + aim.wanted.length - aim.wanted.filter((slot, at) => wanted[at] === slot).length
  Object.assign(state, { exitsCallsAt: 0, exitsCallsWhy: state.exitsCallsWhy === 'not-saved' && now < state.exitsHeldUntil ? 'not-saved' : null })
  if (steps.length === 0 && state.exitsWaiting === 0) Object.assign(state, { exitsRefused: null, exitsFailures: 0 })
  const drafts: MirroredDraft[] = []
  for (const step of steps) {
    const from = step.do === 'move' ? account.ours.get(step.key) : undefined
    const shrinks = from !== undefined && step.do === 'move' && step.qty < from.asked.qty
    if ((step.do === 'place' && now < state.exitsHeldUntil) || (step.do === 'move' && now < state.movesHeldUntil)) {
      state.exitsWaiting += 1
      continue
    }
    const given = group.settings.dryRun ? ({ ok: true } as const) : takeCall(account, kindOfStep(step, workingExits, shrinks))
    if (!given.ok) {
      state.exitsWaiting += 1
      Object.assign(state, { exitsCallsAt: Math.max(state.exitsCallsAt, now + given.waitMs), exitsCallsWhy: given.why })
      continue
    }
    if (step.do === 'place') {
      drafts.push(...placing({ group, follower, account, contract }, step.slot, aim.legs, tickSize))
      continue
    }
    const order = account.ours.get(step.key)
    if (order === undefined) continue
    if (step.do === 'cancel') gateway.cancel(account, order)
    else {
      order.follows = step.to.leaderOrderId
      order.twin = false
      gateway.modify(account, order, { qty: step.qty, ...wirePrices(step.to, tickSize) })
    }
  }
  return drafts
}

/** The order draft of a slot, with its OCO partner if any, and the leader's contract. */
const placing = (of: Pick<Draft, 'group' | 'follower' | 'account' | 'contract'>, { side, qty, stop, limit }: WantedSlot, legs: readonly Leg[], tickSize: string): MirroredDraft[] => {
  const [first, second] = [stop, limit].filter((leg) => leg !== null).map((leg): DraftLeg => ({ type: leg.type, leaderOrderId: leg.leaderOrderId, ...wirePrices(leg, tickSize) }))
  if (first === undefined) return []
  const leg = legs.find(({ exits }) => exits.some(({ orderId }) => orderId === first.leaderOrderId))
  return [{ from: leg?.from.name ?? of.contract, draft: { ...of, side, qty, purpose: 'exit', ...first, ...(second === undefined ? {} : { other: second }) } }]
}
