import { onDay } from '#shared/copier/lock.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { startStance, type StartAnswer } from '#shared/copier/target.ts'
import { contractsOf, heldOf, isFollowed, leaderContractsOf, leaderNet, matchOf, newestFill } from './followers.ts'
import { contractsToFollow, activeFollowers } from './copy-and-repair.ts'
import { accountIn, brokerTime, giveOrdersToUser, hasUnnamed, isSettled, isUp, netOf, noFill, contractStateOf, type Account, type Follower, type Group, type World } from './world.ts'

/** Resets a follower: it starts again with the question about open positions. */
export const startOver = (follower: Follower): void => {
  follower.begun = false
  follower.states.clear()
  follower.bases.clear()
}

/** Whether everything a start depends on is certain. */
const isKnown = (world: World, group: Group, account: Account, leaderContracts: readonly string[]): boolean => {
  const leader = accountIn(world, group, group.settings.leader)
  return (
    leader !== undefined && isUp(world, leader) && isUp(world, account) && !hasUnnamed(leader) && !hasUnnamed(account) &&
    leaderContracts.every((name) => leaderNet(world, group, name) !== null) &&
    contractsOf(account).every((name) => isSettled(account, name)) &&
    account.uncounted.size === 0 && [...account.ours.values()].every(({ stage, intent }) => stage !== 'unknown' && intent.type !== 'Market')
  )
}

/**
 * Starts a follower once its positions and the leader's are known: everything it holds is the user's. If a position is open that the copier could
 * trade, the user is asked first. True if it started.
 */
const begin = (world: World, group: Group, follower: Follower, account: Account): boolean => {
  const leaderContracts = leaderContractsOf(world, group)
  if (follower.begun || !isKnown(world, group, account, leaderContracts)) return false
  for (const name of leaderContracts) {
    const match = matchOf(follower, name)
    if (match !== null && leaderNet(world, group, name) !== 0) contractStateOf(follower, match.contract).needsDecision = true
  }
  for (const name of contractsOf(account)) {
    if (!isFollowed(follower, name)) continue
    const state = contractStateOf(follower, name)
    Object.assign(state, { held: 0, yours: netOf(account, name), taken: newestFill(account, name) })
    giveOrdersToUser(account, name)
    // No fill may count for a group that the account left as well: what that one held would close twice.
    for (const { userId, left } of world.groups.values()) if (userId === group.userId) left.get(follower.account)?.states.delete(name)
    // The leader may trade contracts next that it does not hold now.
    if (state.yours + heldOf(follower, name) !== 0) state.needsDecision = true
  }
  for (const state of follower.states.values()) state.changed = true
  follower.begun = true
  return true
}

/** Starts all followers of a group that are ready, at `wall` (UTC ms, the computer's clock). */
export const beginAll = (world: World, group: Group, wall: number): void => {
  for (const { follower, account } of activeFollowers(world, group)) {
    if (follower.begun || !begin(world, group, follower, account)) continue
    Object.assign(follower, onDay(follower, tradingDay(brokerTime(world, account, wall))), { changed: true })
  }
}

/** The leader's contracts that map to a follower's, with the leader's position in each. */
const legsOf = (world: World, group: Group, follower: Follower, contract: string): { readonly name: string; readonly leader: number }[] =>
  leaderContractsOf(world, group).filter((name) => matchOf(follower, name)?.contract === contract).map((name) => ({ name, leader: leaderNet(world, group, name) ?? 0 }))

const takeStance = (world: World, group: Group, follower: Follower, account: Account, contract: string, answer: StartAnswer): void => {
  const state = contractStateOf(follower, contract)
  const simulated = follower.simulated.get(contract) ?? 0
  const net = netOf(account, contract) + simulated
  for (const { name, leader } of legsOf(world, group, follower, contract)) follower.bases.set(name, startStance(answer, leader, net).base)
  const { held, yours } = startStance(answer, 0, net)
  state.held = held - simulated
  state.yours = yours
  if (answer === 'leave') giveOrdersToUser(account, contract)
  state.apart = 0
  state.apartWhy = null
  state.declined.clear()
  // What an own entry filled before the answer is part of the answer.
  state.entries = new Map([...state.entries].map(([orderId, count]) => [orderId, { ...count, surplus: Math.min(0, count.surplus) }]))
  state.ahead = 0
  state.lastManualClose = noFill
  state.lastTarget = null
  state.needsDecision = false
  state.changed = true
}

/** Applies the user's answer about positions open at the start; keeps asking while they are uncertain. */
export const answerStart = (world: World, group: Group, follower: Follower, account: Account, answer: StartAnswer): void => {
  if (!isKnown(world, group, account, leaderContractsOf(world, group))) return
  for (const { contract, needsDecision } of [...follower.states.values()]) if (needsDecision) takeStance(world, group, follower, account, contract, answer)
}

/** Applies the user's answer about a deviation; does nothing while positions are uncertain. */
export const settle = (world: World, group: Group, follower: Follower, account: Account, answer: 'bring-back' | 'leave'): void => {
  if (answer === 'leave' && !isKnown(world, group, account, leaderContractsOf(world, group))) return
  for (const state of [...follower.states.values()]) {
    state.heldUntil = 0
    state.failures = 0
    if (answer === 'bring-back') state.declined.clear()
    if (state.apartWhy === null) continue
    if (answer === 'leave') takeStance(world, group, follower, account, state.contract, 'leave')
    else {
      state.apart = 0
      state.apartWhy = null
      // Only what the leader holds is bought, not what an own entry once filled ahead of it.
      state.entries = new Map()
      state.lastManualClose = noFill
      state.changed = true
    }
  }
}

/** Restarts after a flattening lock: the leader's current position is not copied, its next trades are. */
export const beginAgain = (world: World, group: Group, follower: Follower, account: Account): void => {
  const leaderContracts = leaderContractsOf(world, group)
  // Uncertain positions are asked about once known.
  if (!isKnown(world, group, account, leaderContracts)) {
    startOver(follower)
    return
  }
  for (const contract of contractsToFollow(follower, account, leaderContracts)) takeStance(world, group, follower, account, contract, 'leave')
}
