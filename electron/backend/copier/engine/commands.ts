import { randomUUID } from 'node:crypto'
import type { CopierLive, CopyGroup, FlattenReport, GroupDraft } from '#shared/api/copier.ts'
import type { CloseReport } from '#shared/api/positions.ts'
import type { Log } from '#shared/base/log.ts'
import { flattens, locked, unlocked } from '#shared/copier/lock.ts'
import type { CopierStore } from '../store/copier-store.ts'
import type { Client } from '../../threads/rpc.ts'
import type { Timing } from '../../brokers/timing.ts'
import type { CopierMainCalls, Entries } from './calls.ts'
import { leftExitsOf } from './exits-loop.ts'
import { flattenFollower } from './flatten.ts'
import { isCounted } from './followers.ts'
import { followerRow, groupFrom, restoreDryRun, stancesOf, applyDraft } from './saved-groups.ts'
import type { Lines } from './lines-open.ts'
import type { LiveState } from './live-state.ts'
import type { OrderGateway } from './order-gateway.ts'
import { answerStart, beginAgain, settle, startOver } from './follower-start.ts'
import { accountIn, hasOrders, netOf, type Account, type Follower, type Group, type World } from './world.ts'

/** Dependencies of the commands. */
export type CommandDeps = {
  readonly world: World
  readonly store: CopierStore
  readonly gateway: OrderGateway
  readonly timing: Timing
  readonly until: (look: () => boolean, ms: number) => Promise<boolean>
  readonly liquidate: (account: Account) => Promise<CloseReport>
  readonly stopped: () => boolean
  readonly touch: (group: Group) => void
  readonly live: LiveState
  readonly lines: Lines
  readonly keepLines: () => void
  readonly main: Pick<Client<CopierMainCalls>, 'armed'>
  readonly log: Log
}

type OfUser = { readonly userId: string }
type OfGroup = OfUser & { readonly id: string }
type OfFollower = OfGroup & { readonly account: string }
/** What the user's stops counted when a request began. */
type BeforeStops = { readonly stops?: number }

