import type { CopyGroup, FollowerRule } from '#shared/api/copier.ts'
import type { CopierStore, KeptFollower, KeptGroup, KeptLeader, KeptStance } from '../store/rows.ts'
import { standOf, type Follower, type Group } from './world.ts'

/** A flat contract is remembered for so long by the fill that was counted last: those before it, which the broker lists all session, must not count again. */
const countedMs = 7 * 86_400_000

/** So long a request may still arrive whose sender ended, milliseconds. */
const lateRequestMs = 10_000

const never = { time: 0, id: 0 }

// Before the day of a follower whose start is still to come.
const notBegun = '-'

/** What is kept of a follower. */
export const followerRow = ({ groupId, account, lock, rejects, day, begun, asksFirst, closings }: Follower): KeptFollower => ({
  groupId, account, lock, rejects, day: begun ? day : notBegun + day, asksFirst: asksFirst || closings > 0,
})

const newFollower = (groupId: string, rule: FollowerRule): Follower => ({
  groupId,
  account: rule.account,
  rule,
  begun: false,
  lock: null,
  rejects: 0,
  day: '',
  stands: new Map(),
  bases: new Map(),
  matches: new Map(),
  pretended: new Map(),
  asksFirst: false,
  closings: 0,
  flattening: false,
  elsewhere: false,
  unlocks: 0,
  latencyMs: null,
})

/** A group as the store has it at `now` (UTC ms), with how its followers stood when last heard of. */
export const groupFrom = (store: CopierStore, { userId, state, ...kept }: KeptGroup, now: number): Group => {
  const group: Group = { id: kept.id, userId, kept, state, entries: 'no-lease', followers: new Map(), left: new Map(), leaders: new Map(), newFills: [] }
  for (const rule of kept.followers) group.followers.set(rule.account, newFollower(kept.id, rule))
  for (const { account, lock, rejects, day, asksFirst } of store.followers(kept.id)) {
    const follower = group.followers.get(account)
    if (follower === undefined) continue
    Object.assign(follower, { lock, rejects, asksFirst })
    follower.begun = !day.startsWith(notBegun)
    follower.day = follower.begun ? day : day.slice(notBegun.length)
  }
  for (const { contract, net, taken } of store.leaders(kept.id)) group.leaders.set(contract, { net, taken, since: taken, counted: new Set(), isOfBefore: true, changed: false })
  for (const { account, contract, held, yours, base, apart, why, asks, taken } of store.stances(kept.id)) {
    const follower = group.followers.get(account)
    const isPast = held === 0 && yours === 0 && base === 0 && apart === 0 && !asks && taken.time < now - countedMs
    if (follower === undefined || isPast) continue
    if (base !== 0) follower.bases.set(contract, base)
    Object.assign(standOf(follower, contract), { held, yours, taken, apart, apartWhy: why, handAt: why === 'by-hand' ? taken : never, asks })
    // The user may have had it closed just before the program ended: that request may still arrive, and a close beside it would open.
    if (follower.asksFirst) Object.assign(standOf(follower, contract), { heldUntil: now + lateRequestMs, pauses: 'all', heldWhy: 'by-hand' })
  }
  pretendAgain(store, group)
  return group
}

/** Lets the followers of a dry run hold what its orders came to: the store knows it, a program that ended does not. */
export const pretendAgain = (store: CopierStore, group: Group): void => {
  for (const { pretended } of group.followers.values()) pretended.clear()
  if (!group.kept.dryRun) return
  for (const { account, contract, net } of store.pretended(group.id)) group.followers.get(account)?.pretended.set(contract, net)
}

/** Takes a changed draft into a group at work; followers that stay keep where they stand, but for those whose products changed. Those that are taken out are `left`. */
export const takeDraft = (group: Group, kept: CopyGroup): void => {
  const leaderChanged = group.kept.leader !== kept.leader
  group.kept = kept
  const before = new Map(group.followers)
  group.followers.clear()
  for (const rule of kept.followers) {
    const known = before.get(rule.account)
    if (known === undefined || leaderChanged || (!known.rule.on && rule.on)) {
      const { lock = null, rejects = 0, day = '' } = known ?? {}
      group.followers.set(rule.account, { ...newFollower(group.id, rule), lock, rejects, day })
      continue
    }
    known.asksFirst ||= JSON.stringify(known.rule) !== JSON.stringify(rule)
    known.rule = rule
    known.matches.clear()
    group.followers.set(rule.account, known)
  }
  for (const account of group.followers.keys()) group.left.delete(account)
  for (const [account, follower] of before) if (!group.followers.has(account)) group.left.set(account, { ...follower, stands: new Map(follower.stands) })
}

/** How a follower stands, as it is kept: the leader's base under the leader's contract, all else under its own. */
export const stancesOf = (follower: Follower): KeptStance[] => {
  const contracts = new Set([...follower.stands.keys(), ...follower.bases.keys()])
  return [...contracts].map((contract) => {
    const stand = follower.stands.get(contract)
    return {
      groupId: follower.groupId,
      account: follower.account,
      contract,
      held: stand?.held ?? 0,
      yours: stand?.yours ?? 0,
      base: follower.bases.get(contract) ?? 0,
      apart: stand?.apart ?? 0,
      why: stand?.apartWhy ?? null,
      asks: stand?.asks ?? false,
      taken: stand?.taken ?? { time: 0, id: 0 },
    }
  })
}

/** How followers and leaders stand that changed since it was kept last; `kept` notes that it is kept. */
export type Standing = { readonly stances: readonly KeptStance[]; readonly leaders: readonly KeptLeader[]; readonly kept: () => void }

/** What changed of how all groups stand. */
export const standingOf = (groups: Iterable<Group>): Standing => {
  const stands: { changed: boolean }[] = []
  const stances: KeptStance[] = []
  const leaders: KeptLeader[] = []
  for (const group of groups) {
    for (const follower of group.followers.values()) {
      const changed = [...follower.stands.values()].filter(({ changed }) => changed)
      if (changed.length === 0) continue
      stands.push(...changed)
      stances.push(...stancesOf(follower))
    }
    for (const [contract, known] of group.leaders) {
      if (!known.changed) continue
      stands.push(known)
      leaders.push({ groupId: group.id, contract, net: known.net, taken: known.taken })
    }
  }
  return { stances, leaders, kept: () => { for (const stand of stands) stand.changed = false } }
}
