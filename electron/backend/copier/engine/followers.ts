import type { WaitReason } from '#shared/api/copier.ts'
import { followerContract, isCopiedTo, type ContractMatch } from '#shared/copier/contract-match.ts'
import type { Situation, WorkingExit } from '#shared/copier/decide.ts'
import { kindOf } from '#shared/copier/exits.ts'
import { mostOf, reachOf, type MayFill, type Reach } from '#shared/copier/held.ts'
import { sidesOf, type Holding, type Sides } from '#shared/copier/hedge.ts'
import { flattens } from '#shared/copier/lock.ts'
import { shrinkApart, shrinkBase, targetOf, type TargetLeg } from '#shared/copier/target.ts'
import type { TakenFill } from '../store/rows.ts'
import { accountIn, hasUnnamed, isLiquidating, isSettled, isUp, lineOf, netOf, standOf, type Account, type Follower, type Group, type OutOrder, type Stand, type World } from './world.ts'

// Never a hedge, never above a cap: whatever opens is judged for the position after the order, with all orders under way at their worst, over
// every account that the user has connected. A reversal is a close and an open: the open part is judged, the close goes at once.

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

/** Whether a follower's contract is one that some contract of the leader leads to. */
export const isFollowed = ({ rule }: Follower, contract: string): boolean => isCopiedTo(contract, rule)

/** A follower with its group. */
export type FollowerOf = { readonly group: Group; readonly follower: Follower }

/** Of an account's followers, each of another group, the one whose contract it is: the one that holds it, else the one that copies it. */
export const ownerOf = (followers: readonly FollowerOf[], contract: string): FollowerOf | null => {
  const of = (test: (one: FollowerOf) => boolean): FollowerOf | null => followers.find(test) ?? null
  return of(({ follower }) => (follower.stands.get(contract)?.held ?? 0) !== 0) ?? of(({ follower }) => isFollowed(follower, contract)) ?? of(({ follower }) => follower.stands.has(contract))
}

/** The names of the contracts that an account's book knows, flat ones of this session among them. */
export const contractsOf = (account: Account): string[] => {
  const { byId } = account.contracts
  return account.book.contracts().flatMap((id) => byId.get(id)?.name ?? [])
}

/** The contracts of the leader that matter to a group: those that it trades, in order mode those with a working order too. */
export const leaderContractsOf = (world: World, group: Group): string[] => {
  const leader = accountIn(world, group, group.kept.leader)
  if (leader === undefined) return []
  const traded = contractsOf(leader)
  if (group.kept.mode !== 'orders') return traded
  const { byId } = leader.contracts
  return [...new Set([...traded, ...leader.book.ordered().flatMap((id) => byId.get(id)?.name ?? [])])]
}

/** What the leader of a group holds in a contract; null while that is not known for certain. */
export const leaderNet = (world: World, group: Group, contract: string): number | null => {
  const leader = accountIn(world, group, group.kept.leader)
  return leader === undefined || !isUp(world, leader) || hasUnnamed(leader) || !isSettled(leader, contract) ? null : netOf(leader, contract)
}

/** What the leader of a group holds, by each of its contracts, null where that is not certain; and the newest fill that it told of one. */
export type LeaderNets = { readonly nets: ReadonlyMap<string, number | null>; readonly newestFill: (contract: string) => TakenFill }

/** The newest fill of a contract that an account told. */
export const newestFill = (account: Account, contract: string): TakenFill => {
  const id = account.contracts.byName.get(contract)?.id
  let newest: TakenFill = { time: 0, id: 0 }
  for (const fill of account.knownFills.values()) if (fill.contractId === id && isNewer(fill, newest)) newest = { time: fill.time, id: fill.id }
  return newest
}

/** Whether the broker traded one after the other. */
export const isNewer = (fill: TakenFill, than: TakenFill): boolean => fill.time > than.time || (fill.time === than.time && fill.id > than.id)

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
  for (const [from, net] of leader.nets) {
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
  const { ratio, contractCap, invert } = follower.rule
  const { target, capped } = targetOf({ legs, ratio, contractCap, invert })
  const now = flattens(follower.lock) ? 0 : target
  const isFresh = (): boolean => [...leader.nets.keys()].some((from) => matchOf(follower, from)?.contract === contract && isNewer(leader.newestFill(from), stand.handAt))
  const apart = apartAt(stand, heldOf(follower, contract), now, isFresh)
  if (apart !== stand.apart) {
    stand.apart = apart
    stand.apartWhy = apart === 0 ? null : (stand.apartWhy ?? 'by-hand')
    changed = true
  }
  stand.capped = capped
  stand.target = now
  stand.lastTarget = now
  return changed
}

