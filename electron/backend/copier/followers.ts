import type { WaitReason } from '#shared/api/copier.ts'
import { followerContract, type ContractMatch } from '#shared/copier/contract-match.ts'
import type { Situation, WorkingExit } from '#shared/copier/decide.ts'
import { hedgeOf, type Holding } from '#shared/copier/hedge.ts'
import { flattens } from '#shared/copier/lock.ts'
import { shrinkApart, shrinkBase, targetOf, type TargetLeg } from '#shared/copier/target.ts'
import { accountIn, hasUnnamed, isLiquidating, isSettled, isUp, lineOf, netOf, standOf, type Account, type Follower, type Group, type OutOrder, type Stand, type World } from './world.ts'

/** A market order fills in milliseconds; one that is older stands in the way. */
const overdueMs = 5_000

/** The contract that follows one of the leader's at a follower, remembered. */
export const matchOf = (follower: Follower, leaderContract: string): ContractMatch | null => {
  const known = follower.matches.get(leaderContract)
  if (known !== undefined) return known
  const match = followerContract(leaderContract, follower.rule)
  follower.matches.set(leaderContract, match)
  return match
}

/** The names of the contracts that an account's book knows, flat ones of this session among them. */
export const contractsOf = (account: Account): string[] => {
  const { byId } = account.contracts
  return account.book.contracts().flatMap((id) => byId.get(id)?.name ?? [])
}

/** What the leader of a group holds in a contract; null while that is not known for certain. */
export const leaderNet = (world: World, group: Group, contract: string): number | null => {
  const leader = accountIn(world, group, group.kept.leader)
  return leader === undefined || !isUp(world, leader) || hasUnnamed(leader) || !isSettled(leader, contract) ? null : netOf(leader, contract)
}

/** What the leader of a group holds, by each of its contracts; null where that is not certain. */
export type LeaderNets = ReadonlyMap<string, number | null>

/**
 * Reckons a follower's target in a contract anew: what stands apart, and what of the leader is not copied, shrink as the leader comes to meet
 * them. True where the stance changed and is to be kept.
 */
export const reckon = (follower: Follower, leader: LeaderNets | null, contract: string): boolean => {
  const stand = standOf(follower, contract)
  if (leader === null) {
    // A lock that closes needs no leader.
    stand.target = flattens(follower.lock) ? 0 : null
    return false
  }
  const legs: TargetLeg[] = []
  let changed = dropEndedBases(follower, leader)
  let known = true
  for (const [from, net] of leader) {
    const match = matchOf(follower, from)
    if (match?.contract !== contract) continue
    if (net === null) {
      known = false
      continue
    }
    const base = follower.bases.get(from) ?? 0
    const left = shrinkBase(base, net)
    if (left !== base) {
      follower.bases.set(from, left)
      changed = true
    }
    legs.push({ leader: net, base: left, factor: match.factor })
  }
  if (!known) {
    stand.target = null
    return changed
  }
  const { ratio, contractCap } = follower.rule
  const { target, capped } = targetOf({ legs, own: stand.own, ratio, contractCap })
  const now = flattens(follower.lock) ? 0 : target
  const apart = apartAt(stand, now)
  if (apart !== stand.apart) {
    stand.apart = apart
    if (apart === 0) stand.apartWhy = null
    changed = true
  }
  stand.capped = capped
  stand.target = now
  stand.lastTarget = now
  return changed
}

/** What the leader does not hold any more, and its session does not even list, is nothing that is not copied. */
const dropEndedBases = ({ bases, stands }: Follower, leader: LeaderNets): boolean => {
  const ended = [...bases.keys()].filter((contract) => !leader.has(contract))
  for (const contract of ended) {
    bases.delete(contract)
    const stand = stands.get(contract)
    if (stand !== undefined) stand.changed = true
  }
  return ended.length > 0
}

/** What stands apart at a target; where the one before is not known, after a restart, an exit's share ends with what it was part of. */
const apartAt = ({ apart, apartWhy, lastTarget }: Stand, now: number): number => {
  if (apart === 0) return 0
  if (lastTarget !== null) return shrinkApart({ apart, before: lastTarget, now })
  return apartWhy === 'exit-filled' ? withinTarget(apart, now) : apart
}

/** What an exit left apart brings a position toward flat, never beyond. */
export const withinTarget = (apart: number, target: number): number => (Math.sign(apart) * Math.sign(target) < 0 ? Math.sign(apart) * Math.min(Math.abs(apart), Math.abs(target)) : 0)

/** An account's orders of ours in a contract that may still fill. */
export const oursIn = (account: Account, contract: string): OutOrder[] => [...account.ours.values()].filter(({ intent }) => intent.contract === contract)

/** Exits of a group that still work in accounts that do not follow it: the group or the follower is off, or the account left the group. */
export const leftExits = (world: World, group: Group): { readonly account: Account; readonly order: OutOrder }[] =>
  [...world.accounts.values()]
    .filter(({ userId, key }) => userId === group.userId && (group.state === 'off' || group.followers.get(key)?.rule.on !== true))
    .flatMap((account) => [...account.ours.values()].filter(({ intent }) => intent.groupId === group.id && intent.purpose === 'exit' && !intent.dryRun).map((order) => ({ account, order })))

