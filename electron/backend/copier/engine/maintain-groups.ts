import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { wallOf } from '../../brokers/timing.ts'
import { cancelLeftEntries, mirrorEntries } from './entries-loop.ts'
import { mirrorExits, manageLeftExits } from './exits-loop.ts'
import { contractsToFollow, activeFollowers, repair, leaderNetsOf, type CopyNewFills, type StepDeps } from './copy-and-repair.ts'
import { leaderContractsOf, isMissing, contractsOf, heldOf, inFlight, isCounted, isNewer, leaderNet, matchOf, oursIn, recomputeTarget, shrinkAlong } from './followers.ts'
import { beginAll } from './follower-start.ts'
import { accountIn, lineOf, isUp, netOf, noFill, contractStateOf, type Group, type Account, type Follower, type ContractState, type World } from './world.ts'

// Never more risk without a fresh reason. A start, a reconnect, or a changed rule may reduce; it adds only what the leader's fills since the last
// known state require. If the leader holds more than its fills explain, or a rule requires more than before, the user is asked once, and
// nothing is added before the answer.

/**
 * Counts a change of the leader's position that no fill explains as filled by its entries from earlier sessions, each of them: the broker lists no fills
 * of those. A follower's entry that is too small then gets the shortfall at market with the leader's next fill; one that is too large would buy too much.
 */
const assumeFilled = ({ book, session }: Account, contractId: number, net: number, change: number, now: number): void => {
  const side = change > 0 ? 'buy' : 'sell'
  // Not the exits: a position would lack its stop.
  if (net * change < 0) return
  const id = 0 - Number(session.replaceAll('-', ''))
  book.remember(book.working(contractId).flatMap((order) =>
    order.side === side && order.left !== null && order.left > 0 && order.time !== null && tradingDay(order.time) < session ? [{ id, orderId: order.id, qty: Math.min(order.left, Math.abs(change)), active: true, time: now }] : []))
}

/** Explains the leader's position in a contract by its fills; false if they do not add up. */
const accountFor = (group: Group, leader: Account, contract: string, net: number, now: number): boolean => {
  const isFirst = group.leaders.get(contract)?.isFromLastRun !== false
  const known = getOrInsert(group.leaders, contract, () => ({ net: 0, taken: noFill, since: noFill, counted: new Set(), isFromLastRun: false, changed: false }))
  const { isFromLastRun } = known
  known.isFromLastRun = false
  if (known.net === net && !isFromLastRun) return true
  const id = leader.contracts.byName.get(contract)?.id
  let explained = known.net
  const through: number[] = []
  for (const fill of [...leader.knownFills.values()].filter(({ contractId }) => contractId === id).toSorted((one, other) => (isNewer(one, other) ? 1 : -1))) {
    if (known.counted.has(fill.id) || !isNewer(fill, known.since)) continue
    known.counted.add(fill.id)
    if (isNewer(fill, known.taken)) known.taken = { time: fill.time, id: fill.id }
    if (fill.active) through.push(explained += fill.side === 'buy' ? fill.qty : 0 - fill.qty)
  }
  // Fills while the program ran were copied one by one.
  if (isFromLastRun) shrinkAlong(group, contract, through)
  known.net = net
  known.changed = true
  if (isFirst && id !== undefined && explained !== net) assumeFilled(leader, id, net, net - explained, now)
  return explained === net
}

/** Whether moving a follower's contract to its target would open or add. */
const wouldAdd = (follower: Follower, account: Account, state: ContractState): boolean => {
  if (state.target === null) return false
  const wanted = state.target + state.apart
  const { buying, selling } = inFlight(oursIn(account, state.contract))
  const projected = heldOf(follower, state.contract) + buying - selling
  return Math.abs(wanted) > Math.abs(projected) || wanted * projected < 0
}

/** Whether a question is moot: neither leader nor follower holds the contract any more. */
const isMoot = (world: World, group: Group, follower: Follower, account: Account, { contract }: ContractState, leaderContracts: readonly string[]): boolean =>
  netOf(account, contract) === 0 && heldOf(follower, contract) === 0 && oursIn(account, contract).length === 0 && leaderContracts.every((name) => matchOf(follower, name)?.contract !== contract || leaderNet(world, group, name) === 0)