/** Lets what of the leader is not copied shrink with all that the leader came through, `nets`: where it was flat in between, all that it holds now is new. */
export const shrinkAlong = (group: Group, leaderContract: string, nets: readonly number[]): void => {
  for (const follower of group.followers.values()) {
    const base = follower.bases.get(leaderContract)
    const match = base === undefined ? null : matchOf(follower, leaderContract)
    if (base === undefined || match === null) continue
    const left = nets.reduce(shrinkBase, base)
    if (left === base) continue
    follower.bases.set(leaderContract, left)
    standOf(follower, match.contract).changed = true
  }
}

/** What the leader does not hold any more, and its session does not even list, is nothing that is not copied. */
const dropEndedBases = ({ bases, stands }: Follower, leader: LeaderNets): boolean => {
  const ended = [...bases.keys()].filter((contract) => !leader.nets.has(contract))
  for (const contract of ended) {
    bases.delete(contract)
    const stand = stands.get(contract)
    if (stand !== undefined) stand.changed = true
  }
  return ended.length > 0
}

/** What stands apart at a target; where the one before is not known, after a restart, what is `held` was what it should be. `isFresh`: the leader traded after a hand last took from it. */
const apartAt = ({ apart, apartWhy, lastTarget, handAt }: Stand, held: number, now: number, isFresh: () => boolean): number => {
  if (apart === 0 && handAt.time === 0) return 0
  const before = lastTarget ?? held - apart
  if (before === now) return apart
  const wanted = before + apart
  const grows = Math.abs(now) > Math.abs(wanted) || now * wanted < 0
  // A hand that closed after the leader had traded, whichever of the two was heard of first, closed what the leader asks for.
  if (grows && handAt.time > 0 && !isFresh()) return (wanted * now > 0 ? wanted : 0) - now
  const left = shrinkApart({ apart, before, now })
  return lastTarget === null && apartWhy === 'exit-filled' ? withinTarget(left, now) : left
}

/** What an exit left apart brings a position toward flat, never beyond. */
export const withinTarget = (apart: number, target: number): number => (Math.sign(apart) * Math.sign(target) < 0 ? Math.sign(apart) * Math.min(Math.abs(apart), Math.abs(target)) : 0)

/** An account's orders of ours in a contract that may still fill. */
export const oursIn = (account: Account, contract: string): OutOrder[] => (account.ours.size === 0 ? [] : [...account.ours.values()].filter(({ intent }) => intent.contract === contract))

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

/** What the copier holds at a follower: what its own orders made, and in a dry run what they pretend to have made besides. */
export const heldOf = (follower: Follower, contract: string): number => (follower.stands.get(contract)?.held ?? 0) + (follower.pretended.get(contract) ?? 0)

/** What the user's other groups hold of a contract in a follower's account. */
export const heldByOthers = (world: World, group: Group, { account }: Follower, contract: string): number => {
  let held = 0
  for (const { id, userId, followers } of world.groups.values()) if (id !== group.id && userId === group.userId) held += followers.get(account)?.stands.get(contract)?.held ?? 0
  return held
}

/** What of a follower's position is the copier's to protect and to close. */
export const realOf = (follower: Follower, _account: Account, contract: string): number => heldOf(follower, contract)

/** Whether every fill of a follower's contract is counted: what the copier holds and what is its user's are all that the account holds. */
export const isCounted = (account: Account, { contract, held, yours }: Stand): boolean => held + yours === netOf(account, contract)

/** Whether a fill of an account's contract waits to be counted. */
const isUncounted = (account: Account, contract: string): boolean => {
  if (account.untaken.size === 0) return false
  const id = account.contracts.byName.get(contract)?.id
  for (const { fill } of account.untaken.values()) if (fill.contractId === id) return true
  return false
}

