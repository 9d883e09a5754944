import type { ExactRatio, FollowerRule } from '#shared/api/copier.ts'
import type { CallKind, CallLeave } from '#shared/copier/budget.ts'
import { samePrices } from '#shared/copier/contract-match.ts'
import { coveredBy, exitSteps, isExitType, kindOf, readExits, readPrices, slotsOf, wantedExits, type ExitPrices, type ExitRoom, type ExitStep, type LeaderExit, type NotMirrored, type WorkingLeg, type WorkingSlot, type WantedExit, type WantedSlot } from '#shared/copier/exits.ts'
import { targetOf } from '#shared/copier/target.ts'
import { priceToJsonNumber, type Ticks } from '#shared/money/price.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import { inFlight, leaderContractsOf, leaderNet, matchOf, oursIn, ownerOf, realOf, type FollowerOf } from './followers.ts'
import type { Draft, DraftLeg, Outlet } from './orders-out.ts'
import { following } from './steps.ts'
import { accountIn, followsHere, hasUnnamed, isSettled, isUp, netOf, standOf, type Account, type Follower, type Group, type NotMirroredHere, type OutOrder, type Stand, type World } from './world.ts'

// The rules that this file keeps:
// - Never bare: a position of ours that had a stop keeps one until it is flat. Stop and target are one OCO of the broker; quantities are
//   changed, not replaced; what has to be replaced goes once what replaces it works; a close leaves its exits in place until it has filled.
// - Nothing left behind: exits of ours whose group or follower is off stay within what the account holds, or are cancelled, as the group's user
//   chose. Where another computer copies they may be its only protection: there they go only once they could open a position.

/** For this long what was asked of a working exit counts as its state; then the broker's own word does. */
const askedCountsMs = 2_000

/** A position may lack the stop that it should have for so long: the round trips of placing it. */
export const bareMs = 2_000

/** What mirroring exits works with. */
export type ExitParts = { readonly world: World; readonly outlet: Outlet; readonly timing: Timing; readonly leave: (account: Account, kind: CallKind) => CallLeave }

const wireOf = (price: Ticks | null, tickSize: string): number | null => (price === null ? null : priceToJsonNumber(price, tickSize))
export const wirePrices = ({ price, stopPrice, peg }: ExitPrices, tickSize: string): Pick<DraftLeg, 'price' | 'stopPrice' | 'pegDifference'> =>
  ({ price: wireOf(price, tickSize), stopPrice: wireOf(stopPrice, tickSize), pegDifference: wireOf(peg, tickSize) })

/** Mirrored exits of an account in a contract that may still fill. */
const exitsIn = (account: Account, contract: string): OutOrder[] => oursIn(account, contract).filter(({ intent, ended }) => intent.purpose === 'exit' && !ended)

const legOf = (account: Account, order: OutOrder, tickSize: string, now: number, mayFill: boolean): WorkingLeg => {
  const { intent, filled } = order
  const told = order.orderId === null ? null : account.book.order(order.orderId)
  const version = told?.version ?? null
  if (version !== null && !order.changing && now - order.askedMs > askedCountsMs) {
    order.asked = { qty: version.qty, price: version.price, stopPrice: version.stopPrice, pegDifference: version.pegDifference }
  }
  const type = isExitType(intent.type) ? intent.type : 'Limit'
  const prices = readPrices(type, order.asked, tickSize) ?? { price: null, stopPrice: null, peg: null }
  const works = intent.dryRun || told?.status === 'Working' || told?.status === 'PendingReplace'
  return { key: intent.clOrdId, leaderOrderId: order.follows ?? 0, type, qty: Math.max(0, order.asked.qty - filled), filled, ...prices, ending: order.cancelMs !== null, sure: works && order.stage !== 'unknown', twin: order.twin && !mayFill }
}