/** Raises a question before adding anything that no leader fill requires, and drops moot questions. */
const askBeforeAdding = ({ world, timing }: Pick<StepDeps, 'world' | 'timing'>, group: Group): void => {
  const leader = accountIn(world, group, group.settings.leader)
  const led = leaderNetsOf(world, group)
  if (leader === undefined || led === null) return
  const unexplained = new Set<string>()
  for (const contract of new Set([...contractsOf(leader), ...group.leaders.keys()])) {
    const net = led.nets.has(contract) ? (led.nets.get(contract) ?? null) : 0
    if (net !== null && !accountFor(group, leader, contract, net, timing.now())) unexplained.add(contract)
  }
  const leaderContracts = leaderContractsOf(world, group)
  for (const { follower, account } of activeFollowers(world, group)) {
    if (!follower.begun) continue
    const isRead = isUp(world, account)
    let isAllCounted = true
    const about = new Set([...unexplained].map((name) => matchOf(follower, name)?.contract))
    for (const contract of contractsToFollow(follower, account, leaderContracts)) {
      const state = contractStateOf(follower, contract)
      isAllCounted &&= isCounted(account, state) || isMissing(world, account, contract)
      if (about.has(contract) || (follower.needsDecisionNext && isRead && isCounted(account, state))) {
        if (recomputeTarget(follower, led, contract)) state.changed = true
        if (!state.needsDecision && wouldAdd(follower, account, state)) Object.assign(state, { needsDecision: true, changed: true })
      } else if (state.needsDecision && isRead && isMoot(world, group, follower, account, state, leaderContracts)) Object.assign(state, { needsDecision: false, changed: true })
    }
    // Nothing is added until the fills of every contract are counted.
    if (isRead && isAllCounted && follower.needsDecisionNext) Object.assign(follower, { needsDecisionNext: false, changed: true })
  }
}

/** Delay before requesting an unknown or unreadable contract again. */
const askAgainMs = 30_000

/** Requests contracts that followers may trade next and that are unknown on their side: a first copy would wait for them. */
const askNames = ({ world, timing }: StepDeps, group: Group): void => {
  const now = timing.now()
  const leaderContracts = leaderContractsOf(world, group)
  for (const { follower, account } of activeFollowers(world, group)) {
    const line = lineOf(world, account)
    if (line?.state !== 'up') continue
    for (const contract of contractsToFollow(follower, account, leaderContracts)) {
      const asked = line.askedNames.get(contract)
      if (account.contracts.byName.has(contract) || (asked !== undefined && now - asked.at < askAgainMs)) continue
      line.askedNames.set(contract, { at: now, isMissing: asked?.isMissing ?? false })
      void line.connection.contractNamed(contract).then((found) => line.askedNames.set(contract, { at: now, isMissing: found === null }))
    }
  }
}

/** Advances one group: starts followers that are ready, repairs what is out of sync, mirrors exits. */
export const lookAfter = (steps: StepDeps, copyNewFills: CopyNewFills, group: Group): void => {
  if (group.state === 'off') return
  beginAll(steps.world, group, wallOf(steps.timing))
  askNames(steps, group)
  askBeforeAdding(steps, group)
  copyNewFills(group)
  repair(steps, group, activeFollowers(steps.world, group))
  mirrorExits(steps, group)
  mirrorEntries(steps, group)
}

/** Manages orphaned orders: those in accounts that no longer follow. */
export const manageLeftOrders = (deps: StepDeps): void => {
  cancelLeftEntries(deps)
  manageLeftExits(deps)
  for (const group of deps.world.groups.values()) {
    for (const key of group.left.keys()) {
      const account = accountIn(deps.world, group, key)
      if (account === undefined || ![...account.ours.values()].some(({ intent }) => intent.groupId === group.id)) group.left.delete(key)
    }
  }
}