/** Why nothing at all may be sent for a follower's contract now, or null. */
const waitOf = (world: World, follower: Follower, account: Account, stand: Stand, orders: readonly OutOrder[], now: number): WaitReason | null => {
  if (!isUp(world, account)) return 'line-down'
  if (!follower.begun) return 'reading'
  if (follower.flattening) return 'locked'
  if (isLiquidating(account, stand.contract)) return 'by-hand'
  if (orders.some(({ stage }) => stage === 'unknown')) return 'order-unknown'
  if (isUncounted(account, stand.contract) || hasUnnamed(account) || !isSettled(account, stand.contract) || !isCounted(account, stand) || orders.some(({ ended }) => ended)) return 'reading'
  if (isMissing(world, account, stand.contract)) return 'no-contract'
  if (now < stand.heldUntil && stand.pauses === 'all') return stand.heldWhy
  return null
}

/** Whether the broker was asked for a contract and knew none. */
const isMissing = (world: World, account: Account, contract: string): boolean =>
  !account.contracts.byName.has(contract) && lineOf(world, account)?.askedNames.get(contract)?.isMissing === true

/** Why a follower may not add, but for hedges, budget and room. */
export const noAddingOf = (group: Group, follower: Follower, stand: Stand, account: Account): WaitReason | null => {
  if (stand.asks) return 'asks'
  if (stand.apartWhy !== null) return stand.apartWhy
  if (follower.lock !== null || account.restricted || account.closed) return 'locked'
  if (group.state === 'paused') return 'paused'
  if (group.entries !== true && !group.kept.dryRun) return group.entries
  return null
}

/** The exits of a follower's contract as a decision sees them. */
const exitsOf = (orders: readonly OutOrder[]): WorkingExit[] =>
  orders
    .filter(({ intent, ended }) => intent.purpose === 'exit' && !ended)
    .map(({ intent, filled, asked, cancelMs, twin }) => ({ id: intent.clOrdId, side: intent.side, left: Math.max(0, asked.qty - filled), ending: cancelMs !== null, twin }))

/** How orders of ours may fill, as the worst case counts them: for what was asked, or for what the broker still has. */
const mayFillOf = (account: Account, { intent, orderId, asked, filled }: OutOrder): MayFill => ({
  side: intent.side,
  left: Math.max(0, Math.max(asked.qty, (orderId === null ? null : account.book.order(orderId)?.version)?.qty ?? 0) - filled),
  kind: intent.purpose !== 'exit' ? 'entry' : kindOf(intent.type),
})

/** How far a follower's contract may go, its user's part included, whichever of our orders there fill; a dry run by what it pretends. */
const reachIn = (follower: Follower | null, account: Account, contract: string): Reach =>
  reachOf(netOf(account, contract) + (follower?.pretended.get(contract) ?? 0), oursIn(account, contract).filter(({ intent }) => !intent.dryRun).map((order) => mayFillOf(account, order)))

/** What an account may come to hold, contract by contract. */
const holdingsIn = (account: Account): Holding[] => {
  const real = account.ours.size === 0 ? [] : [...account.ours.values()].filter(({ intent }) => !intent.dryRun)
  if (real.length === 0) return heldIn(account)
  const orders = Map.groupBy(real, ({ intent }) => intent.contract)
  const contracts = new Set([...contractsOf(account), ...orders.keys()])
  return [...contracts].map((contract) => ({ account: account.key, contract, ...reachOf(netOf(account, contract), (orders.get(contract) ?? []).map((order) => mayFillOf(account, order))) }))
}

/** What an account holds, contract by contract, whatever may still fill. */
export const heldIn = ({ key, book, contracts: { byId } }: Account): Holding[] =>
  book.open().flatMap(({ contractId, net }) => {
    const contract = byId.get(contractId)?.name
    return contract === undefined ? [] : [{ account: key, contract, low: net, high: net }]
  })

/**
 * Which sides the accounts of a user are on, or may come to be on: all that are connected, in a group or not, armed or off, with what is their
 * user's own. A dry run trades beside its followers: what they hold for real is nothing that it could hedge.
 */
export const sidesIn = (world: World, group: Group): Sides => sidesOf(accountsBeside(world, group).flatMap(holdingsIn))

