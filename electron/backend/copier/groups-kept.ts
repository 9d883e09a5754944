import type { CopyGroup, FollowerRule } from '#shared/api/copier.ts'
import type { CopierStore, KeptFollower, KeptGroup, KeptStance } from '../store/copier/rows.ts'
import { standOf, type Follower, type Group } from './world.ts'

// Before the day of a follower whose start is still to come.
const notBegun = '-'

/** What is kept of a follower. */
export const followerRow = ({ groupId, account, lock, rejects, day, begun }: Follower): KeptFollower => ({ groupId, account, lock, rejects, day: begun ? day : notBegun + day })

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
  flattening: false,
  latencyMs: null,
})

/** A group as the store has it, with how its followers stood when last heard of. */
export const groupFrom = (store: CopierStore, { userId, state, ...kept }: KeptGroup): Group => {
  const group: Group = { id: kept.id, userId, kept, state, entries: 'no-lease', followers: new Map(), newFills: [] }
  for (const rule of kept.followers) group.followers.set(rule.account, newFollower(kept.id, rule))
  for (const { account, lock, rejects, day } of store.followers(kept.id)) {
    const follower = group.followers.get(account)
    if (follower === undefined) continue
    follower.lock = lock
    follower.rejects = rejects
    follower.begun = !day.startsWith(notBegun)
    follower.day = follower.begun ? day : day.slice(notBegun.length)
  }
  for (const { account, contract, own, base, apart, why, asks } of store.stances(kept.id)) {
    const follower = group.followers.get(account)
    if (follower === undefined) continue
    if (base !== 0) follower.bases.set(contract, base)
    Object.assign(standOf(follower, contract), { own, apart, apartWhy: why, asks })
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

/** Takes a changed draft into a group at work; followers that stay keep where they stand, but for those whose products changed. */
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
    known.rule = rule
    known.matches.clear()
    group.followers.set(rule.account, known)
  }
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
      own: stand?.own ?? 0,
      base: follower.bases.get(contract) ?? 0,
      apart: stand?.apart ?? 0,
      why: stand?.apartWhy ?? null,
      asks: stand?.asks ?? false,
    }
  })
}

/** Keeps the stances of a group's followers that changed. */
export const keepStances = (store: CopierStore, group: Group): void => {
  const followers = [...group.followers.values()].filter(({ stands }) => [...stands.values()].some(({ changed }) => changed))
  if (followers.length === 0) return
  store.saveStances(followers.flatMap(stancesOf))
  for (const { stands } of followers) for (const stand of stands.values()) stand.changed = false
}
