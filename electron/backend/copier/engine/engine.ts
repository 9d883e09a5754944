import type { Log } from '#shared/base/log.ts'
import type { CallKind, CallAllowance } from '#shared/copier/budget.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { steadily, wallOf, type Timing } from '../../brokers/timing.ts'
import type { Logins } from '../../sync/logins.ts'
import type { TokenCalls } from '../../sync/token-keeper.ts'
import type { Client } from '../../threads/rpc.ts'
import type { CopierStore } from '../store/copier-store.ts'
import type { CopierMainCalls } from './calls.ts'
import { createCommands } from './commands.ts'
import { createCopiedOrders } from './copied-orders.ts'
import { createDayWatch } from './day-watch.ts'
import { createCopyNewFills } from './copy-and-repair.ts'
import { groupFrom, unsavedChangesOf } from './saved-groups.ts'
import { beginSession, createFactIntake } from './fact-intake.ts'
import type { BrokerLine, LineDeps } from './line.ts'
import { createLines } from './lines-open.ts'
import { createLiveState } from './live-state.ts'
import { lookAfter, manageLeftOrders } from './maintain-groups.ts'
import { createOrderEnds, followOrders } from './order-progress.ts'
import { createOrderGateway } from './order-gateway.ts'
import { createClosing } from './positions-close.ts'
import { createReadings } from './readings.ts'
import { adoptMissingOrders, isCopiedElsewhere, isOfGroupHere, recoverOrders } from './recovery.ts'
import { createWatch } from './watch.ts'
import { emptyWorld, followsHere, hasOrders, isInUse, isUp, lineKey, type Account, type Group } from './world.ts'

/** Dependencies of the engine. */
type EngineDeps = {
  readonly store: CopierStore
  readonly main: Client<Omit<CopierMainCalls, keyof TokenCalls>>
  readonly logins: Pick<Logins, 'open' | 'forget'>
  readonly openLine: (deps: LineDeps) => BrokerLine
  readonly timing: Timing
  /** Broker calls per login in a rolling hour. */
  readonly callsPerHour: number
  readonly log: Log
  /** Calls `work` every `ms` milliseconds; tests count the rounds. */
  readonly repeat?: (work: () => void, ms: number) => NodeJS.Timeout
}

/** The slow loop's interval, and the gap between two rounds that means the computer slept. */
const roundMs = 1_000
const sleptMs = 5_000
/** Delay before rereading accounts that failed at startup. */
const againMs = 5_000

/** Other work pauses this long after a leader's fill, so it does not delay the copies. */
const onTheWireMs = 25

/** The copier thread's calls. */
export type CopierCalls = ReturnType<typeof startEngine>