/** What of an account's mirrored exits stands at the broker, as asked for or as told; the two orders of an OCO together. `mayFill`: one whose leader's order filled has its moment still. */
export const standingIn = (account: Account, contract: string, tickSize: string, now: number, mayFill: boolean): readonly WorkingSlot[] => {
  const orders = exitsIn(account, contract)
  const byId = new Map(orders.flatMap((order) => (order.orderId === null ? [] : [[order.orderId, order] as const])))
  const partnerOf = (order: OutOrder): OutOrder | undefined => {
    const told = order.orderId === null ? null : (account.book.order(order.orderId)?.ocoId ?? null)
    return (told === null ? undefined : byId.get(told)) ?? orders.find(({ intent }) => intent.clOrdId === order.pair)
  }
  const done = new Set<OutOrder>()
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

/** One of the leader's contracts whose exits a follower's contract follows: nearly always there is one, two where NQ and MNQ both lead to MNQ. */
type Leg = { readonly from: LiveContract; readonly exits: readonly LeaderExit[]; readonly leader: number; readonly base: number; readonly factor: ExactRatio }

/** The leader's exits for a follower's contract, and what of its orders is not mirrored there. */
const legsOf = (world: World, group: Group, follower: Follower, to: LiveContract, leaderContracts: readonly string[]): { readonly legs: readonly Leg[]; readonly not: readonly NotMirroredHere[] } => {
  const leaderAccount = accountIn(world, group, group.kept.leader)
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

/** The exits that a follower's `position` should have: of each of the leader's contracts for what came of it, together never for more than is held. */
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

/** As much of `position` as lies on its side of flat at `other` too. */
const within = (position: number, other: number): number => (Math.sign(position) === Math.sign(other) ? Math.sign(position) * Math.min(Math.abs(position), Math.abs(other)) : 0)

/** When anything was asked of an account's exits last (UTC ms); 0 where none stands. */
const askedLast = (account: Account): number => {
  let last = 0
  for (const { intent, askedMs } of account.ours.values()) if (intent.purpose === 'exit') last = Math.max(last, askedMs)
  return last
}

/** Places, moves and cancels what brings the followers' exits to the leader's, as far as the budget lets it; what has no room is found again the next time, at its newest price. */
export const mirrorExits = (parts: ExitParts, group: Group, only?: ReadonlySet<string>): void => {
  const { world, outlet, timing } = parts
  const leaderContracts = leaderContractsOf(world, group)
  const drafts = new Map<string, Draft[]>()
  // Where calls are short, each gets its turn: the one whose exits wait longest goes first.
  for (const { follower, account } of following(world, group).toSorted((one, other) => askedLast(one.account) - askedLast(other.account))) {
    if ((only !== undefined && !only.has(account.key)) || follower.flattening || !isUp(world, account)) continue
    const contracts = new Set([...follower.stands.keys(), ...[...account.ours.values()].flatMap(({ intent }) => (intent.purpose === 'exit' && intent.groupId === group.id ? [intent.contract] : []))])
    const beside = followersAtWork(world, account)
    for (const contract of contracts) {
      // Two groups of an account that both looked after one contract would undo each other's exits.
      if (beside.length > 1 && (ownerOf(beside, contract)?.group ?? group) !== group) continue
      for (const { from, draft } of mirrorOne(parts, group, follower, account, leaderContracts, contract)) {
        const together = drafts.get(from)
        if (together === undefined) drafts.set(from, [draft])
        else together.push(draft)
      }
    }
  }
  for (const [contract, together] of drafts) {
    outlet.send({ groupId: group.id, at: timing.now(), kind: 'exit', leaderAccount: group.kept.leader, contract, fillId: null, side: null, qty: 0, price: null }, together, null)
  }
}

/** Keeps exits of ours where nobody follows any more within what is held there, or cancels them: none may open a position by itself. */
export const tendLeftExits = (parts: ExitParts): void => {
  const { world, timing } = parts
  for (const account of world.accounts.values()) {
    if (!isUp(world, account) || hasUnnamed(account)) continue
    const contracts = new Map<string, Group | undefined>()
    for (const { intent } of account.ours.values()) if (intent.purpose === 'exit' && !isAtWork(world, account, intent.groupId)) contracts.set(intent.contract, world.groups.get(intent.groupId))
    for (const [contract, group] of contracts) {
      const to = account.contracts.byName.get(contract)
      // Another group that trades the contract now takes care of all that works there.
      if (to === undefined || [...world.groups.values()].some(({ id, followers }) => isAtWork(world, account, id) && followers.get(account.key)?.stands.has(contract) === true) || !isSettled(account, contract) || exitsIn(account, contract).some(({ stage, changing }) => stage === 'unknown' || changing)) continue
      const standing = standingIn(account, contract, to.tickSize, timing.now(), true)
      const net = netOf(account, contract)
      const elsewhere = group?.followers.get(account.key)?.elsewhere === true
      if (elsewhere && standing.every(({ side }) => net !== 0 && net > 0 === (side === 'sell'))) continue
      const follower = group?.followers.get(account.key) ?? group?.left.get(account.key)
      // Exits whose position was closed go. But where an arming was not answered, or another computer traded, it is not known whose it is.
      const isClosed = follower?.begun === true && isOnlyYours(follower.stands.get(contract))
      const held = isClosed || (group?.kept.leftExits === 'cancel' && !elsewhere) ? 0 : net
      const { steps } = exitSteps([], standing, { held, closing: Math.abs(held) })
      for (const step of steps) if (step.do !== 'place') act(parts, account, step, to.tickSize)
    }
  }
}

/** Whether nothing of a contract is the copier's, for certain. */
const isOnlyYours = (stand: Stand | undefined): boolean => stand !== undefined && stand.held === 0 && !stand.asks

/** Whether a group follows with an account and is not off. */
export const isAtWork = (world: World, account: Account, groupId: string): boolean => {
  const group = world.groups.get(groupId)
  const follower = group?.followers.get(account.key)
  return group !== undefined && group.state !== 'off' && group.userId === account.userId && !account.gone && follower !== undefined && followsHere(follower)
}

/** An account's followers in groups where it follows. */
const followersAtWork = (world: World, account: Account): FollowerOf[] =>
  [...world.groups.values()].flatMap((group) => {
    const follower = group.followers.get(account.key)
    return follower !== undefined && isAtWork(world, account, group.id) ? [{ group, follower }] : []
  })

/** Exits of a group that the broker has although it does not follow with their account any more. */
export const leftExitsOf = (world: World, group: Group): { readonly account: Account; readonly order: OutOrder }[] =>
  [...world.accounts.values()]
    .filter((account) => account.userId === group.userId && !isAtWork(world, account, group.id) && !(group.state !== 'off' && group.followers.get(account.key)?.elsewhere === true))
    .flatMap((account) => [...account.ours.values()].filter(({ intent, ended, orderId }) => intent.purpose === 'exit' && !intent.dryRun && intent.groupId === group.id && !ended && orderId !== null).map((order) => ({ account, order })))

/** Cancels or changes one order, where there are calls for it. */
const act = ({ outlet, leave }: ExitParts, account: Account, step: Exclude<ExitStep, { do: 'place' }>, tickSize: string): void => {
  const order = account.ours.get(step.key)
  if (order === undefined || (!order.intent.dryRun && !leave(account, 'reduce').ok)) return
  if (step.do === 'cancel') outlet.cancel(account, order)
  else outlet.change(account, order, { qty: step.qty, ...wirePrices(step.to, tickSize) })
}

/** What a step is to the budget: the first stop of a position that has none reduces risk as much as taking off does. */
const kindOfStep = (step: ExitStep, standing: readonly WorkingSlot[], shrinks: boolean): CallKind => {
  if (step.do === 'cancel' || shrinks) return 'reduce'
  const protects = step.do === 'place' && step.slot.stop !== null && standing.every(({ stop }) => stop === null || stop.ending)
  return protects ? 'reduce' : step.tightens ? 'tighten' : 'exit'
}

/** What a follower's contract should have, and what is held of it. */
type Aim = { readonly wanted: readonly WantedSlot[]; readonly room: ExitRoom; readonly legs: readonly Leg[] }

const aimOf = (group: Group, follower: Follower, account: Account, stand: Stand, legs: readonly Leg[], now: number): Aim => {
  const { contract, target, apart, yours } = stand
  // What is not counted yet may have been closed by hand; and where its user stands on the other side, more than the account holds would open.
  const net = netOf(account, contract)
  const own = group.kept.dryRun ? realOf(follower, account, contract) : within(within(realOf(follower, account, contract), net - yours), net)
  // While its user is asked whose contracts these are, exits of before go on protecting them.
  const held = stand.asks && own === 0 && !group.kept.dryRun ? net : own
  // What is not known, or is being asked, keeps what it has; so does a follower whose own exit may be filling just now.
  const keeps: Aim = { wanted: [], room: { held, closing: Math.abs(held) }, legs: [] }
  if (!follower.begun || target === null || now < stand.twinUntil || held !== own) return keeps
  const { buying, selling } = inFlight(oursIn(account, contract))
  const goal = within(held, target + apart)
  // A close under way that asks for more than is left of a position leaves the exits of that in place too.
  const position = within(goal, held + (held > 0 ? 0 - selling : buying))
  const closing = Math.abs(held) - Math.abs(position)
  const exits = group.kept.exits ? wantedOf(legs, follower.rule, position) : []
  return { wanted: slotsOf(exits, position), room: { held, closing }, legs }
}

/** Notes whether contracts that should have a stop lack it, and for how long. */
const watchCover = (stand: Stand, { wanted, room }: Aim, standing: readonly WorkingSlot[], now: number): void => {
  const stops = wanted.reduce((sum, { qty, stop }) => sum + (stop === null ? 0 : qty), 0)
  const needed = Math.min(Math.abs(room.held), stops + (stand.lastStop === null ? 0 : room.closing))
  if (coveredBy(standing) >= needed) {
    stand.bareSince = null
    stand.unprotected = false
    return
  }
  stand.bareSince ??= now
  // A refused pair is tried as a stop alone first.
  stand.unprotected = now - stand.bareSince >= bareMs || (stand.exitsRefused !== null && now < stand.exitsHeldUntil)
}

/** Closes what has no stop, where the group's user wants that: the follower stays out until the leader comes to meet it. */
const closeUnprotected = (group: Group, stand: Stand, { room }: Aim): void => {
  if (!stand.unprotected || group.kept.unprotected !== 'flatten' || group.kept.dryRun || stand.target === null || room.closing >= Math.abs(room.held)) return
  stand.apart = 0 - stand.target
  stand.apartWhy = 'exit-filled'
  stand.changed = true
}

/** A close that the broker refuses leaves contracts whose exits may be gone, as a liquidation takes them: they get their last stop again. */
const withLastStop = (stand: Stand, { wanted, room, legs }: Aim, standing: readonly WorkingSlot[], closes: boolean, now: number): Aim => {
  const refused = !closes && now < stand.heldUntil && stand.pauses === 'all' && (stand.heldWhy === 'rejected' || stand.heldWhy === 'market-closed')
  const side = room.held > 0 ? 'sell' : 'buy'
  const stands = standing.reduce((sum, { stop }) => sum + (stop === null || stop.ending ? 0 : stop.qty), 0)
  const missing = Math.abs(room.held) - Math.max(stands, wanted.reduce((sum, { qty }) => sum + qty, 0))
  if (!refused || missing <= 0 || stand.lastStop?.side !== side) return { wanted, room, legs }
  const { leaderOrderId, type, price, stopPrice, peg } = stand.lastStop
  const stop = { leaderOrderId, type, price, stopPrice, peg }
  const qty = Math.min(missing, room.closing)
  return qty <= 0 ? { wanted, room, legs } : { wanted: [...wanted, { side, qty, stop, limit: null }], room: { held: room.held, closing: room.closing - qty }, legs }
}

const mirrorOne = (parts: ExitParts, group: Group, follower: Follower, account: Account, leaderContracts: readonly string[], contract: string): { readonly from: string; readonly draft: Draft }[] => {
  const { world, outlet, timing, leave } = parts
  const stand = standOf(follower, contract)
  const now = timing.now()
  const exits = exitsIn(account, contract)
  const to = account.contracts.byName.get(contract)
  if (to === undefined) return []
  const { legs, not } = legsOf(world, group, follower, to, leaderContracts)
  stand.notMirrored = not
  if (hasUnnamed(account) || !isSettled(account, contract)) return []
  const { tickSize } = to
  const standing = standingIn(account, contract, tickSize, now, now < stand.twinUntil)
  const closes = oursIn(account, contract).some(({ intent }) => intent.type === 'Market')
  const aim = withLastStop(stand, aimOf(group, follower, account, stand, legs, now), standing, closes, now)
  watchCover(stand, aim, standing, now)
  closeUnprotected(group, stand, aim)
  if (aim.room.held === 0) stand.lastStop = null
  else {
    const [stop] = standing.flatMap(({ side, stop: leg }) => (leg !== null && leg.sure && !leg.ending ? [{ ...leg, side, ocoId: null }] : []))
    if (stop !== undefined) stand.lastStop = stop
    else if (aim.room.closing === 0 && aim.wanted.every(({ stop: leg }) => leg === null)) stand.lastStop = null
  }
  // Where a pair was refused its stop is tried alone.
  const wanted = now < stand.pairHeldUntil ? aim.wanted.map((slot) => (slot.stop !== null && slot.limit !== null && !standing.some((own) => own.stop !== null && own.limit !== null) ? { ...slot, limit: null } : slot)) : aim.wanted
  if (exits.some(({ stage, changing }) => stage === 'unknown' || changing)) return []
  const { steps, waiting } = exitSteps(wanted, standing, aim.room)
  stand.exitsWaiting = waiting + aim.wanted.length - aim.wanted.filter((slot, at) => wanted[at] === slot).length
  Object.assign(stand, { exitsCallsAt: 0, exitsCallsWhy: null })
  if (steps.length === 0 && stand.exitsWaiting === 0) Object.assign(stand, { exitsRefused: null, exitsFailures: 0 })
  const drafts: { readonly from: string; readonly draft: Draft }[] = []
  for (const step of steps) {
    const from = step.do === 'move' ? account.ours.get(step.key) : undefined
    const shrinks = from !== undefined && step.do === 'move' && step.qty < from.asked.qty
    if ((step.do === 'place' && now < stand.exitsHeldUntil) || (step.do === 'move' && now < stand.movesHeldUntil)) {
      stand.exitsWaiting += 1
      continue
    }
    const given = group.kept.dryRun ? ({ ok: true } as const) : leave(account, kindOfStep(step, standing, shrinks))
    if (!given.ok) {
      stand.exitsWaiting += 1
      Object.assign(stand, { exitsCallsAt: Math.max(stand.exitsCallsAt, now + given.waitMs), exitsCallsWhy: given.why })
      continue
    }
    if (step.do === 'place') {
      drafts.push(...placing({ group, follower, account, contract }, step.slot, aim.legs, tickSize))
      continue
    }
    const order = account.ours.get(step.key)
    if (order === undefined) continue
    if (step.do === 'cancel') outlet.cancel(account, order)
    else {
      order.follows = step.to.leaderOrderId
      order.twin = false
      outlet.change(account, order, { qty: step.qty, ...wirePrices(step.to, tickSize) })
    }
  }
  return drafts
}

/** The order of a slot, with its other one where it is an OCO, and the leader's contract that it follows. */
const placing = (of: Pick<Draft, 'group' | 'follower' | 'account' | 'contract'>, { side, qty, stop, limit }: WantedSlot, legs: readonly Leg[], tickSize: string): { readonly from: string; readonly draft: Draft }[] => {
  const [first, second] = [stop, limit].filter((leg) => leg !== null).map((leg): DraftLeg => ({ type: leg.type, leaderOrderId: leg.leaderOrderId, ...wirePrices(leg, tickSize) }))
  if (first === undefined) return []
  const leg = legs.find(({ exits }) => exits.some(({ orderId }) => orderId === first.leaderOrderId))
  return [{ from: leg?.from.name ?? of.contract, draft: { ...of, side, qty, purpose: 'exit', ...first, ...(second === undefined ? {} : { other: second }) } }]
}
