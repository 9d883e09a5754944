import type { CallKind, CallLeave } from '#shared/copier/budget.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { CopierCalls } from './calls.ts'
import { createCommands } from './commands.ts'
import { createCopiedOrders } from './copied-orders.ts'
import { createDayWatch } from './day-watch.ts'
import type { EngineParts } from './engine-parts.ts'
import { createFastPath } from './fast-path.ts'
import { groupFrom, standingOf } from './groups-kept.ts'
import { beginSession, createHearing } from './hearing.ts'
import { createLines } from './lines-open.ts'
import { createLiveState } from './live-state.ts'
import { lookAfter, tendLeft } from './look-after.ts'
import { createOrderEnds } from './order-ends.ts'
import { followOrders } from './order-progress.ts'
import { createOutlet } from './orders-out.ts'
import { createReadings } from './readings.ts'
import { adoptStrays, isCopiedElsewhere, isOfGroupHere, recoverOrders } from './recovery.ts'
import { createWatching } from './watching.ts'
import { emptyWorld, followsHere, hasOrders, isAtWorkIn, isUp, lineKey, type Account, type Group } from './world.ts'

/** The slow loop's pace, and the gap between two of its rounds that tells of a sleep. */
const roundMs = 1_000
const sleptMs = 5_000
/** Accounts that could not be read at the start are read again after this long. */
const againMs = 5_000

/** So long after a leader's fill nothing but its copies is worked on: what else there is would hold them up on their way out. */
const onTheWireMs = 25