/** Starts copying; armed groups resume. Returns the thread's calls. */
export const startEngine = ({ store, main, logins, openLine, timing: given, callsPerHour, log, repeat = setInterval }: EngineDeps) => {
  const timing = steadily(given)
  const world = emptyWorld()
  const owed = new Map<string, number>()
  const waiters = new Set<() => void>()
  const copiedOrders = createCopiedOrders({ main, marked: (clOrdId) => gateway.record({ clOrdId, unmarked: false }), log })
  const dirty = new Set<Group>()
  let scheduled = false
  let quietUntil = 0
  let stopped = false
  let day = tradingDay(wallOf(timing))
  // During shutdown the receiver may be gone.
  const ignoreFailure = (call: Promise<unknown>): void => void call.catch(() => undefined)

  /** A failed tick, for example on a full disk, must not end the thread: the next round redoes its work. */
  const safely = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      log.error({ error }, 'copier tick failed')
    }
  }

  const later = (ms: number, work: () => void): void =>
    void setTimeout(() => {
      if (!stopped) safely(work)
    }, ms)

  /** Takes a broker call of this kind from the budget of an account's login, if it allows one now. */
  const takeCall = (account: Account, kind: CallKind): CallAllowance => {
    const allowance = world.budgets.get(account.loginId)?.ask(kind, performance.now()) ?? { ok: true }
    if (allowance.ok) owed.set(account.loginId, (owed.get(account.loginId) ?? 0) + 1)
    return allowance
  }
  /** Returns a taken call that was not made. */
  const giveBack = ({ loginId }: Account): void => {
    world.budgets.get(loginId)?.giveBack()
    owed.set(loginId, Math.max(0, (owed.get(loginId) ?? 0) - 1))
  }
  const groupsOf = (account: Account): Group[] => [...world.groups.values()].filter((group) => group.userId === account.userId && (group.settings.leader === account.key || group.followers.has(account.key) || group.left.has(account.key)))
  const followersOf = (account: Account) =>
    groupsOf(account).flatMap((group) => {
      const follower = group.followers.get(account.key) ?? group.left.get(account.key)
      return follower === undefined ? [] : [{ group, follower }]
    })

  /** Schedules a look at a group after the current turn of the event loop. */
  const touch = (group: Group): void => {
    dirty.add(group)
    if (scheduled || stopped) return
    scheduled = true
    const run = (): void => {
      scheduled = false
      if (!stopped) safely(runDirty)
    }
    const quiet = quietUntil - performance.now()
    if (quiet > 0) setTimeout(run, quiet)
    // One turn after the requests of this turn, which are written at its end.
    else setImmediate(() => setImmediate(run))
  }
  const touchAccount = (account: Account): void => groupsOf(account).forEach(touch)

  const ends = createOrderEnds({
    world,
    gateway: () => gateway,
    timing,
    copied: ({ userId, key }, { orderId, clOrdId }) => copiedOrders.add(userId, { account: key, orderId: String(orderId), clOrdId }),
  })
  const gateway = createOrderGateway({
    world,
    store,
    timing,
    log,
    unsaved: () => unsavedChangesOf(world, timing.now()),
    giveBack,
    outcome: (account, order, outcome) => {
      if (stopped) return
      ends.handleOutcome(account, order, outcome)
      progressAndTouch(account)
    },
  })
  const stepDeps = { world, gateway, timing, takeCall }
  const copyNewFills = createCopyNewFills({ steps: stepDeps, store, later })
  const isUnsaved = (group: Group): boolean => gateway.isFailing() && (group.changed || [...group.followers.values()].some(({ changed }) => changed))
  const live = createLiveState({ world, timing, dayOf: (account) => watch.dayOf(account), isUnsaved, publish: (userId, now) => ignoreFailure(main.live({ userId, live: now })) })

  const progress = (account: Account): void => {
    // After a silence or a cut, trust nothing until everything is reread.
    if (!isUp(world, account)) return
    const followers = followersOf(account)
    // If another computer trades while the lease cannot be checked, the lease is lost.
    for (const { group, follower } of followers) {
      if (group.state !== 'off' && group.entries === 'no-lease' && !group.settings.dryRun && !follower.elsewhere && isCopiedElsewhere(world, account, follower)) commands.setElsewhere(group, follower, true)
    }
    safely(() => adoptMissingOrders(world, store, account, followers, timing.now()))
    followOrders({ gateway, filled: ends.filled, ended: ends.ended, isOurs: (clOrdId) => isOfGroupHere(world, clOrdId) }, account, followers, world.lines.get(lineKey(account))?.listedSince ?? 0)
  }
  const progressAndTouch = (account: Account): void => {
    progress(account)
    touchAccount(account)
  }
  const readGaps = createReadings({
    world,
    gateway,
    timing,
    takeCall,
    read: (line) => {
      for (const account of world.accounts.values()) {
        if (lineKey(account) === line.key) progressAndTouch(account)
      }
    },
    neverArrived: touchAccount,
    log,
  })

  const lookAll = (): void => {
    for (const look of [...waiters]) look()
  }
  const runDirty = (): void => {
    const groups = [...dirty]
    dirty.clear()
    for (const group of groups) {
      safely(() => lookAfter(stepDeps, copyNewFills, group))
      live.touch(group.userId)
    }
    safely(() => manageLeftOrders(stepDeps))
    gateway.flush()
    readGaps()
    void copiedOrders.report()
    lookAll()
  }

  /** Until it succeeds, the copier sends nothing in the account, because it could send an order twice; the broker can still close it. */
  const recover = (account: Account): void => safely(() => recoverOrders(world, store, account, timing.now()))
  const intake = createFactIntake({
    world, timing, groupsOf, progress, touch,
    copyNewFills: (group) => {
      if (!copyNewFills(group)) return
      quietUntil = performance.now() + onTheWireMs
      watch.hush(onTheWireMs)
    },
  })
  const lines = createLines({
    world, main, logins, openLine, timing, callsPerHour, owed, log,
    onEvent: (line, event) => {
      if (stopped) return
      safely(() => intake(line, event))
      watch.take(line, event)
      lookAll()
    },
    found: recover,
  })
  const keepLines = (): void => {
    // If one account copies live, none of the user's others may hedge it: read them all.
    const copying = new Set([...world.groups.values()].filter(({ state, settings }) => state !== 'off' && !settings.dryRun).map(({ userId }) => userId))
    lines.keep([...world.accounts.values()].filter((account) => copying.has(account.userId) || watch.isWatched(account.userId) || closing.isClosing(account) || isInUse(world, account) || hasOrders(account)))
  }

  const until = (look: () => boolean, ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const finish = (found: boolean): void => {
        waiters.delete(check)
        clearTimeout(timer)
        resolve(found)
      }
      const check = (): void => {
        if (stopped || look()) finish(!stopped)
      }
      const timer = setTimeout(() => finish(look()), ms)
      waiters.add(check)
      check()
    })

  const watch = createWatch({ world, main, logins, timing, takeCall, lines, keepLines, quietMs: () => quietUntil - performance.now(), log })
  const closing = createClosing({ world, gateway, timing, takeCall, until, stopped: () => stopped, lines, keepLines, touch: progressAndTouch, log })
  const renew = async (userId: string): Promise<void> => {
    watch.renew(userId)
    await lines.renew(userId)
  }
  const commands = createCommands({
    world, store, gateway, timing, until, touch, live, keepLines, main, log,
    liquidate: ({ userId, key }) => closing.calls.flattenAccount({ userId, account: key }),
    stopped: () => stopped,
    lines: { ...lines, renew },
  })
  const days = createDayWatch({
    world,
    timing,
    want: watch.wantOpen,
    close: (group, follower) => void commands.close(group, follower),
    changed: touch,
    log,
  })

  /** Reclaims accounts of active groups from a profile that no longer copies with them. */
  const regainAccounts = (): void => {
    const users = new Set<string>()
    for (const group of world.groups.values()) {
      if (group.state === 'off') continue
      for (const key of [group.settings.leader, ...[...group.followers.values()].filter(followsHere).map(({ account }) => account)]) {
        const account = world.accounts.get(key)
        if (account !== undefined && account.userId !== group.userId && !isInUse(world, account)) users.add(group.userId)
      }
    }
    for (const userId of users) void lines.readAccounts(userId).catch((error: unknown) => log.warn({ error }, 'reading the accounts of another profile failed'))
  }

  let rounded = timing.now()
  const round = (): void => {
    const now = timing.now()
    if (now - rounded > sleptMs) lines.reopenAll()
    rounded = now
    const today = tradingDay(wallOf(timing))
    if (today !== day) {
      day = today
      beginSession(world, today, { now, over: ({ intent }) => gateway.record({ clOrdId: intent.clOrdId, counts: false }) })
    }
    for (const account of world.accounts.values()) {
      // Retry a cancel without effect.
      for (const order of account.ours.values()) if (order.cancelMs !== null && now - order.cancelMs > 10_000) order.cancelMs = null
      if (!account.recovered) recover(account)
      if (isUp(world, account)) progress(account)
      if (account.gone && !hasOrders(account)) world.accounts.delete(account.key)
    }
    regainAccounts()
    keepLines()
    days.look()
    watch.look()
    for (const group of world.groups.values()) {
      dirty.add(group)
      live.touch(group.userId)
    }
    runDirty()
  }
  const timer = repeat(() => safely(round), roundMs)

  /** Retries until the accounts are read: copying waits for them. */
  const findAccounts = async (userId: string): Promise<void> => {
    try {
      await lines.readAccounts(userId)
    } catch (error) {
      log.error({ error }, 'reading the accounts to copy with failed')
      later(againMs, () => void findAccounts(userId))
    }
  }
  const start = async (): Promise<void> => {
    for (const saved of store.groups()) world.groups.set(saved.id, groupFrom(store, saved, timing.now()))
    for (const { userId, account, orderId, clOrdId } of store.unmarkedOrders()) copiedOrders.add(userId, { account, orderId: String(orderId), clOrdId })
    // Orders of a removed group may still work and are managed all the same.
    const users = new Set([...[...world.groups.values()].map(({ userId }) => userId), ...store.usersWithOrders()])
    await Promise.all([...users].map(findAccounts))
    keepLines()
    commands.reportArmed()
  }
  const started = start().catch((error: unknown) => log.error({ error }, 'starting the copier failed'))

  return {
    ...commands.calls,
    ...watch.calls,
    ...closing.calls,
    /** The computer slept: reopens and rereads every line. */
    woke: (): void => {
      rounded = timing.now()
      lines.reopenAll()
    },
    /** Stops sending, writes pending state, ends the thread. */
    stop: async (): Promise<void> => {
      stopped = true
      clearInterval(timer)
      lookAll()
      live.stop()
      watch.stop()
      await started
      await gateway.stop()
      await lines.stop()
      await copiedOrders.report()
    },
  }
}
