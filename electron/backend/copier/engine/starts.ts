import { onDay } from '#shared/copier/lock.ts'
import { startStance, type StartAnswer } from '#shared/copier/target.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { CopierStore } from '../store/rows.ts'
import { contractsOf, heldOf, isFollowed, leaderContractsOf, leaderNet, matchOf, newestFill } from './followers.ts'
import { followerRow } from './groups-kept.ts'
import { contractsToFollow, following } from './steps.ts'
import { accountIn, hasUnnamed, isSettled, isUp, netOf, standOf, type Account, type Follower, type Group, type World } from './world.ts'

/** Forgets how a follower stood: it begins with the question of open positions. */
export const startOver = (follower: Follower): void => {
  follower.begun = false
  follower.stands.clear()
  follower.bases.clear()
}

/** Whether all that a start asks about is known for certain. */
const isKnown = (world: World, group: Group, account: Account, leaderContracts: readonly string[]): boolean => {
  const leader = accountIn(world, group, group.kept.leader)
  return (
    leader !== undefined && isUp(world, leader) && isUp(world, account) && !hasUnnamed(leader) && !hasUnnamed(account) &&
    leaderContracts.every((name) => leaderNet(world, group, name) !== null) &&
    contractsOf(account).every((name) => isSettled(account, name)) &&
    account.untaken.size === 0 && [...account.ours.values()].every(({ stage, intent }) => stage !== 'unknown' && intent.type !== 'Market')
  )
}

/**
 * Lets a follower begin once its positions and the leader's are known: all that it holds is its user's. Where something is open that the
 * copier could trade, its user is asked first. True where it began.
 */
const begin = (world: World, group: Group, follower: Follower, account: Account): boolean => {
  const leaderContracts = leaderContractsOf(world, group)
  if (follower.begun || !isKnown(world, group, account, leaderContracts)) return false
  for (const name of leaderContracts) {
    const match = matchOf(follower, name)
    if (match !== null && leaderNet(world, group, name) !== 0) standOf(follower, match.contract).asks = true
  }
  for (const name of contractsOf(account)) {
    if (!isFollowed(follower, name)) continue
    const stand = standOf(follower, name)
    Object.assign(stand, { held: 0, yours: netOf(account, name), taken: newestFill(account, name) })
    // Contracts that the leader does not hold now may still be the ones that it trades next.
    if (stand.yours + heldOf(follower, name) !== 0) stand.asks = true
  }
  for (const stand of follower.stands.values()) stand.changed = true
  follower.begun = true
  return true
}

/** Lets all followers of a group begin of which enough is known. */
export const beginAll = (world: World, store: CopierStore, group: Group, now: number): void => {
  for (const { follower, account } of following(world, group)) {
    if (follower.begun || !begin(world, group, follower, account)) continue
    Object.assign(follower, onDay({ lock: follower.lock, rejects: follower.rejects, day: follower.day }, tradingDay(now)))
    store.saveFollower(followerRow(follower))
  }
}

/** The leader's contracts that lead to one of a follower's, with what the leader holds of each. */
const legsOf = (world: World, group: Group, follower: Follower, contract: string): { readonly name: string; readonly leader: number }[] =>
  leaderContractsOf(world, group).filter((name) => matchOf(follower, name)?.contract === contract).map((name) => ({ name, leader: leaderNet(world, group, name) ?? 0 }))

const stand = (world: World, group: Group, follower: Follower, account: Account, contract: string, answer: StartAnswer): void => {
  const now = standOf(follower, contract)
  const pretended = follower.pretended.get(contract) ?? 0
  const net = netOf(account, contract) + pretended
  for (const { name, leader } of legsOf(world, group, follower, contract)) follower.bases.set(name, startStance(answer, leader, net).base)
  const { held, yours } = startStance(answer, 0, net)
  now.held = held - pretended
  now.yours = yours
  now.apart = 0
  now.apartWhy = null
  now.declined.clear()
  now.handAt = { time: 0, id: 0 }
  now.lastTarget = null
  now.asks = false
  now.changed = true
}

/** Takes the user's answer to what was open at the start; while that is not known for certain it goes on asking. */
export const answerStart = (world: World, group: Group, follower: Follower, account: Account, answer: StartAnswer): void => {
  if (!isKnown(world, group, account, leaderContractsOf(world, group))) return
  for (const { contract, asks } of [...follower.stands.values()]) if (asks) stand(world, group, follower, account, contract, answer)
}

/** Takes the user's answer to what stands apart; nothing is left as it is while that is not known for certain. */
export const settle = (world: World, group: Group, follower: Follower, account: Account, answer: 'bring-back' | 'leave'): void => {
  if (answer === 'leave' && !isKnown(world, group, account, leaderContractsOf(world, group))) return
  for (const now of [...follower.stands.values()]) {
    now.heldUntil = 0
    now.failures = 0
    if (answer === 'bring-back') now.declined.clear()
    if (now.apartWhy === null) continue
    if (answer === 'leave') stand(world, group, follower, account, now.contract, 'leave')
    else {
      now.apart = 0
      now.apartWhy = null
      now.handAt = { time: 0, id: 0 }
      now.changed = true
    }
  }
}

/** After a lock that had closed everything: what the leader holds by now is not copied, what it does next is. */
export const beginAgain = (world: World, group: Group, follower: Follower, account: Account): void => {
  const leaderContracts = leaderContractsOf(world, group)
  // What cannot be known now is asked about once it can.
  if (!isKnown(world, group, account, leaderContracts)) {
    startOver(follower)
    return
  }
  for (const contract of contractsToFollow(follower, account, leaderContracts)) stand(world, group, follower, account, contract, 'leave')
}
