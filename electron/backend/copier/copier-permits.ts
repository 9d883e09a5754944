import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { Log } from '#shared/base/log.ts'
import { createCloudLeases, type CloudLeases } from '../cloud/leases.ts'
import type { Entries } from './engine/calls.ts'
import type { Rights } from '../plans/rights.ts'
import { createKeyedMutex } from '../mutex.ts'
import { createCloudClient, type CloudIdentity } from '../cloud/client.ts'
import { demoUserId } from '../demo-user.ts'

/** A group's followers that need a lease. */
export type PermittedGroup = { readonly userId: string; readonly id: string; readonly accounts: readonly string[]; readonly dryRun: boolean }

/** The result of a lease request; `alone` without a lease-keeping cloud. */
export type LeaseOutcome = 'granted' | 'alone' | 'elsewhere' | 'plan-limit' | 'plan-needed' | 'cloud-unreachable'

type Deps = {
  readonly rights: Pick<Rights, 'holds'>
  /** The lease calls of the user's cloud; null without one. */
  readonly leasesOf: (userId: string) => Promise<CloudLeases | null>
  readonly machine: string
  /** Called with whether a group may enter, first and on every change. */
  readonly allow: (group: PermittedGroup, entries: Entries, elsewhere: readonly string[]) => Promise<void>
  readonly log: Pick<Log, 'warn'>
  /** UTC ms. */
  readonly now: () => number
  /** Monotonic ms; may stop while the computer sleeps. */
  readonly uptime?: () => number
  readonly everyMs?: number
}

const leaseSeconds = 60
/** Ends a lease this long before the cloud does, so that nothing is in flight then. */
const marginMs = 5_000
const renewedAfterMs = 20_000
const triedAgainAfterMs = 5_000
const goodbyeMs = 3_000

/** A lease, taken at `takenAt` (UTC ms) and `takenUp` (monotonic ms); `ends` is its length in ms, null without a cloud. */
type Lease = { readonly userId: string; readonly accounts: ReadonlySet<string>; readonly takenAt: number; readonly takenUp: number; readonly ends: number | null }
type HeldLease = {
  group: PermittedGroup
  reported: string | null
  reportsAgain: boolean
  lookAt: number
  looking: boolean
  plan: boolean
  elsewhere: readonly string[]
  /** The last report allows entries. */
  mayEnter: boolean
}

/** Decides which groups may enter trades: by plan, and by a cloud lease, so that no two computers copy to one account. */
export type Permits = ReturnType<typeof createPermits>

