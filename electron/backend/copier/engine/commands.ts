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
import { followerRow, groupFrom, restoreDryRun, stancesOf, applyDraft } from './groups-kept.ts'
import type { Lines } from './lines-open.ts'
import type { LiveState } from './live-state.ts'
import type { Outlet } from './orders-out.ts'
import { answerStart, beginAgain, settle, startOver } from './starts.ts'
import { accountIn, hasOrders, netOf, type Account, type Follower, type Group, type World } from './world.ts'

/** Dependencies of the commands. */
export type CommandDeps = {
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
  readonly main: Pick<Client<CopierMainCalls>, 'armed'>
  readonly log: Log
}

/** The user's commands to the copier. */
export type Commands = {
  readonly calls: Omit<CopierCalls, 'watch' | 'positionsOf' | 'closePosition' | 'flattenAccount' | 'woke' | 'stop'>
  /** Flattens a locked follower. */
  readonly close: (group: Group, follower: Follower) => Promise<FlattenReport>
  /** Records whether another computer copies to a follower. */
  readonly setElsewhere: (group: Group, follower: Follower, elsewhere: boolean) => void
  /** Reports the armed groups. */
  readonly reportArmed: () => void
}

/** The commands of one engine. */
export const createCommands = (parts: CommandDeps): Commands => {
  const { world, store, outlet, touch, live, lines, keepLines, main, log } = parts
  const stops = new Map<string, number>()
  const stopsOf = (userId: string): number => stops.get(userId) ?? 0
  /** Whether the user stopped something after this request began. */
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
      for (const state of follower.states.values()) state.changed = true
      outlet.keep()
      touch(group)
    }
    return live.of(input.userId)
  }

  const reportArmed = (): void => {
    const groups = [...world.groups.values()]
      .filter(({ state }) => state !== 'off')
      .map(({ userId, id, kept }) => ({ userId, id, accounts: kept.followers.filter(({ on }) => on).map(({ account }) => account), dryRun: kept.dryRun }))
    void main.armed({ groups }).catch(() => undefined)
  }
  const setState = (group: Group, state: Group['state']): void => {
    group.state = state
    store.setGroupState(group.id, state)
    keepLines()
    reportArmed()
    touch(group)
    live.touch(group.userId)
  }
  /** Resets a follower's state, on disk too. */
  const forget = (follower: Follower): void => {
    const rows = stancesOf(follower)
    startOver(follower)
    store.record([], { stances: rows.map((row) => ({ ...row, held: 0, yours: 0, base: 0, apart: 0, why: null, asks: false })), leaders: [] })
    store.saveFollower(followerRow(follower))
  }

  /** Two computers that close for one leader would close twice: while another one copies, nothing is done; once it stops, the user is asked again. */
  const setElsewhere = (group: Group, follower: Follower, elsewhere: boolean): void => {
    if (follower.elsewhere === elsewhere) return
    follower.elsewhere = elsewhere
    forget(follower)
    log.warn({ group: group.id, account: follower.account, elsewhere }, 'another computer started or stopped copying to a follower')
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
      log.error({ error, account: follower.account }, 'flatten failed')
      return { account: follower.account, outcome: 'not-flat', left: [], detail: null }
    } finally {
      follower.flattening = false
      for (const state of follower.unlocks === unlocks ? follower.states.values() : []) {
        // When flat, the copier's and the user's opposite contracts have closed each other.
        if (account !== undefined && !group.kept.dryRun && netOf(account, state.contract) === 0 && isCounted(account, state)) Object.assign(state, { held: 0, yours: 0 })
        Object.assign(state, { apart: 0, apartWhy: null, asks: false, lastTarget: null, heldUntil: 0, changed: true })
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
      applyDraft(known, kept)
      for (const [account, follower] of before) if (known.followers.get(account) !== follower) forget(follower)
      restoreDryRun(store, known)
      for (const follower of known.followers.values()) {
        if (otherWorld) forget(follower)
        store.saveFollower(followerRow(follower))
      }
      keepLines()
      if (known.state !== 'off') {
        reportArmed()
        // Another profile may have watched a follower that is new or was off.
        void lines.readAccounts(userId).then(keepLines).catch((error: unknown) => log.warn({ error }, 'reading the accounts of a changed group failed'))
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
    hasOrdersIn: ({ userId, loginId }) => [...world.accounts.values()].some((account) => account.userId === userId && account.loginId === loginId && hasOrders(account)),
    forgetUser: async ({ userId }) => {
      for (const group of [...world.groups.values()].filter((each) => each.userId === userId)) {
        group.state = 'off'
        world.groups.delete(group.id)
      }
      for (const [key, account] of world.accounts) if (account.userId === userId) world.accounts.delete(key)
      reportArmed()
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
        for (const state of follower.states.values()) Object.assign(state, { heldUntil: 0, failures: 0, exitsHeldUntil: 0 })
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
  return { calls, close, setElsewhere, reportArmed }
}
