import type { ExactRatio, FollowerRule } from '#shared/api/copier.ts'
import type { CallKind, CallLeave } from '#shared/copier/budget.ts'
import { samePrices } from '#shared/copier/contract-match.ts'
import { exitSteps, kindOf, leaderExits, wantedExits, type ExitStep, type ExitType, type LeaderExit, type StandingExit, type WantedExit } from '#shared/copier/exits.ts'
import { targetOf } from '#shared/copier/target.ts'
import { parsePrice, priceToJsonNumber, type Ticks } from '#shared/money/price.ts'
import type { Timing } from '../tradovate/timing.ts'
import type { LiveContract } from '../tradovate/live.ts'
import { inFlight, leaderNet, matchOf, oursIn, realOf } from './followers.ts'
import type { Draft, Outlet } from './orders-out.ts'
import { following, leaderContractsOf } from './steps.ts'
import { accountIn, isSettled, isUp, standOf, type Account, type Follower, type Group, type OutOrder, type World } from './world.ts'

/** For this long what was asked of a working exit counts as its state; then the broker's own word does. */
const askedCountsMs = 2_000

/** What mirroring exits works with. */
export type ExitParts = { readonly world: World; readonly outlet: Outlet; readonly timing: Timing; readonly leave: (account: Account, kind: CallKind) => CallLeave }

const ticksOf = (price: number | null, tickSize: string): Ticks | null => {
  if (price === null) return null
  const read = parsePrice(price, tickSize)
  return read.ok ? read.value : null
}
const wireOf = (price: Ticks | null, tickSize: string): number | null => (price === null ? null : priceToJsonNumber(price, tickSize))

/** What of an account's mirrored exits stands at the broker, as asked for or as told. */
const standingOf = (account: Account, contract: string, tickSize: string, now: number): { readonly order: OutOrder; readonly exit: StandingExit }[] =>
  oursIn(account, contract).flatMap((order) => {
    const { intent, filled } = order
    if (intent.type === 'Market') return []
    const version = order.orderId === null ? null : (account.book.order(order.orderId)?.version ?? null)
    if (version !== null && !order.changing && now - order.askedMs > askedCountsMs) order.asked = { qty: version.qty, price: version.price, stopPrice: version.stopPrice }
    const { qty, price, stopPrice } = order.asked
    const exit: StandingExit = {
      key: intent.clOrdId,
      leaderOrderId: order.follows ?? 0,
      side: intent.side,
      type: intent.type as ExitType,
      qty: Math.max(0, qty - filled),
      filled,
      price: ticksOf(price, tickSize),
      stopPrice: ticksOf(stopPrice, tickSize),
      ending: order.cancelMs !== null,
    }
    return [{ order, exit }]
  })

/** One of the leader's contracts whose exits a follower's contract follows: nearly always there is one, two where NQ and MNQ both lead to MNQ. */
type Leg = { readonly from: LiveContract; readonly exits: readonly LeaderExit[]; readonly leader: number; readonly base: number; readonly factor: ExactRatio }