/** The user's commands to the copier. Another user's group does not exist for the caller: null. */
export const createCommands = (deps: CommandDeps) => {
  const { world, store, gateway, touch, live, lines, keepLines, main, log } = deps
  const stops = new Map<string, number>()
  const stopsOf = (userId: string): number => stops.get(userId) ?? 0
  /** Whether the user stopped something after this request began. */
  const isStopped = ({ userId, stops: before }: OfUser & BeforeStops): boolean => before !== undefined && before !== stopsOf(userId)
  /** Running flattens by group, and their followers with the unlocks of each. */
  const flattenings = new Map<string, { readonly of: ReadonlyMap<Follower, number>; readonly reports: Promise<readonly FlattenReport[]> }>()
  const closings = new WeakMap<Follower, { readonly unlocks: number; readonly report: Promise<FlattenReport> }>()

  const find = ({ userId, id }: OfGroup): Group | null => {
    const group = world.groups.get(id)
    return group?.userId === userId ? group : null
  }
  const isTaken = (by: Pick<Group, 'userId'>, key: string): boolean => (world.accounts.get(key)?.userId ?? by.userId) !== by.userId
  const withFollower = (input: OfFollower, work: (group: Group, follower: Follower, account: Account | undefined) => void): CopierLive => {
    const group = find(input)
    const follower = group?.followers.get(input.account)
    if (group !== null && follower !== undefined) {
      work(group, follower, accountIn(world, group, follower.account))
      follower.changed = true
      for (const state of follower.states.values()) state.changed = true
      gateway.flush()
      touch(group)
    }
    return live.of(input.userId)
  }

  /** Reports the armed groups. */
  const reportArmed = (): void => {
    const groups = [...world.groups.values()]
      .filter(({ state }) => state !== 'off')
      .map(({ userId, id, settings: { followers, dryRun } }) => ({ userId, id, accounts: followers.filter(({ on }) => on).map(({ account }) => account), dryRun }))
    void main.armed({ groups }).catch(() => undefined)
  }
  /** Stops at once and saves that as soon as the disk allows; arms only what is saved. Thus no restart copies more than the user was shown. */
  const setState = (group: Group, state: Group['state']): void => {
    gateway.flush()
    if (state === 'armed') store.setGroupState(group.id, state)
    group.state = state
    group.changed = state !== 'armed'
    gateway.flush()
    keepLines()
    reportArmed()
    touch(group)
    live.touch(group.userId)
  }
  /** Resets a follower's state. */
  const forget = (follower: Follower): void => {
    const rows = stancesOf(follower)
    startOver(follower)
    gateway.reset(followerRow(follower), rows.map((row) => ({ ...row, held: 0, yours: 0, base: 0, apart: 0, why: null, needsDecision: false })))
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

  const closeOnce = async (group: Group, follower: Follower): Promise<FlattenReport> => {
    const account = accountIn(world, group, follower.account)
    const { unlocks } = follower
    try {
      return await flattenFollower(deps, group, follower, account)
    } catch (error) {
      log.error({ error, account: follower.account }, 'flatten failed')
      return { account: follower.account, outcome: 'not-flat', left: [], detail: null }
    } finally {
      for (const state of follower.unlocks === unlocks ? follower.states.values() : []) {
        // When flat, the copier's and the user's opposite contracts have closed each other.
        if (account !== undefined && !group.settings.dryRun && netOf(account, state.contract) === 0 && isCounted(account, state)) Object.assign(state, { held: 0, yours: 0 })
        Object.assign(state, { apart: 0, apartWhy: null, needsDecision: false, lastTarget: null, heldUntil: 0, changed: true })
      }
      touch(group)
      live.touch(group.userId)
    }
  }

  /** Flattens a locked follower; joins a close that runs already, unless it was unlocked since. */
  const close = (group: Group, follower: Follower): Promise<FlattenReport> => {
    const { unlocks } = follower
    const running = closings.get(follower)
    if (running?.unlocks === unlocks) return running.report
    follower.flattening = true
    keepLines()
    const report = closeOnce(group, follower).finally(() => {
      if (closings.get(follower)?.report !== report) return
      closings.delete(follower)
      follower.flattening = false
      touch(group)
    })
    closings.set(follower, { unlocks, report })
    return report
  }

  /** Closes and locks all followers that are on; the same flatten once more is the one that runs. */
  const flatten = (group: Group): Promise<readonly FlattenReport[]> => {
    const followers = [...group.followers.values()].filter(({ rule }) => rule.on)
    const of = new Map(followers.map((follower) => [follower, follower.unlocks]))
    const running = flattenings.get(group.id)
    if (running?.of.size === of.size && followers.every((follower) => running.of.get(follower) === follower.unlocks)) return running.reports
    for (const follower of followers) {
      follower.lock = locked(follower, 'flattened').lock
      follower.changed = true
    }
    gateway.flush()
    touch(group)
    const reports = Promise.all(followers.map((follower) => close(group, follower))).finally(() => {
      if (flattenings.get(group.id)?.reports === reports) flattenings.delete(group.id)
    })
    flattenings.set(group.id, { of, reports })
    return reports
  }

  const calls = {
    /** `stops` counts the user's disarms and pauses; pass it to `arm` and `resume`. */
    state: ({ userId }: OfUser) => ({ groups: [...world.groups.values()].filter((group) => group.userId === userId).map(({ settings }) => settings), live: live.of(userId), stops: stopsOf(userId) }),
    /** Saves a checked group; if armed, followers that are new or were off start with the question about open positions. */
    saveGroup: ({ userId, id, draft }: OfUser & { readonly id: string | null; readonly draft: GroupDraft }): CopyGroup | null => {
      const known = id === null ? null : find({ userId, id })
      if (id !== null && known === null) return null
      const settings = { ...draft, id: known?.id ?? randomUUID() }
      store.saveGroup({ userId, id: settings.id, draft })
      if (known === null) {
        world.groups.set(settings.id, groupFrom(store, { ...settings, userId, state: 'off' }, deps.timing.now()))
        return settings
      }
      const before = new Map(known.followers)
      const otherWorld = known.settings.dryRun !== draft.dryRun
      applyDraft(known, settings)
      for (const [account, follower] of before) if (known.followers.get(account) !== follower) forget(follower)
      restoreDryRun(store, known)
      for (const follower of known.followers.values()) {
        if (otherWorld) forget(follower)
        follower.changed = true
      }
      gateway.flush()
      keepLines()
      if (known.state !== 'off') {
        reportArmed()
        // Another profile may have watched a follower that is new or was off.
        void lines.readAccounts(userId).then(keepLines).catch((error: unknown) => log.warn({ error }, 'reading the accounts of a changed group failed'))
      }
      touch(known)
      live.touch(userId)
      return settings
    },
    /** False if it is armed: disarm first. */
    removeGroup: (input: OfGroup): boolean => {
      const group = find(input)
      if (group?.state !== 'off') return false
      store.removeGroup(group.id)
      world.groups.delete(group.id)
      live.touch(input.userId)
      return true
    },
    /** Whether a group of the user is armed, or copier orders may still fill in a connected account. */
    isWorking: async ({ userId }: OfUser): Promise<boolean> => {
      await lines.readAccounts(userId)
      return [...world.groups.values()].some((group) => group.userId === userId && group.state !== 'off' && !group.settings.dryRun) || [...world.accounts.values()].some((account) => account.userId === userId && hasOrders(account))
    },
    /** Whether copier orders may still fill in an account of a login, a removed one included. */
    hasOrdersIn: ({ userId, loginId }: OfUser & { readonly loginId: string }): boolean => [...world.accounts.values()].some((account) => account.userId === userId && account.loginId === loginId && hasOrders(account)),
    /** Disarms and deletes everything of a user, the ledger too, and closes its lines. */
    deleteUser: async ({ userId }: OfUser): Promise<void> => {
      for (const group of [...world.groups.values()].filter((each) => each.userId === userId)) {
        group.state = 'off'
        world.groups.delete(group.id)
      }
      for (const [key, account] of world.accounts) if (account.userId === userId) world.accounts.delete(key)
      reportArmed()
      await lines.renew(userId)
      store.deleteUser(userId)
      live.touch(userId)
    },
    /** `taken`: another profile copies with one of its accounts. `stopped`: the user disarmed or paused something since `stops` was read, and that wins. */
    arm: async (input: OfGroup & BeforeStops): Promise<'armed' | 'taken' | 'stopped' | 'not-found'> => {
      const group = find(input)
      if (group === null) return 'not-found'
      await lines.readAccounts(input.userId)
      if (isStopped(input)) return 'stopped'
      const keys = [group.settings.leader, ...group.settings.followers.flatMap(({ on, account }) => (on ? [account] : []))]
      if (keys.some((key) => isTaken(group, key))) return 'taken'
      if (group.state === 'off') {
        group.newFills = []
        for (const follower of group.followers.values()) {
          forget(follower)
          follower.simulated.clear()
        }
      }
      setState(group, 'armed')
      return 'armed'
    },
    disarm: (input: OfGroup): CopierLive => {
      stops.set(input.userId, stopsOf(input.userId) + 1)
      const group = find(input)
      if (group !== null && group.state !== 'off') {
        group.entries = 'no-lease'
        setState(group, 'off')
      }
      return live.of(input.userId)
    },
    /** `id` null: all groups of the user. */
    pause: ({ userId, id }: OfUser & { readonly id: string | null }): CopierLive => {
      stops.set(userId, stopsOf(userId) + 1)
      for (const group of world.groups.values()) if (group.userId === userId && (id === null || id === group.id) && group.state === 'armed') setState(group, 'paused')
      return live.of(userId)
    },
    resume: (input: OfGroup & BeforeStops): CopierLive => {
      const group = find(input)
      if (group?.state === 'paused' && !isStopped(input)) setState(group, 'armed')
      return live.of(input.userId)
    },
    flatten: async (input: OfGroup): Promise<readonly FlattenReport[] | null> => {
      const group = find(input)
      if (group === null) return null
      if (accountIn(world, group, group.settings.leader) === undefined) await lines.readAccounts(input.userId)
      return flatten(group)
    },
    answerStart: (input: OfFollower & { readonly answer: 'adopt' | 'flatten' | 'leave' }) =>
      withFollower(input, (group, follower, account) => {
        if (account !== undefined) answerStart(world, group, follower, account, input.answer)
      }),
    settle: (input: OfFollower & { readonly answer: 'bring-back' | 'leave' }) =>
      withFollower(input, (group, follower, account) => {
        if (account !== undefined) settle(world, group, follower, account, input.answer)
      }),
    unlock: (input: OfFollower) =>
      withFollower(input, (group, follower, account) => {
        const closed = flattens(follower.lock)
        Object.assign(follower, unlocked(follower))
        for (const state of follower.states.values()) Object.assign(state, { heldUntil: 0, failures: 0, exitsHeldUntil: 0 })
        follower.unlocks += 1
        if (closed && account !== undefined) beginAgain(world, group, follower, account)
      }),
    /** Cancels the group's working exits in accounts that no longer follow it. */
    cancelLeft: (input: OfGroup): CopierLive => {
      const group = find(input)
      if (group !== null) {
        for (const { account, order } of leftExitsOf(world, group)) if (order.cancelMs === null) gateway.cancel(account, order)
        touch(group)
        live.touch(input.userId)
      }
      return live.of(input.userId)
    },
    /** The first of these accounts that another profile of this computer copies with; null if none. */
    takenAccount: async ({ userId, accounts }: OfUser & { readonly accounts: readonly string[] }): Promise<string | null> => {
      await lines.readAccounts(userId)
      return accounts.find((key) => isTaken({ userId }, key)) ?? null
    },
    /** Whether a group may enter, by plan and lease. Otherwise it only reduces and flattens. Another computer copies to the accounts `elsewhere`: they are left alone. */
    allow: (input: OfGroup & { readonly entries: Entries; readonly elsewhere?: readonly string[] }): void => {
      const group = find(input)
      if (group === null) return
      group.entries = input.entries
      const { elsewhere } = input
      if (elsewhere !== undefined) for (const follower of group.followers.values()) setElsewhere(group, follower, elsewhere.includes(follower.account))
      touch(group)
      live.touch(input.userId)
    },
    /** `accounts` are all that a user has: disarms groups whose leader is not among them, switches off followers that are not, and returns whether it switched any off. */
    dropGone: ({ userId, accounts }: OfUser & { readonly accounts: readonly string[] }): boolean => {
      const isGone = (key: string): boolean => !accounts.includes(key)
      let switchedOff = false
      for (const { settings: { id, ...draft }, state } of [...world.groups.values()].filter((group) => group.userId === userId)) {
        if (state !== 'off' && isGone(draft.leader)) calls.disarm({ userId, id })
        if (!draft.followers.some(({ on, account }) => on && isGone(account))) continue
        calls.saveGroup({ userId, id, draft: { ...draft, followers: draft.followers.map((rule) => (isGone(rule.account) ? { ...rule, on: false } : rule)) } })
        switchedOff = true
      }
      return switchedOff
    },
    /** A user's accounts changed, or a login's tokens were replaced or removed. */
    accountsChanged: async ({ userId }: OfUser): Promise<void> => {
      await lines.renew(userId)
      await lines.readAccounts(userId)
      keepLines()
      live.touch(userId)
    },
  }
  return { calls, close, setElsewhere, reportArmed }
}