/** Which sides they are on by what they hold now, whatever may still fill. */
export const sidesHeld = (world: World, group: Group): Sides =>
  sidesOf(accountsBeside(world, group).flatMap(heldIn))

const accountsBeside = (world: World, group: Group): Account[] => [...world.accounts.values()].filter(({ userId, key }) => userId === group.userId && !(group.kept.dryRun && group.followers.has(key)))

/** The accounts that a follower may stand against: itself, and where one of two trades the other side of the leader on purpose, the leader and that other follower. */
export const mayOppose = (group: Group, follower: Follower) => (account: string): boolean =>
  account === follower.account || (account === group.kept.leader ? follower.rule.invert : (group.followers.get(account)?.rule.invert ?? follower.rule.invert) !== follower.rule.invert)

/** Why nothing may be opened on one side (`sign`) of a follower's contract: its user's own contracts are on the other, or another account's. */
const opposedOf = (group: Group, follower: Follower, stand: Stand, sides: Sides, sign: number): WaitReason | null => {
  if (!group.kept.dryRun && stand.yours * sign < 0) return 'yours'
  stand.hedge = sides.against(stand.contract, sign, mayOppose(group, follower))
  return stand.hedge === null ? null : 'hedge'
}

/** For so long after its first try a line that was cut before it was up is about to be. */
const openingMs = 30_000

/** What all accounts of a user come to beside a follower. */
export type Beside = {
  /** Which sides they are on, or may come to be on. */
  readonly sides: () => Sides
  /** Whether nobody has ever told what one of them holds, though somebody is just asking. */
  readonly isUnread: () => boolean
}

/** All of a user's accounts, looked at once for all followers, and only where somebody opens. */
export const besideOf = (world: World, group: Group, now: number): Beside => {
  let sides: Sides | null = null
  let unread: boolean | null = null
  return { sides: () => (sides ??= sidesIn(world, group)), isUnread: () => (unread ??= isUnread(world, group, now)) }
}

const isUnread = (world: World, group: Group, now: number): boolean =>
  [...world.accounts.values()].some((account) => {
    if (account.userId !== group.userId || account.wasUp) return false
    const line = lineOf(world, account)
    return line?.state === 'connecting' || (line?.isCut === true && now - line.openedAt < openingMs)
  })

/** How own entries change what a decision sees: what they are ahead of the leader, signed, and what of them is on its way for what the leader filled. */
export type EntryEffect = { readonly ahead: number; readonly buying: number; readonly selling: number }
const noEntries: EntryEffect = { ahead: 0, buying: 0, selling: 0 }

/** Where a follower's contract should be with what own entries are ahead of the leader, never above its cap. */
export const targetAhead = ({ rule: { contractCap } }: Follower, target: number, ahead: number): number =>
  contractCap === null ? target + ahead : Math.max(0 - contractCap, Math.min(contractCap, target + ahead))

/** All that is needed to decide about one contract of one follower at `now`, UTC ms; `promised` contracts of others were decided on and are not sent yet. */
export const situationOf = (world: World, group: Group, follower: Follower, account: Account, contract: string, beside: Beside, now: number, promised = 0, entries: EntryEffect = noEntries): Situation => {
  const stand = standOf(follower, contract)
  const orders = oursIn(account, contract)
  const flying = inFlight(orders)
  const [buying, selling] = [flying.buying + entries.buying, flying.selling + entries.selling]
  const held = heldOf(follower, contract)
  const target = stand.target === null ? null : targetAhead(follower, stand.target, entries.ahead)
  const wanted = target === null ? null : target + stand.apart
  const projected = held + buying - selling
  const opens = wanted !== null && (Math.abs(wanted) > Math.abs(projected) || wanted * projected < 0)
  let noAdding = noAddingOf(group, follower, stand, account) ?? (now < stand.heldUntil ? stand.heldWhy : null)
  stand.hedge = null
  if (opens && noAdding === null) noAdding = opposedOf(group, follower, stand, beside.sides(), Math.sign(wanted)) ?? (!group.kept.dryRun && beside.isUnread() ? 'reading' : null)
  const most = follower.rule.maxPosition
  return {
    held: waitOf(world, follower, account, stand, orders, now),
    real: held,
    target,
    apart: stand.apart,
    buying,
    selling,
    overdue: orders.filter(({ intent, sentMs, cancelMs }) => intent.type === 'Market' && now - sentMs > overdueMs && (cancelMs === null || now - cancelMs > overdueMs)).map(({ intent }) => intent.clOrdId),
    exits: exitsOf(orders),
    twinMayFill: now < stand.twinUntil,
    noAdding,
    // A reversal closes first: its user's own contracts on the new side stand beside what it opens.
    room: most === null || !opens ? Number.MAX_SAFE_INTEGER : roomIn(follower, account, contract, Math.sign(wanted), most - promised, wanted * projected < 0 ? Math.abs(projected) : 0),
    roomWhy: 'max-position',
  }
}