const legsOf = (world: World, group: Group, follower: Follower, to: LiveContract, leaderContracts: readonly string[]): Leg[] => {
  const leaderAccount = accountIn(world, group, group.kept.leader)
  if (leaderAccount === undefined) return []
  return leaderContracts.flatMap((name) => {
    const match = matchOf(follower, name)
    const leader = leaderNet(world, group, name)
    const from = leaderAccount.contracts.byName.get(name)
    if (match?.contract !== to.name || leader === null || leader === 0 || from === undefined || !samePrices(from, to)) return []
    return [{ from, exits: leaderExits(leaderAccount.book.working(from.id), leader, from.tickSize), leader, base: follower.bases.get(name) ?? 0, factor: match.factor }]
  })
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

/** Contracts of a follower that exits may close: no more than it holds, will hold after what is under way, and should hold. */
const protectedOf = (real: number, projected: number, wanted: number): number => {
  const least = Math.min(Math.abs(real), Math.abs(projected), Math.abs(wanted))
  return real > 0 && projected > 0 && wanted > 0 ? least : real < 0 && projected < 0 && wanted < 0 ? 0 - least : 0
}

/** When anything was asked of an account's exits last (UTC ms); 0 where none stands. */
const askedLast = (account: Account): number => {
  let last = 0
  for (const { intent, askedMs } of account.ours.values()) if (intent.type !== 'Market') last = Math.max(last, askedMs)
  return last
}

/** Places, moves and cancels what brings the followers' exits to the leader's, as far as the budget lets it; what has no room is found again the next time, at its newest price. */
export const mirrorExits = (parts: ExitParts, group: Group, only?: ReadonlySet<string>): void => {
  const { world, outlet, timing } = parts
  const leaderContracts = leaderContractsOf(world, group)
  const drafts = new Map<string, Draft[]>()
  // Where calls are short, each gets its turn: the one whose exits wait longest goes first.
  for (const { follower, account } of following(world, group).toSorted((one, other) => askedLast(one.account) - askedLast(other.account))) {
    if ((only !== undefined && !only.has(account.key)) || !follower.begun || follower.flattening || !isUp(world, account)) continue
    for (const stand of follower.stands.values()) {
      const draftsOf = mirrorOne(parts, group, follower, account, leaderContracts, stand.contract)
      for (const { from, draft } of draftsOf) {
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

/** What a step is to the budget: the first stop of a position that has none reduces risk as much as taking off does. */
const kindOfStep = (step: ExitStep, standing: readonly { readonly exit: StandingExit }[]): CallKind => {
  if (step.do === 'cancel') return 'reduce'
  const protects = step.do === 'place' && step.tightens && standing.every(({ exit }) => exit.ending || kindOf(exit.type) === 'limit')
  return protects ? 'reduce' : step.tightens ? 'tighten' : 'exit'
}

const mirrorOne = (parts: ExitParts, group: Group, follower: Follower, account: Account, leaderContracts: readonly string[], contract: string): { readonly from: string; readonly draft: Draft }[] => {
  const { world, outlet, timing, leave } = parts
  const stand = standOf(follower, contract)
  const now = timing.now()
  const orders = oursIn(account, contract)
  if (stand.target === null || (stand.asks && realOf(follower, account, contract) === 0) || now < stand.twinUntil || !isSettled(account, contract)) return []
  if (orders.some(({ stage, changing }) => stage === 'unknown' || changing)) return []
  const to = account.contracts.byName.get(contract)
  if (to === undefined) return []
  const { tickSize } = to
  const legs = legsOf(world, group, follower, to, leaderContracts)
  const standing = standingOf(account, contract, tickSize, now)
  let wanted: readonly WantedExit[] = []
  let position = 0
  if (legs.length > 0 && group.kept.exits) {
    const { buying, selling } = inFlight(orders)
    const real = realOf(follower, account, contract)
    position = protectedOf(real, real + (real > 0 ? 0 - selling : buying), stand.target + stand.apart)
    wanted = wantedOf(legs, follower.rule, position)
  }
  const { steps, waiting } = exitSteps(wanted, standing.map(({ exit }) => exit), position)
  stand.exitsWaiting = waiting
  const drafts: { readonly from: string; readonly draft: Draft }[] = []
  for (const step of steps) {
    if (step.do === 'place' && now < stand.exitsHeldUntil) {
      stand.exitsWaiting += 1
      continue
    }
    if (!group.kept.dryRun && !leave(account, kindOfStep(step, standing)).ok) {
      stand.exitsWaiting += 1
      continue
    }
    if (step.do === 'place') {
      const { side, qty, type, price, stopPrice, leaderOrderId } = step.exit
      const wire = { price: wireOf(price, tickSize), stopPrice: wireOf(stopPrice, tickSize) }
      const leg = legs.find(({ exits }) => exits.some(({ orderId }) => orderId === leaderOrderId))
      drafts.push({ from: leg?.from.name ?? contract, draft: { group, follower, account, contract, side, qty, purpose: 'exit', type, ...wire, leaderOrderId } })
      continue
    }
    const order = account.ours.get(step.key)
    if (order === undefined) continue
    if (step.do === 'cancel') outlet.cancel(account, order)
    else {
      order.follows = step.to.leaderOrderId
      outlet.change(account, order, { qty: step.qty, price: wireOf(step.to.price, tickSize), stopPrice: wireOf(step.to.stopPrice, tickSize) })
    }
  }
  return drafts
}