/** Starts copying: groups that stood armed go on by themselves. What it gives is all that the thread can be asked. */
export const startEngine = ({ store, main, logins, openLine, timing, callsPerHour, log }: EngineParts): CopierCalls => {
  const world = emptyWorld()
  const owed = new Map<string, number>()
  const waiters = new Set<() => void>()
  const copiedOrders = createCopiedOrders({ main, log })
  const dirty = new Set<Group>()
  let scheduled = false
  let quietUntil = 0
  let stopped = false
  let day = tradingDay(timing.now())
  // What is told while the program ends may find nobody to hear it.
  const tell = (told: Promise<unknown>): void => void told.catch(() => undefined)

  /** A failure of one turn, as of a full disk, must not end the thread: what was not done is found again by the next round. */
  const safely = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      log.error({ error }, 'The copier could not do what was to be done')
    }
  }

  const later = (ms: number, work: () => void): void =>
    void setTimeout(() => {
      if (!stopped) safely(work)
    }, ms)

  const leave = (account: Account, kind: CallKind): CallLeave => {
    const given = world.budgets.get(account.loginId)?.ask(kind, performance.now()) ?? { ok: true }
    if (given.ok) owed.set(account.loginId, (owed.get(account.loginId) ?? 0) + 1)
    return given
  }
  const groupsOf = (account: Account): Group[] => [...world.groups.values()].filter((group) => group.userId === account.userId && (group.kept.leader === account.key || group.followers.has(account.key) || group.left.has(account.key)))
  const followersOf = (account: Account) =>
    groupsOf(account).flatMap((group) => {
      const follower = group.followers.get(account.key) ?? group.left.get(account.key)
      return follower === undefined ? [] : [{ group, follower }]
    })

  /** Looks at a group again once what is under way in this turn of the loop is done. */
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
    // A round later than the requests of this turn, which are written at the end of it.
    else setImmediate(() => setImmediate(run))
  }
  const touchAccount = (account: Account): void => groupsOf(account).forEach(touch)

  const ends = createOrderEnds({
    world,
    store,
    outlet: () => outlet,
    timing,
    copied: ({ userId, key }, orderId) => copiedOrders.add(userId, { account: key, orderId: String(orderId) }),
  })
  const outlet = createOutlet({
    world,
    store,
    timing,
    log,
    standing: () => standingOf(world.groups.values()),
    heard: (account, order, news) => {
      if (stopped) return
      ends.heard(account, order, news)
      progress(account)
      touchAccount(account)
    },
  })
  const steps = { world, outlet, timing, leave }
  const fastPath = createFastPath({ steps, store, later })
  const live = createLiveState({ world, timing, dayOf: (account) => watching.dayOf(account), tell: (userId, now) => tell(main.live({ userId, live: now })) })

  const progress = (account: Account): void => {
    // After a silence or a cut nothing is relied on before all was read.
    if (!isUp(world, account)) return
    const followers = followersOf(account)
    // Who cannot ask for a lease, and sees that another computer trades for it, has lost it.
    for (const { group, follower } of followers) {
      if (group.state !== 'off' && group.entries === 'no-lease' && !group.kept.dryRun && !follower.elsewhere && isCopiedElsewhere(world, account, follower)) commands.setElsewhere(group, follower, true)
    }
    adoptStrays(world, store, account, followers, timing.now())
    followOrders({ outlet, filled: ends.filled, ended: ends.ended, isOurs: (clOrdId) => isOfGroupHere(world, clOrdId) }, account, followers, world.lines.get(lineKey(account))?.listedSince ?? 0)
  }
  const readings = createReadings({
    world,
    outlet,
    timing,
    leave,
    read: (line) => {
      for (const account of world.accounts.values()) {
        if (lineKey(account) !== line.key) continue
        progress(account)
        touchAccount(account)
      }
    },
    neverArrived: (account) => touchAccount(account),
    log,
  })

  const lookAll = (): void => {
    for (const look of [...waiters]) look()
  }
  const runDirty = (): void => {
    const groups = [...dirty]
    dirty.clear()
    for (const group of groups) {
      safely(() => lookAfter({ steps, store, fastPath }, group))
      live.touch(group.userId)
    }
    safely(() => tendLeft(steps))
    readings.look()
    void copiedOrders.tell()
    lookAll()
  }

  const hear = createHearing({ world, timing, groupsOf, progress, touch, copy: (group) => {
    if (!fastPath.now(group)) return
    quietUntil = performance.now() + onTheWireMs
    watching.hush(onTheWireMs)
  } })
  const lines = createLines({ world, main, logins, openLine, timing, callsPerHour, log, said: (line, event) => {
      if (stopped) return
      safely(() => hear(line, event))
      watching.heard(line, event)
      lookAll()
    }, found: (account) => recoverOrders(world, store, account, timing.now()), owed })
  const keepLines = (): void => {
    // Where one of a user's accounts copies for real, no other may be on the opposite side: all of them are read.
    const copying = new Set([...world.groups.values()].filter(({ state, kept }) => state !== 'off' && !kept.dryRun).map(({ userId }) => userId))
    lines.keep([...world.accounts.values()].filter((account) => copying.has(account.userId) || watching.needs(account) || isAtWorkIn(world, account) || hasOrders(account)))
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

  const watching = createWatching({ world, store, main, logins, timing, leave, lines, keepLines, quietMs: () => quietUntil - performance.now(), until, stopped: () => stopped, touch: (account) => {
    progress(account)
    touchAccount(account)
  }, log })
  const renew = async (userId: string): Promise<void> => {
    watching.renew(userId)
    await lines.renew(userId)
  }
  const commands = createCommands({ world, store, outlet, timing, until, stopped: () => stopped, touch, live, lines: { ...lines, renew }, keepLines, told: main, log })
  const days = createDayWatch({
    world,
    store,
    timing,
    want: watching.wantOpen,
    close: (group, follower) => void commands.close(group, follower),
    changed: touch,
    log,
  })

  /** Takes back accounts of groups at work from a profile that does not copy with them any more. */
  const regainAccounts = (): void => {
    const users = new Set<string>()
    for (const group of world.groups.values()) {
      if (group.state === 'off') continue
      for (const key of [group.kept.leader, ...[...group.followers.values()].filter(followsHere).map(({ account }) => account)]) {
        const account = world.accounts.get(key)
        if (account !== undefined && account.userId !== group.userId && !isAtWorkIn(world, account)) users.add(group.userId)
      }
    }
    for (const userId of users) void lines.readAccounts(userId).catch((error: unknown) => log.warn({ error }, 'The accounts of another profile could not be read'))
  }

  let rounded = timing.now()
  const round = (): void => {
    const now = timing.now()
    if (now - rounded > sleptMs) lines.reopenAll()
    rounded = now
    const today = tradingDay(now)
    if (today !== day) {
      day = today
      beginSession(world, today)
    }
    for (const account of world.accounts.values()) {
      // A cancellation of which nothing came is asked again.
      for (const order of account.ours.values()) if (order.cancelMs !== null && now - order.cancelMs > 10_000) order.cancelMs = null
      if (isUp(world, account)) progress(account)
      if (account.gone && !hasOrders(account)) world.accounts.delete(account.key)
    }
    regainAccounts()
    keepLines()
    days.look()
    watching.look()
    for (const group of world.groups.values()) {
      dirty.add(group)
      live.touch(group.userId)
    }
    runDirty()
  }
  const timer = setInterval(() => safely(round), roundMs)

  /** What is copied to waits for its accounts, however often they have to be asked for. */
  const findAccounts = async (userId: string): Promise<void> => {
    try {
      await lines.readAccounts(userId)
    } catch (error) {
      log.error({ error }, 'The accounts to copy with could not be read')
      later(againMs, () => void findAccounts(userId))
    }
  }
  const start = async (): Promise<void> => {
    for (const kept of store.groups()) world.groups.set(kept.id, groupFrom(store, kept, timing.now()))
    // Orders of a group that was removed may work on, and are looked after all the same.
    const users = new Set([...[...world.groups.values()].map(({ userId }) => userId), ...store.usersWithOrders()])
    await Promise.all([...users].map(findAccounts))
    keepLines()
    commands.tellArmed()
  }
  const started = start().catch((error: unknown) => log.error({ error }, 'The copier could not begin'))

  return {
    ...commands.calls,
    ...watching.calls,
    woke: () => {
      rounded = timing.now()
      lines.reopenAll()
    },
    stop: async () => {
      stopped = true
      clearInterval(timer)
      for (const look of [...waiters]) look()
      live.stop()
      watching.stop()
      await started
      await outlet.stop()
      await lines.stop()
      await copiedOrders.tell()
    },
  }
}
