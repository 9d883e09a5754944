import type { CopyGroup, FollowerRule } from '#shared/api/copier.ts'
import type { PastFill } from '#shared/copier/book.ts'
import { isEnded } from '#shared/copier/facts.ts'
import type { CopierStore } from '../store/copier-store.ts'
import type { LeaderOrder, SavedFill, SavedFollower, SavedGroup, SavedLeader, SavedStance } from '../store/rows.ts'
import { accountIn, contractStateOf, isUp, noFill, type Account, type Follower, type Group, type StoredFills, type World } from './world.ts'

/** How long a flat contract's last counted fill is remembered: earlier fills, listed all session, must not count again. */
const countedMs = 7 * 86_400_000

/** How long a request of an ended program may still arrive, milliseconds. */
const lateRequestMs = 10_000

// The day of a follower that has not started yet.
const notBegun = '-'

/** A follower's stored row. */
export const followerRow = ({ groupId, account, lock, rejects, day, begun, needsDecisionNext, closings }: Follower): SavedFollower => ({
  groupId, account, lock, rejects, day: begun ? day : notBegun + day, needsDecisionNext: needsDecisionNext || closings > 0, closing: closings > 0,
})

const newFollower = (groupId: string, rule: FollowerRule): Follower => ({
  groupId,
  account: rule.account,
  rule,
  begun: false,
  lock: null,
  rejects: 0,
  day: '',
  states: new Map(),
  bases: new Map(),
  matches: new Map(),
  simulated: new Map(),
  needsDecisionNext: false,
  closings: 0,
  flattening: false,
  elsewhere: false,
  unlocks: 0,
  latencyMs: null,
  changed: false,
})

/** Restores a group from the store at `now` (UTC ms), with its followers' saved state. */
export const groupFrom = (store: CopierStore, { userId, state, ...settings }: SavedGroup, now: number): Group => {
  const group: Group = { id: settings.id, userId, settings, state, changed: false, entries: 'no-lease', followers: new Map(), left: new Map(), leaders: new Map(), storedFills: new Map(), newFills: [] }
  for (const rule of settings.followers) group.followers.set(rule.account, newFollower(settings.id, rule))
  const closing = new Set<string>()
  for (const { account, lock, rejects, day, needsDecisionNext: needsDecisionNext, closing: isClosing } of store.followers(settings.id)) {
    if (isClosing) closing.add(account)
    const follower = group.followers.get(account)
    if (follower === undefined) continue
    Object.assign(follower, { lock, rejects, needsDecisionNext })
    follower.begun = !day.startsWith(notBegun)
    follower.day = follower.begun ? day : day.slice(notBegun.length)
  }
  for (const { contract, net, taken } of store.leaders(settings.id)) group.leaders.set(contract, { net, taken, since: taken, counted: new Set(), isFromLastRun: true, changed: false })
  for (const { account, contract, held, yours, base, apart, why, needsDecision: needsDecision, taken } of store.stances(settings.id)) {
    const follower = group.followers.get(account)
    const isPast = held === 0 && yours === 0 && base === 0 && apart === 0 && !needsDecision && taken.time < now - countedMs
    if (follower === undefined || isPast) continue
    if (base !== 0) follower.bases.set(contract, base)
    Object.assign(contractStateOf(follower, contract), { held, yours, taken, apart, apartWhy: why, lastManualClose: why === 'by-hand' ? taken : noFill, needsDecision })
    // Its user was having it closed when the program ended: that request may still arrive, and another close would open a position.
    if (closing.has(account)) Object.assign(contractStateOf(follower, contract), { heldUntil: now + lateRequestMs, pauses: 'all', heldWhy: 'by-hand' })
  }
  restoreDryRun(store, group)
  return group
}

/** Restores a dry run's simulated positions from the store. */
export const restoreDryRun = (store: CopierStore, group: Group): void => {
  for (const { simulated } of group.followers.values()) simulated.clear()
  if (!group.settings.dryRun) return
  for (const { account, contract, net } of store.simulated(group.id)) group.followers.get(account)?.simulated.set(contract, net)
}

/** Applies a changed draft to an active group; followers that stay keep their state unless their products changed. Removed ones move to `left`. */
export const applyDraft = (group: Group, settings: CopyGroup): void => {
  const leaderChanged = group.settings.leader !== settings.leader
  group.settings = settings
  if (leaderChanged) group.storedFills.clear()
  const before = new Map(group.followers)
  group.followers.clear()
  for (const rule of settings.followers) {
    const known = before.get(rule.account)
    if (known === undefined || leaderChanged || (!known.rule.on && rule.on)) {
      const { lock = null, rejects = 0, day = '' } = known ?? {}
      group.followers.set(rule.account, { ...newFollower(group.id, rule), lock, rejects, day })
      continue
    }
    known.needsDecisionNext ||= JSON.stringify(known.rule) !== JSON.stringify(rule)
    known.rule = rule
    known.matches.clear()
    group.followers.set(rule.account, known)
  }
  for (const account of group.followers.keys()) group.left.delete(account)
  for (const [account, follower] of before) if (!group.followers.has(account)) group.left.set(account, { ...follower, states: new Map(follower.states) })
}