/** Contracts of our market orders under way, signed. */
export const inFlight = (orders: readonly OutOrder[]): { readonly buying: number; readonly selling: number } => {
  let buying = 0
  let selling = 0
  for (const { intent, filled } of orders) {
    if (intent.type !== 'Market' || intent.dryRun) continue
    if (intent.side === 'buy') buying += intent.qty - filled
    else selling += intent.qty - filled
  }
  return { buying, selling }
}

/** What a follower holds: by its fills, and in a dry run what it pretends to have traded besides. */
export const realOf = (follower: Follower, account: Account, contract: string): number => netOf(account, contract) + (follower.pretended.get(contract) ?? 0)

/** Why nothing at all may be sent for a follower's contract now, or null. */
const heldOf = (world: World, follower: Follower, account: Account, stand: Stand, orders: readonly OutOrder[], now: number): WaitReason | null => {
  if (!isUp(world, account)) return 'line-down'
  if (!follower.begun) return 'reading'
  if (stand.asks) return 'asks'
  if (follower.flattening) return 'locked'
  if (isLiquidating(account, stand.contract)) return 'by-hand'
  if (orders.some(({ stage }) => stage === 'unknown')) return 'order-unknown'
  if (account.nameless.size > 0 || hasUnnamed(account) || !isSettled(account, stand.contract) || orders.some(({ ended }) => ended)) return 'reading'
  if (isMissing(world, account, stand.contract)) return 'no-contract'
  if (now < stand.heldUntil && stand.held === 'all') return stand.heldWhy
  return null
}

/** Whether the broker was asked for a contract and knew none. */
const isMissing = (world: World, account: Account, contract: string): boolean =>
  !account.contracts.byName.has(contract) && lineOf(world, account)?.askedNames.get(contract)?.isMissing === true

/** Why a follower may not add, but for hedges, budget and room. */
export const noAddingOf = (group: Group, follower: Follower, stand: Stand, account: Account): WaitReason | null => {
  if (stand.apartWhy !== null) return stand.apartWhy
  if (follower.lock !== null || account.restricted || account.closed) return 'locked'
  if (group.state === 'paused') return 'paused'
  if (group.entries !== true && !group.kept.dryRun) return group.entries
  return null
}

/** The exits of a follower's contract as a decision sees them. */
const exitsOf = (orders: readonly OutOrder[]): WorkingExit[] =>
  orders
    .filter(({ intent }) => intent.type !== 'Market')
    .map(({ intent, filled, asked, cancelMs }) => ({ id: intent.clOrdId, side: intent.side, left: Math.max(0, asked.qty - filled), kind: intent.type === 'Limit' ? 'limit' : 'stop', ending: cancelMs !== null }))

const nobody: ReadonlySet<string> = new Set()

/** What a user's accounts hold outside a group's followers, orders under way included: an order against one of these would make a hedge. */
export const holdingsBeside = (world: World, group: Group): Holding[] =>
  [...world.accounts.values()]
    .filter(({ userId, key }) => userId === group.userId && !group.followers.has(key))
    .flatMap((account) =>
      contractsOf(account).map((contract) => {
        const { buying, selling } = inFlight(oursIn(account, contract))
        return { account: account.key, contract, net: netOf(account, contract) + buying - selling }
      }),
    )
    .filter(({ net }) => net !== 0)

/** All that is needed to decide about one contract of one follower at `now`, UTC ms; `promised` contracts of others were decided on and are not sent yet. */
export const situationOf = (world: World, group: Group, follower: Follower, account: Account, contract: string, holdings: readonly Holding[], now: number, promised = 0): Situation => {
  const stand = standOf(follower, contract)
  const orders = oursIn(account, contract)
  const { buying, selling } = inFlight(orders)
  const real = realOf(follower, account, contract)
  const wanted = stand.target === null ? null : stand.target + stand.apart
  let noAdding = noAddingOf(group, follower, stand, account) ?? (now < stand.heldUntil ? stand.heldWhy : null)
  if (noAdding === null && wanted !== null && Math.abs(wanted) > Math.abs(real + buying - selling)) {
    if (hedgeOf({ account: account.key, contract, after: wanted }, holdings, nobody) !== null) noAdding = 'hedge'
  }
  const most = follower.rule.maxPosition
  return {
    held: heldOf(world, follower, account, stand, orders, now),
    real,
    target: stand.target,
    apart: stand.apart,
    buying,
    selling,
    overdue: orders.filter(({ intent, sentMs, cancelMs }) => intent.type === 'Market' && now - sentMs > overdueMs && (cancelMs === null || now - cancelMs > overdueMs)).map(({ intent }) => intent.clOrdId),
    exits: exitsOf(orders),
    twinMayFill: now < stand.twinUntil,
    noAdding,
    room: most === null ? Number.MAX_SAFE_INTEGER : Math.max(0, most - heldInAll(follower, account) - promised),
    roomWhy: 'max-position',
  }
}

/** Contracts that an account holds or has under way, over all contracts together. */
const heldInAll = (follower: Follower, account: Account): number => {
  const contracts = new Set([...contractsOf(account), ...follower.stands.keys()])
  let sum = 0
  for (const contract of contracts) {
    const { buying, selling } = inFlight(oursIn(account, contract))
    sum += Math.abs(realOf(follower, account, contract) + buying - selling)
  }
  return sum
}

/** Whether an account's line stands at all. */
export const lineStateOf = (world: World, account: Account | undefined): 'up' | 'connecting' | 'down' => (account === undefined ? 'down' : (lineOf(world, account)?.state ?? 'down'))