/** Contracts, of so many that are `wanted`, for which a further entry may work on one side of a follower's contract: within the cap, and against nobody, even if all orders fill. */
export const entryRoom = (group: Group, follower: Follower, account: Account, contract: string, side: 'buy' | 'sell', wanted: number, beside: Beside, promised: number, now: number): number => {
  const stand = standOf(follower, contract)
  const sign = side === 'buy' ? 1 : -1
  if (now < stand.heldUntil || isUncounted(account, contract) || !isCounted(account, stand)) return 0
  const why = opposedOf(group, follower, stand, beside.sides(), sign) ?? (!group.kept.dryRun && beside.isUnread() ? 'reading' : null)
  if (why !== null) {
    stand.why ??= why
    return 0
  }
  const most = follower.rule.maxPosition
  const room = most === null ? wanted : roomIn(follower, account, contract, sign, most - promised)
  if (room < wanted) stand.why ??= 'max-position'
  return Math.min(wanted, room)
}

/** Contracts of own entries on one side of a follower's contract that are too many by now: their user or another account came to the other side, or the cap has no room left for them. */
export const entryExcess = (group: Group, follower: Follower, account: Account, contract: string, side: 'buy' | 'sell', held: () => Sides): number => {
  const stand = standOf(follower, contract)
  if (isUncounted(account, contract) || !isCounted(account, stand)) return 0
  const sign = side === 'buy' ? 1 : -1
  const why = opposedOf(group, follower, stand, held(), sign)
  if (why !== null) {
    stand.why ??= why
    return Number.MAX_SAFE_INTEGER
  }
  const most = follower.rule.maxPosition
  if (most === null) return 0
  const { low, high } = askedReachIn(follower, account, contract)
  const others = [...new Set([...contractsOf(account), ...follower.stands.keys()])].filter((other) => other !== contract)
  const excess = others.reduce((sum, other) => sum + mostOf(askedReachIn(follower, account, other)), Math.max(0, sign > 0 ? high : 0 - low)) - most
  if (excess > 0) stand.why ??= 'max-position'
  return Math.max(0, excess)
}

/** How far a contract may go by what is asked for now: what is being changed or cancelled counts as done. */
const askedReachIn = (follower: Follower, account: Account, contract: string): Reach =>
  reachOf(netOf(account, contract) + (follower.pretended.get(contract) ?? 0), oursIn(account, contract).filter(({ intent, cancelMs }) => !intent.dryRun && cancelMs === null).map((order) => ({ ...mayFillOf(account, order), left: Math.max(0, order.asked.qty - order.filled) })))

/** The contracts that may be opened on one side of a contract, once so many on the other are closed, so that all contracts of the account together never exceed `most`, whichever orders under way fill. */
const roomIn = (follower: Follower, account: Account, contract: string, sign: number, most: number, closes = 0): number => {
  let left = most
  for (const other of new Set([...contractsOf(account), ...follower.stands.keys()])) if (other !== contract) left -= mostOf(reachIn(follower, account, other))
  const { low, high } = reachIn(follower, account, contract)
  return Math.max(0, left - Math.max(0, (sign > 0 ? high : 0 - low) + closes))
}

/** Whether an account's line stands at all. */
export const lineStateOf = (world: World, account: Account | undefined): 'up' | 'connecting' | 'down' => (account === undefined ? 'down' : (lineOf(world, account)?.state ?? 'down'))
