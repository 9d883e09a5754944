import { randomUUID } from 'node:crypto'
import type { CopierLive, FlattenReport } from '#shared/api/copier.ts'
import type { Log } from '#shared/base/log.ts'
import { flattens, locked, unlocked } from '#shared/copier/lock.ts'
import type { CopierStore } from '../store/rows.ts'
import type { Client } from '../../threads/rpc.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import type { CopierCalls, CopierMainCalls } from './calls.ts'
import { leftExitsOf } from './exits-loop.ts'
import { flattenFollower } from './flatten.ts'
import { isCounted } from './followers.ts'
import { followerRow, groupFrom, pretendAgain, stancesOf, takeDraft } from './groups-kept.ts'
import type { Lines } from './lines-open.ts'
import type { LiveState } from './live-state.ts'
import type { Outlet } from './orders-out.ts'
import { answerStart, beginAgain, settle, startOver } from './starts.ts'
import { accountIn, hasOrders, netOf, type Account, type Follower, type Group, type World } from './world.ts'

/** What the commands work with. */
export type CommandParts = {
  readonly world: World
  readonly store: CopierStore
  readonly outlet: Outlet
  readonly timing: Timing
  readonly until: (look: () => boolean, ms: number) => Promise<boolean>
  readonly stopped: () => boolean
  readonly touch: (group: Group) => void
  readonly live: LiveState
  readonly lines: Lines
  readonly keepLines: () => void
  readonly told: Pick<Client<CopierMainCalls>, 'armed'>
  readonly log: Log
}

/** What a user can have the copier do. */
export type Commands = {
  readonly calls: Omit<CopierCalls, 'watch' | 'positionsOf' | 'closePosition' | 'flattenAccount' | 'woke' | 'stop'>
  /** Closes all that a locked follower holds. */
  readonly close: (group: Group, follower: Follower) => Promise<FlattenReport>
  /** Says whether another computer copies to a follower. */
  readonly setElsewhere: (group: Group, follower: Follower, elsewhere: boolean) => void
  /** Tells which groups stand armed. */
  readonly tellArmed: () => void
}