/** A follower's stances to store: the leader's base under the leader's contract, the rest under its own. */
export const stancesOf = (follower: Follower): SavedStance[] => {
  const contracts = new Set([...follower.states.keys(), ...follower.bases.keys()])
  return [...contracts].map((contract) => {
    const state = follower.states.get(contract)
    return {
      groupId: follower.groupId,
      account: follower.account,
      contract,
      held: state?.held ?? 0,
      yours: state?.yours ?? 0,
      base: follower.bases.get(contract) ?? 0,
      apart: state?.apart ?? 0,
      why: state?.apartWhy ?? null,
      needsDecision: state?.needsDecision ?? false,
      taken: state?.taken ?? noFill,
    }
  })
}

/** How long fills are kept of an order that the broker does not list: it ended while the copier was off, or it is not listed. */
export const unlistedMs = 30 * 86_400_000

const storedForm = (fills: readonly PastFill[]): StoredFills => ({
  text: fills.toSorted((one, other) => one.id - other.id).map(({ id, active }) => `${String(id)}${active ? '' : '-'}`).join(' '),
  at: Math.max(...fills.map(({ time }) => time)),
})

/** Gives a leader's book the fills that an earlier run saw. */
export const restoreFills = (group: Group, leader: Account, saved: readonly SavedFill[]): void => {
  const fills = saved.filter(({ account }) => account === leader.key)
  leader.book.remember(fills)
  for (const [orderId, ofOrder] of Map.groupBy(fills, (fill) => fill.orderId)) group.storedFills.set(orderId, storedForm(ofOrder))
}

/** The fills of a leader's lasting orders that are not stored yet, and the stored orders that are over. */
const leaderFillsOf = (world: World, group: Group, now: number): { readonly fills: readonly SavedFill[]; readonly over: readonly LeaderOrder[]; readonly markSaved: () => void } => {
  const leader = accountIn(world, group, group.settings.leader)
  if (leader === undefined || !isUp(world, leader)) return { fills: [], over: [], markSaved: () => undefined }
  const { book, key: account } = leader
  const changed = [...Map.groupBy(book.lasting(), ({ orderId }) => orderId)].flatMap(([orderId, fills]) => {
    const stored = storedForm(fills)
    return stored.text === group.storedFills.get(orderId)?.text ? [] : [{ orderId, fills, stored }]
  })
  const isOver = ([orderId, { at }]: [number, StoredFills]): boolean => {
    const status = book.order(orderId)?.status ?? null
    return status === null ? at < now - unlistedMs : isEnded(status)
  }
  const over = [...group.storedFills].filter(isOver).map(([orderId]) => ({ groupId: group.id, account, orderId }))
  return {
    fills: changed.flatMap(({ fills }) => fills.map(({ id, orderId, qty, active, time }) => ({ groupId: group.id, account, id, orderId, qty, active, time }))),
    over,
    markSaved: () => {
      for (const { orderId, stored } of changed) group.storedFills.set(orderId, stored)
      for (const { orderId } of over) group.storedFills.delete(orderId)
    },
  }
}

/** Unsaved group states, followers, stances, leader positions, and fills of leaders' orders; call `markSaved` once they are saved. */
export type UnsavedChanges = {
  readonly groups: readonly Pick<Group, 'id' | 'state'>[]
  readonly followers: readonly SavedFollower[]
  readonly stances: readonly SavedStance[]
  readonly leaders: readonly SavedLeader[]
  readonly fills: readonly SavedFill[]
  /** Leaders' orders that are over: their stored fills can go. */
  readonly over: readonly LeaderOrder[]
  readonly markSaved: () => void
}

/** The unsaved changes of all groups. */
export const unsavedChangesOf = (world: World, now: number): UnsavedChanges => {
  const changedStates: { changed: boolean }[] = []
  const changedGroups: Group[] = []
  const followers: SavedFollower[] = []
  const stances: SavedStance[] = []
  const leaders: SavedLeader[] = []
  const ofLeaders = [...world.groups.values()].map((group) => leaderFillsOf(world, group, now))
  for (const group of world.groups.values()) {
    if (group.changed) {
      changedStates.push(group)
      changedGroups.push(group)
    }
    for (const follower of group.followers.values()) {
      if (follower.changed) {
        changedStates.push(follower)
        followers.push(followerRow(follower))
      }
      const changed = [...follower.states.values()].filter(({ changed }) => changed)
      if (changed.length === 0) continue
      changedStates.push(...changed)
      stances.push(...stancesOf(follower))
    }
    for (const [contract, known] of group.leaders) {
      if (!known.changed) continue
      changedStates.push(known)
      leaders.push({ groupId: group.id, contract, net: known.net, taken: known.taken })
    }
  }
  return {
    groups: changedGroups,
    followers,
    stances,
    leaders,
    fills: ofLeaders.flatMap(({ fills }) => fills),
    over: ofLeaders.flatMap(({ over }) => over),
    markSaved: () => {
      for (const state of changedStates) state.changed = false
      for (const { markSaved } of ofLeaders) markSaved()
    },
  }
}