export const createPermits = ({ rights, leasesOf, machine, allow, log, now, uptime = () => performance.now(), everyMs = 1_000 }: Deps) => {
  const leases = new Map<string, Lease>()
  const held = new Map<string, HeldLease>()
  // A lease that is taken again must not be given back by what was sent before.
  const runExclusive = createKeyedMutex()
  let stopped = false

  // Two clocks: one stops during sleep, the other can be set.
  const holds = ({ id, accounts, dryRun }: PermittedGroup): boolean => {
    const lease = leases.get(id)
    if (dryRun || lease === undefined) return dryRun
    const { ends, takenAt, takenUp } = lease
    return accounts.every((account) => lease.accounts.has(account)) && (ends === null || (uptime() - takenUp < ends && now() - takenAt < ends && takenAt - now() < marginMs))
  }

  const ask = async (group: PermittedGroup): Promise<{ readonly outcome: LeaseOutcome; readonly elsewhere: readonly string[] }> => {
    const { userId, id, accounts, dryRun } = group
    const keep = (takenAt: number, takenUp: number, ends: number | null): void => void leases.set(id, { userId, accounts: new Set(accounts), takenAt, takenUp, ends })
    const cloud = dryRun ? null : await leasesOf(userId)
    if (cloud === null) {
      keep(now(), uptime(), null)
      return { outcome: 'alone', elsewhere: [] }
    }
    return runExclusive(userId, async () => {
      const [takenAt, takenUp] = [now(), uptime()]
      const asked = await cloud.take({ machine, accounts, seconds: leaseSeconds })
      if (!asked.ok) return { outcome: 'cloud-unreachable', elsewhere: [] }
      if (asked.value.outcome === 'granted') keep(takenAt, takenUp, leaseSeconds * 1_000 - marginMs)
      const elsewhere = asked.value.outcome === 'elsewhere' ? (asked.value.accounts ?? accounts) : []
      if (asked.value.outcome === 'granted') return { outcome: 'granted', elsewhere }
      const lease = leases.get(id)
      // Confirmed leases of the other accounts hold until they end.
      const left = asked.value.outcome !== 'elsewhere' || lease === undefined ? [] : [...lease.accounts].filter((account) => !elsewhere.includes(account))
      if (lease === undefined || left.length === 0) leases.delete(id)
      else leases.set(id, { ...lease, accounts: new Set(left) })
      return { outcome: asked.value.outcome, elsewhere }
    })
  }
  const take = async (group: PermittedGroup): Promise<LeaseOutcome> => (await ask(group)).outcome

  /** Takes a lease on the accounts that no other computer has. */
  const askForRest = async (group: PermittedGroup): ReturnType<typeof ask> => {
    const first = await ask(group)
    const accounts = group.accounts.filter((account) => !first.elsewhere.includes(account))
    if (first.outcome !== 'elsewhere' || accounts.length === 0) return first
    const { outcome, elsewhere } = await ask({ ...group, accounts })
    return { outcome, elsewhere: [...first.elsewhere, ...elsewhere] }
  }

  /** Releases accounts of a group, except those that another group here copies to. Never rejects: an unreleased lease expires. */
  const release = async ({ userId, id, dryRun }: PermittedGroup, given: readonly string[]): Promise<void> => {
    try {
      const cloud = dryRun || given.length === 0 ? null : await leasesOf(userId)
      const released = cloud === null ? null : await runExclusive(userId, async () => {
        const needed = new Set([...leases].flatMap(([of, lease]) => (of !== id && lease.userId === userId ? [...lease.accounts] : [])))
        const accounts = given.filter((account) => !needed.has(account))
        return accounts.length === 0 ? null : cloud.release({ machine, accounts })
      })
      if (released?.ok === false) log.warn({ failure: released.error.kind }, 'copier lease not released')
    } catch (error) {
      log.warn({ error }, 'copier lease not released')
    }
  }
  const giveBack = (group: PermittedGroup): Promise<void> => {
    leases.delete(group.id)
    return release(group, group.accounts)
  }

  /** The group's accounts that this computer may copy to. */
  const restOf = ({ group, elsewhere }: HeldLease): PermittedGroup => ({ ...group, accounts: group.accounts.filter((account) => !elsewhere.includes(account)) })

  const report = (one: HeldLease): void => {
    const entries = !one.plan ? 'plan-ended' : holds(restOf(one)) ? true : 'no-lease'
    const word = JSON.stringify([entries, one.elsewhere])
    if (word === one.reported) return
    one.reported = word
    one.mayEnter = entries === true
    allow(one.group, entries, one.elsewhere).catch((error: unknown) => {
      one.reported = null
      if (!stopped) log.warn({ error }, 'copier did not receive its permit')
    })
  }

  const renew = async (one: HeldLease): Promise<void> => {
    const { group } = one
    const [inPlan, { outcome, elsewhere }] = await Promise.all([rights.holds(group.userId, 'tradecopier'), askForRest(group)])
    // The group may have been disarmed meanwhile and must not keep other computers out.
    if (!held.has(group.id)) return giveBack(group)
    // Without an answer the last permit holds.
    if (outcome !== 'cloud-unreachable') one.elsewhere = elsewhere
    one.plan = inPlan && outcome !== 'plan-limit' && outcome !== 'plan-needed'
    one.lookAt = uptime() + (holds(restOf(one)) && outcome !== 'cloud-unreachable' ? renewedAfterMs : triedAgainAfterMs)
  }
  const lookAt = (one: HeldLease): void => {
    one.looking = true
    renew(one)
      .catch((error: unknown) => {
        one.lookAt = uptime() + triedAgainAfterMs
        log.warn({ error }, 'copier lease not renewed')
      })
      .finally(() => {
        one.looking = false
        // A changed group forgets which accounts are elsewhere.
        if (one.reportsAgain) one.reported = null
        one.reportsAgain = false
        if (held.get(one.group.id) === one) report(one)
      })
  }
  const turn = (): void => {
    for (const one of held.values()) {
      if (one.mayEnter && !holds(restOf(one))) one.lookAt = -Infinity
      if (one.reported !== null) report(one)
      if (!one.looking && uptime() >= one.lookAt) lookAt(one)
    }
  }
  const timer = setInterval(turn, everyMs).unref()

  return {
    /** What keeps two computers from copying to one account: the cloud, or the user's word that there is no other. */
    holder: async (userId: string): Promise<'cloud' | 'alone'> => ((await leasesOf(userId)) === null ? 'alone' : 'cloud'),
    /** Takes a lease on all of the group's accounts, or on none. A dry run needs none. */
    take,
    /** Releases the lease of a failed arming. */
    giveBack,
    /** Sets the armed groups: renews their leases, releases all others, and reports to each group whether it may enter, now and on every change. */
    hold: (groups: readonly PermittedGroup[]): void => {
      const wanted = new Set(groups.map(({ id }) => id))
      for (const [id, { group }] of held) {
        if (wanted.has(id)) continue
        held.delete(id)
        void giveBack(group)
      }
      for (const group of groups) {
        const before = held.get(group.id)
        if (before !== undefined && JSON.stringify(before.group) === JSON.stringify(group)) continue
        const left = before?.group.accounts.filter((account) => !group.accounts.includes(account)) ?? []
        if (before !== undefined) void release(before.group, left)
        held.set(group.id, { group, reported: before?.reported ?? null, reportsAgain: before !== undefined, lookAt: -Infinity, looking: false, plan: before?.plan ?? true, elsewhere: before?.elsewhere.filter((account) => group.accounts.includes(account)) ?? [], mayEnter: before?.mayEnter ?? false })
      }
      turn()
    },
    /** Renews due leases and reports changes; runs every second. */
    turn,
    /** Rechecks every group now: the computer slept, or rights changed. */
    look: (): void => {
      for (const one of held.values()) one.lookAt = -Infinity
      turn()
    },
    /** Releases all leases, waiting only briefly. */
    stop: async (): Promise<void> => {
      stopped = true
      clearInterval(timer)
      const groups = [...held.values()].map(({ group }) => group)
      held.clear()
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const patience = setTimeout(resolve, goodbyeMs, undefined)
      await Promise.race([Promise.all(groups.map(giveBack)), promise])
      clearTimeout(patience)
    },
  }
}

/** Short timeout: a lease is requested three times a minute. */
const leaseTimeoutMs = 10_000

/** The lease calls of each user's cloud; null without one. The demo broker runs on this computer, so it needs none. */
export const leasesBy = (identityOf: (userId: string) => Promise<CloudIdentity | null>): ((userId: string) => Promise<CloudLeases | null>) => {
  const known = new Map<string, CloudLeases>()
  return async (userId) => {
    const identity = userId === demoUserId ? null : await identityOf(userId)
    if (identity === null) return null
    return getOrInsert(known, userId, () => createCloudLeases(createCloudClient(identity, leaseTimeoutMs)))
  }
}
