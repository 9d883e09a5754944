import type { WaitReason } from '#shared/api/copier.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { followerContract, isCopiedTo, type ContractMatch } from '#shared/copier/contract-match.ts'
import type { Situation, WorkingExit } from '#shared/copier/decide.ts'
import { kindOf } from '#shared/copier/exits.ts'
import { mostOf, reachOf, type MayFill, type Reach } from '#shared/copier/held.ts'
import { sidesOf, type Holding, type Sides } from '#shared/copier/hedge.ts'
import { flattens } from '#shared/copier/lock.ts'
import { shrinkApart, shrinkBase, targetOf, type TargetLeg } from '#shared/copier/target.ts'
import type { CountedFill } from '../store/rows.ts'
import { accountIn, hasUnnamed, isLiquidating, isSettled, isUp, lineOf, netOf, noFill, contractStateOf, type Account, type Follower, type Group, type CopierOrder, type ContractState, type World } from './world.ts'

// Never a hedge, never above a cap: an opening order is judged by the position after it, with all pending orders at their worst, over
// every connected account of the user. A reversal is a close and an open: the open is judged, the close goes at once.

/** A market order fills in milliseconds; an older one is overdue. */
const overdueMs = 5_000

/** A follower's contract for one of the leader's, cached. */
export const matchOf = ({ matches, rule }: Follower, leaderContract: string): ContractMatch | null =>
  getOrInsert(matches, leaderContract, () => followerContract(leaderContract, rule))

/** Whether any leader contract maps to this contract of the follower. */
export const isFollowed = ({ rule }: Follower, contract: string): boolean => isCopiedTo(contract, rule)

/** A follower with its group. */
export type FollowerOf = { readonly group: Group; readonly follower: Follower }

/** Of an account's followers in different groups, the contract's owner: the one that holds it, otherwise the one that copies it. */
export const ownerOf = (followers: readonly FollowerOf[], contract: string): FollowerOf | null =>
  followers.find(({ follower }) => (follower.states.get(contract)?.held ?? 0) !== 0) ??
  followers.find(({ follower }) => isFollowed(follower, contract)) ??
  followers.find(({ follower }) => follower.states.has(contract)) ??
  null

/** The contracts in an account's book, including this session's flat ones. */
export const contractsOf = (account: Account): string[] => {
  const { byId } = account.contracts
  return account.book.contracts().flatMap((id) => byId.get(id)?.name ?? [])
}

/** The leader's contracts that matter to a group: traded ones, in order mode also those with a working order. */
export const leaderContractsOf = (world: World, group: Group): string[] => {
  const leader = accountIn(world, group, group.settings.leader)
  if (leader === undefined) return []
  const traded = contractsOf(leader)
  if (group.settings.mode !== 'orders') return traded
  const { byId } = leader.contracts
  return [...new Set([...traded, ...leader.book.ordered().flatMap((id) => byId.get(id)?.name ?? [])])]
}

/** The leader's net position in a contract; null while uncertain. */
export const leaderNet = (world: World, group: Group, contract: string): number | null => {
  const leader = accountIn(world, group, group.settings.leader)
  return leader === undefined || !isUp(world, leader) || hasUnnamed(leader) || !isSettled(leader, contract) ? null : netOf(leader, contract)
}

/** The leader's positions, for all followers of a group. */
export type LeaderNets = {
  /** By contract, null while uncertain. */
  readonly nets: ReadonlyMap<string, number | null>
  readonly newestFill: (contract: string) => CountedFill
  /** Counts the leader's fills against own entries and returns how far those are ahead of it now, signed; `target` is the follower's without them. */
  readonly countAhead: (follower: Follower, contract: string, target: number) => number
}

/** An account's newest fill in a contract. */
export const newestFill = (account: Account, contract: string): CountedFill => {
  const id = account.contracts.byName.get(contract)?.id
  let newest = noFill
  for (const fill of account.knownFills.values()) if (fill.contractId === id && isNewer(fill, newest)) newest = { time: fill.time, id: fill.id }
  return newest
}

/** Whether one fill traded after another. */
export const isNewer = (fill: CountedFill, than: CountedFill): boolean => fill.time > than.time || (fill.time === than.time && fill.id > than.id)

/**
 * Recomputes a follower's target in a contract: the deviation and the uncopied part of the leader's position shrink as the leader approaches them.
 * True if the stance changed and must be saved.
 */