/** The commands of one engine. */
export const createCommands = (parts: CommandParts): Commands => {
  const { world, store, outlet, touch, live, lines, keepLines, told, log } = parts
  const stops = new Map<string, number>()
  const stopsOf = (userId: string): number => stops.get(userId) ?? 0
  /** Whether the user stopped something after what is asked now was begun. */
  const isStopped = ({ userId, stops: before }: { readonly userId: string; readonly stops?: number }): boolean => before !== undefined && before !== stopsOf(userId)
  const flattenings = new Map<string, Promise<readonly FlattenReport[]>>()

  const find = ({ userId, id }: { readonly userId: string; readonly id: string }): Group | null => {
    const group = world.groups.get(id)
    return group?.userId === userId ? group : null
  }
  const isTaken = (by: Pick<Group, 'userId'>, key: string): boolean => (world.accounts.get(key)?.userId ?? by.userId) !== by.userId
  const withFollower = (input: { readonly userId: string; readonly id: string; readonly account: string }, work: (group: Group, follower: Follower, account: Account | undefined) => void): CopierLive => {
    const group = find(input)
    const follower = group?.followers.get(input.account)
    if (group !== null && follower !== undefined) {
      work(group, follower, accountIn(world, group, follower.account))
      store.saveFollower(followerRow(follower))
      for (const stand of follower.stands.values()) stand.changed = true
      outlet.keep()
      touch(group)
    }
    return live.of(input.userId)
  }

  const tellArmed = (): void => {
    const groups = [...world.groups.values()]
      .filter(({ state }) => state !== 'off')
      .map(({ userId, id, kept }) => ({ userId, id, accounts: kept.followers.filter(({ on }) => on).map(({ account }) => account), dryRun: kept.dryRun }))
    void told.armed({ groups }).catch(() => undefined)
  }
  const setState = (group: Group, state: Group['state']): void => {
    group.state = state
    store.setGroupState(group.id, state)
    keepLines()
    tellArmed()
    touch(group)
    live.touch(group.userId)
  }
  /** Forgets on disk too how a follower stood. */
  const forget = (follower: Follower): void => {
    const rows = stancesOf(follower)
    startOver(follower)
    store.tell([], { stances: rows.map((row) => ({ ...row, held: 0, yours: 0, base: 0, apart: 0, why: null, asks: false })), leaders: [] })
    store.saveFollower(followerRow(follower))
  }

  /** Two computers that close for one leader would close twice: where another one copies nothing is done, and once it does not any more, its user is asked anew. */
  const setElsewhere = (group: Group, follower: Follower, elsewhere: boolean): void => {
    if (follower.elsewhere === elsewhere) return
    follower.elsewhere = elsewhere
    forget(follower)
    log.warn({ group: group.id, account: follower.account, elsewhere }, 'Who copies to a follower has changed')
    touch(group)
    live.touch(group.userId)
  }

  const close = async (group: Group, follower: Follower): Promise<FlattenReport> => {
    const account = accountIn(world, group, follower.account)
    const { unlocks } = follower
    follower.flattening = true
    keepLines()
    try {
      return await flattenFollower(parts, group, follower, account)
    } catch (error) {
      log.error({ error, account: follower.account }, 'Flattening failed')
      return { account: follower.account, outcome: 'not-flat', left: [], detail: null }
    } finally {
      follower.flattening = false
      for (const stand of follower.unlocks === unlocks ? follower.stands.values() : []) {
        // Where nothing is open the copier's contracts and its user's, on two sides, have closed each other.
        if (account !== undefined && !group.kept.dryRun && netOf(account, stand.contract) === 0 && isCounted(account, stand)) Object.assign(stand, { held: 0, yours: 0 })
        Object.assign(stand, { apart: 0, apartWhy: null, asks: false, lastTarget: null, heldUntil: 0, changed: true })
      }
      touch(group)
      live.touch(group.userId)
    }
  }

  const flatten = async (group: Group): Promise<readonly FlattenReport[]> => {
    const followers = [...group.followers.values()].filter(({ rule }) => rule.on)
    for (const follower of followers) {
      follower.lock = locked({ lock: follower.lock, rejects: follower.rejects, day: follower.day }, 'flattened').lock
      store.saveFollower(followerRow(follower))
    }
    touch(group)
    return Promise.all(followers.map((follower) => close(group, follower)))
  }

  const calls: Commands['calls'] = {
    state: ({ userId }) => ({ groups: [...world.groups.values()].filter((group) => group.userId === userId).map(({ kept }) => kept), live: live.of(userId), stops: stopsOf(userId) }),
    saveGroup: ({ userId, id, draft }) => {
      const known = id === null ? null : find({ userId, id })
      if (id !== null && known === null) return null
      const kept = { ...draft, id: known?.id ?? randomUUID() }
      store.saveGroup({ userId, id: kept.id, draft })
      if (known === null) {
        world.groups.set(kept.id, groupFrom(store, { ...kept, userId, state: 'off' }, parts.timing.now()))
        return kept
      }
      const before = new Map(known.followers)
      const otherWorld = known.kept.dryRun !== draft.dryRun
      takeDraft(known, kept)
      for (const [account, follower] of before) if (known.followers.get(account) !== follower) forget(follower)
      pretendAgain(store, known)
      for (const follower of known.followers.values()) {
        if (otherWorld) forget(follower)
        store.saveFollower(followerRow(follower))
      }
      keepLines()
      if (known.state !== 'off') {
        tellArmed()
        // A follower that is new or was off may have been another profile's to look at.
        void lines.readAccounts(userId).then(keepLines).catch((error: unknown) => log.warn({ error }, 'The accounts of a changed group could not be read'))
      }
      touch(known)
      live.touch(userId)
      return kept
    },
    removeGroup: (input) => {
      const group = find(input)
      if (group?.state !== 'off') return false
      store.removeGroup(group.id)
      world.groups.delete(group.id)
      live.touch(input.userId)
      return true
    },
    isWorking: async ({ userId }) => {
      await lines.readAccounts(userId)
      return [...world.groups.values()].some((group) => group.userId === userId && group.state !== 'off' && !group.kept.dryRun) || [...world.accounts.values()].some((account) => account.userId === userId && hasOrders(account))
    },
    forgetUser: async ({ userId }) => {
      for (const group of [...world.groups.values()].filter((each) => each.userId === userId)) {
        group.state = 'off'
        world.groups.delete(group.id)
      }
      for (const [key, account] of world.accounts) if (account.userId === userId) world.accounts.delete(key)
      tellArmed()
      await lines.renew(userId)
      store.forgetUser(userId)
      live.touch(userId)
    },
    arm: async (input) => {
      const group = find(input)
      if (group === null) return 'not-found'
      await lines.readAccounts(input.userId)
      if (isStopped(input)) return 'stopped'
      const keys = [group.kept.leader, ...group.kept.followers.flatMap(({ on, account }) => (on ? [account] : []))]
      if (keys.some((key) => isTaken(group, key))) return 'taken'
      if (group.state === 'off') {
        group.newFills = []
        for (const follower of group.followers.values()) {
          forget(follower)
          follower.pretended.clear()
        }
      }
      setState(group, 'armed')
      return 'armed'
    },
    disarm: async (input) => {
      stops.set(input.userId, stopsOf(input.userId) + 1)
      const group = find(input)
      if (group !== null && group.state !== 'off') {
        group.entries = 'no-lease'
        setState(group, 'off')
      }
      return live.of(input.userId)
    },
    pause: ({ userId, id }) => {
      stops.set(userId, stopsOf(userId) + 1)
      for (const group of world.groups.values()) if (group.userId === userId && (id === null || id === group.id) && group.state === 'armed') setState(group, 'paused')
      return live.of(userId)
    },
    resume: (input) => {
      const group = find(input)
      if (group?.state === 'paused' && !isStopped(input)) setState(group, 'armed')
      return live.of(input.userId)
    },
    flatten: async (input) => {
      const group = find(input)
      if (group === null) return null
      if (accountIn(world, group, group.kept.leader) === undefined) await lines.readAccounts(input.userId)
      const underWay = flattenings.get(group.id) ?? flatten(group).finally(() => flattenings.delete(group.id))
      flattenings.set(group.id, underWay)
      return underWay
    },
    answerStart: (input) =>
      withFollower(input, (group, follower, account) => {
        if (account !== undefined) answerStart(world, group, follower, account, input.answer)
      }),
    settle: (input) =>
      withFollower(input, (group, follower, account) => {
        if (account !== undefined) settle(world, group, follower, account, input.answer)
      }),
    unlock: (input) =>
      withFollower(input, (group, follower, account) => {
        const closed = flattens(follower.lock)
        Object.assign(follower, unlocked({ lock: follower.lock, rejects: follower.rejects, day: follower.day }))
        for (const stand of follower.stands.values()) Object.assign(stand, { heldUntil: 0, failures: 0, exitsHeldUntil: 0 })
        follower.unlocks += 1
        if (closed && account !== undefined) beginAgain(world, group, follower, account)
      }),
    cancelLeft: (input) => {
      const group = find(input)
      if (group !== null) {
        for (const { account, order } of leftExitsOf(world, group)) if (order.cancelMs === null) outlet.cancel(account, order)
        touch(group)
        live.touch(input.userId)
      }
      return live.of(input.userId)
    },
    takenAccount: async ({ userId, accounts }) => {
      await lines.readAccounts(userId)
      return accounts.find((key) => isTaken({ userId }, key)) ?? null
    },
    allow: (input) => {
      const group = find(input)
      if (group === null) return
      group.entries = input.entries
      const { elsewhere } = input
      if (elsewhere !== undefined) for (const follower of group.followers.values()) setElsewhere(group, follower, elsewhere.includes(follower.account))
      touch(group)
      live.touch(input.userId)
    },
    accountsChanged: async ({ userId }) => {
      await lines.renew(userId)
      await lines.readAccounts(userId)
      keepLines()
      live.touch(userId)
    },
  }
  return { calls, close, setElsewhere, tellArmed }
}