export const recomputeTarget = (follower: Follower, leader: LeaderNets | null, contract: string): boolean => {
  const state = contractStateOf(follower, contract)
  if (leader === null) {
    // A flattening lock needs no leader.
    if (flattens(follower.lock)) Object.assign(state, { target: 0, ahead: 0 })
    else state.target = null
    return false
  }
  const legs: TargetLeg[] = []
  let changed = clearEndedBases(follower, leader)
  let isLeaderKnown = true
  for (const [from, net] of leader.nets) {
    const match = matchOf(follower, from)
    if (match?.contract !== contract) continue
    if (net === null) {
      isLeaderKnown = false
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
  if (!isLeaderKnown) {
    state.target = null
    return changed
  }
  const { ratio, contractCap, invert } = follower.rule
  const led = targetOf({ legs, ratio, contractCap, invert })
  const leaderTarget = flattens(follower.lock) ? 0 : led.target
  const target = targetAhead(follower, leaderTarget, leader.countAhead(follower, contract, leaderTarget))
  const isFresh = (): boolean => [...leader.nets.keys()].some((from) => matchOf(follower, from)?.contract === contract && isNewer(leader.newestFill(from), state.lastManualClose))
  const apart = apartAt(state, heldOf(follower, contract), target, leaderTarget, isFresh)
  if (apart !== state.apart) {
    state.apart = apart
    state.apartWhy = apart === 0 ? null : (state.apartWhy ?? 'by-hand')
    changed = true
  }
  state.capped = led.capped
  state.ahead = target - leaderTarget
  state.target = target
  state.lastTarget = target
  return changed
}

/** Shrinks the uncopied part along the leader's path of positions, `nets`: if it was flat in between, all of its position is new. */
export const shrinkAlong = (group: Group, leaderContract: string, nets: readonly number[]): void => {
  for (const follower of group.followers.values()) {
    const base = follower.bases.get(leaderContract)
    const match = base === undefined ? null : matchOf(follower, leaderContract)
    if (base === undefined || match === null) continue
    const left = nets.reduce(shrinkBase, base)
    if (left === base) continue
    follower.bases.set(leaderContract, left)
    contractStateOf(follower, match.contract).changed = true
  }
}

/** Clears the uncopied part of contracts that the leader no longer holds or lists. */
const clearEndedBases = ({ bases, states }: Follower, leader: LeaderNets): boolean => {
  const ended = [...bases.keys()].filter((contract) => !leader.nets.has(contract))
  for (const contract of ended) {
    bases.delete(contract)
    const state = states.get(contract)
    if (state !== undefined) state.changed = true
  }
  return ended.length > 0
}

/**
 * The deviation at a target, of which `leaderTarget` is the leader's position without own entries. If the previous target is unknown, after a restart,
 * `held` counts as in sync. `isFresh`: the leader traded after the last manual close.
 */
const apartAt = ({ apart, apartWhy, lastTarget, lastManualClose }: ContractState, held: number, target: number, leaderTarget: number, isFresh: () => boolean): number => {
  if (apart === 0 && lastManualClose.time === 0) return 0
  const before = lastTarget ?? held - apart
  if (before === target) return apart
  const wanted = before + apart
  const grows = Math.abs(leaderTarget) > Math.abs(wanted) || leaderTarget * wanted < 0
  // A manual close after the leader's trade, whichever arrived first, closed what the leader asks for.
  if (grows && lastManualClose.time > 0 && !isFresh()) return (wanted * target > 0 ? wanted : 0) - target
  const left = shrinkApart({ apart, before, now: target })
  return lastTarget === null && apartWhy === 'exit-filled' ? withinTarget(left, target) : left
}

/** Limits an exit's deviation: it moves the position toward flat, never beyond. */
export const withinTarget = (apart: number, target: number): number => (Math.sign(apart) * Math.sign(target) < 0 ? Math.sign(apart) * Math.min(Math.abs(apart), Math.abs(target)) : 0)

/** The market orders that take too long to fill; each cancel gives them as long again. */
const overdueOf = (orders: readonly CopierOrder[], now: number): string[] =>
  orders.filter(({ intent, sentMs, cancelMs }) => intent.type === 'Market' && now - sentMs > overdueMs && (cancelMs === null || now - cancelMs > overdueMs)).map(({ intent }) => intent.clOrdId)

/** Copier orders of an account in a contract that may still fill. */
export const oursIn = (account: Account, contract: string): CopierOrder[] => (account.ours.size === 0 ? [] : [...account.ours.values()].filter(({ intent }) => intent.contract === contract))

/** Contracts of pending market orders by side. */
export const inFlight = (orders: readonly CopierOrder[]): { readonly buying: number; readonly selling: number } => {
  let buying = 0
  let selling = 0
  for (const { intent, filled } of orders) {
    if (intent.type !== 'Market' || intent.dryRun) continue
    if (intent.side === 'buy') buying += intent.qty - filled
    else selling += intent.qty - filled
  }
  return { buying, selling }
}

/** The copier's position at a follower, which it protects and closes: from its own orders, in a dry run the simulated ones. */
export const heldOf = (follower: Follower, contract: string): number => (follower.states.get(contract)?.held ?? 0) + (follower.simulated.get(contract) ?? 0)

/** The position of the user's other groups in a contract of the follower's account. */
export const heldByOthers = (world: World, group: Group, { account }: Follower, contract: string): number => {
  let held = 0
  for (const { id, userId, followers } of world.groups.values()) if (id !== group.id && userId === group.userId) held += followers.get(account)?.states.get(contract)?.held ?? 0
  return held
}

/** Whether every fill of a follower's contract is counted: the copier's and the user's parts add up to the account's net. */
export const isCounted = (account: Account, { contract, held, yours }: ContractState): boolean => held + yours === netOf(account, contract)

/** Whether a fill of the contract is not counted yet. */
const isUncounted = (account: Account, contract: string): boolean => {
  if (account.uncounted.size === 0) return false
  const id = account.contracts.byName.get(contract)?.id
  for (const { fill } of account.uncounted.values()) if (fill.contractId === id) return true
  return false
}

/** Why nothing may be sent for a follower's contract now, or null. */
const waitOf = (world: World, follower: Follower, account: Account, state: ContractState, orders: readonly CopierOrder[], now: number): WaitReason | null => {
  if (!isUp(world, account)) return account.recovered ? 'line-down' : 'reading'
  if (!follower.begun) return 'reading'
  if (follower.flattening) return 'locked'
  if (isLiquidating(account, state.contract)) return 'by-hand'
  if (orders.some(({ stage }) => stage === 'unknown')) return 'order-unknown'
  if (isUncounted(account, state.contract) || hasUnnamed(account) || !isSettled(account, state.contract) || !isCounted(account, state) || orders.some(({ ended }) => ended)) return 'reading'
  if (isMissing(world, account, state.contract)) return 'no-contract'
  if (now < state.heldUntil && state.pauses === 'all') return state.heldWhy
  return null
}

/** Whether the broker does not know the contract. */
export const isMissing = (world: World, account: Account, contract: string): boolean =>
  !account.contracts.byName.has(contract) && lineOf(world, account)?.askedNames.get(contract)?.isMissing === true

/** Why a follower may not add, not considering hedges, budget, and room; null if it may. */
export const noAddingOf = (group: Group, follower: Follower, state: ContractState, account: Account): WaitReason | null => {
  if (state.needsDecision) return 'asks'
  if (state.apartWhy !== null) return state.apartWhy
  if (follower.lock !== null || account.restricted || account.closed) return 'locked'
  if (group.state === 'paused') return 'paused'
  if (group.entries !== true && !group.settings.dryRun) return group.entries
  return null
}

/** The exits of a follower's contract, for a decision. */
const exitsOf = (orders: readonly CopierOrder[]): WorkingExit[] =>
  orders
    .filter(({ intent, ended }) => intent.purpose === 'exit' && !ended)
    .map(({ intent, filled, asked, cancelMs, twin }) => ({ id: intent.clOrdId, side: intent.side, left: Math.max(0, asked.qty - filled), ending: cancelMs !== null, twin }))

/** How a copier order may fill in the worst case: the requested or the broker's quantity. */
const mayFillOf = (account: Account, { intent, orderId, asked, filled }: CopierOrder): MayFill => ({
  side: intent.side,
  left: Math.max(0, Math.max(asked.qty, (orderId === null ? null : account.book.order(orderId)?.version)?.qty ?? 0) - filled),
  kind: intent.purpose !== 'exit' ? 'entry' : kindOf(intent.type),
})

/** The lowest and highest position that a follower's contract may reach, the user's part included, whichever copier orders fill; in a dry run, with its simulated position. */
const reachIn = (follower: Follower | null, account: Account, contract: string): Reach =>
  reachOf(netOf(account, contract) + (follower?.simulated.get(contract) ?? 0), oursIn(account, contract).filter(({ intent }) => !intent.dryRun).map((order) => mayFillOf(account, order)))

/** An account's reach by contract. */
const holdingsIn = (account: Account): Holding[] => {
  const actual = account.ours.size === 0 ? [] : [...account.ours.values()].filter(({ intent }) => !intent.dryRun)
  if (actual.length === 0) return heldIn(account)
  const orders = Map.groupBy(actual, ({ intent }) => intent.contract)
  const contracts = new Set([...contractsOf(account), ...orders.keys()])
  return [...contracts].map((contract) => ({ account: account.key, contract, ...reachOf(netOf(account, contract), (orders.get(contract) ?? []).map((order) => mayFillOf(account, order))) }))
}

/** An account's position by contract, ignoring pending orders. */
export const heldIn = ({ key, book, contracts: { byId } }: Account): Holding[] =>
  book.open().flatMap(({ contractId, net }) => {
    const contract = byId.get(contractId)?.name
    return contract === undefined ? [] : [{ account: key, contract, low: net, high: net }]
  })

/**
 * The sides that a user's accounts are or may get on: all connected accounts, in a group or not, armed or off, with the user's own positions. A dry
 * run ignores its followers' live positions: it cannot hedge them.
 */
const sidesIn = (world: World, group: Group): Sides => sidesOf(accountsBeside(world, group).flatMap(holdingsIn))

/** The sides by current positions, ignoring pending orders. */
export const sidesHeld = (world: World, group: Group): Sides => sidesOf(accountsBeside(world, group).flatMap(heldIn))

const accountsBeside = (world: World, group: Group): Account[] => [...world.accounts.values()].filter(({ userId, key }) => userId === group.userId && !(group.settings.dryRun && group.followers.has(key)))

/** The accounts that a follower may be opposite to without counting as a hedge: itself and, if exactly one of the two is inverted, the leader and other followers. */
export const mayOppose = (group: Group, follower: Follower) => (account: string): boolean =>
  account === follower.account || (account === group.settings.leader ? follower.rule.invert : (group.followers.get(account)?.rule.invert ?? follower.rule.invert) !== follower.rule.invert)

/** Why nothing may open on one side (`sign`) of a follower's contract: the user's own contracts or another account are on the other. */
const opposedOf = (group: Group, follower: Follower, state: ContractState, sides: Sides, sign: number): WaitReason | null => {
  if (!group.settings.dryRun && state.yours * sign < 0) return 'yours'
  state.hedge = sides.against(state.contract, sign, mayOppose(group, follower))
  return state.hedge === null ? null : 'hedge'
}

/** How long after its first try a line counts as coming up, even if cut before. */
const openingMs = 30_000

/** The state of the user's other accounts. */
export type OtherAccounts = {
  /** The sides that they are or may get on. */
  readonly sides: () => Sides
  /** Whether one of them is still unread while its first read is under way. */
  readonly isUnread: () => boolean
}

/** Computed lazily, once for all followers, only when something opens. */
export const otherAccountsOf = (world: World, group: Group, now: number): OtherAccounts => {
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

/** Why nothing may open on one side (`sign`) of a follower's contract, with the user's other accounts; null if it may. */
const noOpeningOf = (group: Group, follower: Follower, state: ContractState, others: OtherAccounts, sign: number): WaitReason | null =>
  opposedOf(group, follower, state, others.sides(), sign) ?? (!group.settings.dryRun && others.isUnread() ? 'reading' : null)

/** Contracts of own entries that are pending for the leader's fills. */
export type EntryEffect = { readonly buying: number; readonly selling: number }

/** The target including own entries ahead of the leader, never above the cap. */
const targetAhead = ({ rule: { contractCap } }: Follower, target: number, ahead: number): number =>
  contractCap === null ? target + ahead : Math.max(0 - contractCap, Math.min(contractCap, target + ahead))

/** One contract of one follower at `now`, UTC ms. `promised`: the quantity decided for its other contracts but not sent yet. */
type FollowedContract = {
  readonly world: World
  readonly group: Group
  readonly follower: Follower
  readonly account: Account
  readonly contract: string
  readonly others: OtherAccounts
  readonly now: number
  readonly promised: number
  readonly entries: EntryEffect
}

/** The inputs to decide about one contract of one follower. Sets the state's `hedge`. */
export const situationOf = ({ world, group, follower, account, contract, others, now, promised, entries }: FollowedContract): Situation => {
  const state = contractStateOf(follower, contract)
  const orders = oursIn(account, contract)
  const flying = inFlight(orders)
  const buying = flying.buying + entries.buying
  const selling = flying.selling + entries.selling
  const held = heldOf(follower, contract)
  const { target } = state
  const wanted = target === null ? null : target + state.apart
  const projected = held + buying - selling
  const opens = wanted !== null && (Math.abs(wanted) > Math.abs(projected) || wanted * projected < 0)
  state.hedge = null
  const most = follower.rule.maxPosition
  return {
    held: waitOf(world, follower, account, state, orders, now),
    actual: held,
    target,
    apart: state.apart,
    buying,
    selling,
    overdue: overdueOf(orders, now),
    exits: exitsOf(orders),
    twinMayFill: now < state.twinUntil,
    noAdding: noAddingOf(group, follower, state, account) ?? (now < state.heldUntil ? state.heldWhy : null) ?? (opens ? noOpeningOf(group, follower, state, others, Math.sign(wanted)) : null),
    // A reversal closes first: the user's own contracts on the new side add to what it opens.
    room: most === null || !opens ? Number.MAX_SAFE_INTEGER : roomIn(follower, account, contract, Math.sign(wanted), most - promised, wanted * projected < 0 ? Math.abs(projected) : 0),
    roomWhy: 'max-position',
  }
}

/** How many of the `wanted` contracts another entry may work on one side: within the cap and without a hedge, even if all orders fill. */
export const entryRoom = (group: Group, follower: Follower, account: Account, contract: string, side: 'buy' | 'sell', wanted: number, others: OtherAccounts, promised: number, now: number): number => {
  const state = contractStateOf(follower, contract)
  const sign = side === 'buy' ? 1 : -1
  if (now < state.heldUntil || isUncounted(account, contract) || !isCounted(account, state)) return 0
  const why = noOpeningOf(group, follower, state, others, sign)
  if (why !== null) {
    state.why ??= why
    return 0
  }
  const most = follower.rule.maxPosition
  const room = most === null ? wanted : roomIn(follower, account, contract, sign, most - promised)
  if (room < wanted) state.why ??= 'max-position'
  return Math.min(wanted, room)
}

/** Excess contracts of own entries on one side: the user or another account moved to the other side, or the cap has no room. */
export const entryExcess = (group: Group, follower: Follower, account: Account, contract: string, side: 'buy' | 'sell', held: () => Sides): number => {
  const state = contractStateOf(follower, contract)
  if (isUncounted(account, contract) || !isCounted(account, state)) return 0
  const sign = side === 'buy' ? 1 : -1
  const why = opposedOf(group, follower, state, held(), sign)
  if (why !== null) {
    state.why ??= why
    return Number.MAX_SAFE_INTEGER
  }
  const most = follower.rule.maxPosition
  if (most === null) return 0
  const { low, high } = askedReachIn(follower, account, contract)
  const others = [...new Set([...contractsOf(account), ...follower.states.keys()])].filter((other) => other !== contract)
  const excess = others.reduce((sum, other) => sum + mostOf(askedReachIn(follower, account, other)), Math.max(0, sign > 0 ? high : 0 - low)) - most
  if (excess > 0) state.why ??= 'max-position'
  return Math.max(0, excess)
}

/** As `reachIn`, with pending modifies and cancels counted as done. */
const askedReachIn = (follower: Follower, account: Account, contract: string): Reach =>
  reachOf(netOf(account, contract) + (follower.simulated.get(contract) ?? 0), oursIn(account, contract).filter(({ intent, cancelMs }) => !intent.dryRun && cancelMs === null).map((order) => ({ ...mayFillOf(account, order), left: Math.max(0, order.asked.qty - order.filled) })))

/** Contracts that may open on one side after `closes` contracts closed on the other, so that the account never exceeds `most` in total, whichever pending orders fill. */
const roomIn = (follower: Follower, account: Account, contract: string, sign: number, most: number, closes = 0): number => {
  let left = most
  for (const other of new Set([...contractsOf(account), ...follower.states.keys()])) if (other !== contract) left -= mostOf(reachIn(follower, account, other))
  const { low, high } = reachIn(follower, account, contract)
  return Math.max(0, left - Math.max(0, (sign > 0 ? high : 0 - low) + closes))
}

/** The state of an account's line. */
export const lineStateOf = (world: World, account: Account | undefined): 'up' | 'connecting' | 'down' => (account === undefined ? 'down' : (lineOf(world, account)?.state ?? 'down'))
