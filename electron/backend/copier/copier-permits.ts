import type { Log } from '#shared/base/log.ts'
import type { CloudLeases } from '../cloud/leases.ts'
import type { Entries } from './engine/world.ts'
import type { Rights } from '../plans/rights.ts'
import { createKeyedMutex } from '../mutex.ts'

/** A group as leases see it: the accounts that it copies to. */
export type PermittedGroup = { readonly userId: string; readonly id: string; readonly accounts: readonly string[]; readonly dryRun: boolean }

/** What came of asking for a lease; `alone` where there is no cloud that keeps any. */
export type LeaseOutcome = 'granted' | 'alone' | 'elsewhere' | 'plan-limit' | 'plan-needed' | 'cloud-unreachable'

/** Who may enter trades: by plan, and by a lease of the cloud, so that no two computers copy to one account. */
export type Permits = {
  /** Who keeps two computers from copying to one account: the cloud, or the user, who says that there is no other. */
  readonly holder: (userId: string) => Promise<'cloud' | 'alone'>
  /** Takes a lease of all of the group's accounts, or none. A dry run needs none. */
  readonly take: (group: PermittedGroup) => Promise<LeaseOutcome>
  /** Gives back what an arming took that came to nothing. */
  readonly giveBack: (group: PermittedGroup) => Promise<void>
  /** The groups that stand armed now: the leases of these are prolonged, those of others given back, and each is told whether it may enter, again whenever that changes. */
  readonly hold: (groups: readonly PermittedGroup[]) => void
  /** Prolongs what is due, and tells what changed: it happens by itself each second. */
  readonly turn: () => void
  /** Whether every group may enter is asked now: the computer slept, or rights changed. */
  readonly look: () => void
  /** Gives all leases back, but waits no longer than a moment for it. */
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly rights: Pick<Rights, 'holds'>
  /** The leases of the user's cloud; null where there is none. */
  readonly leasesOf: (userId: string) => Promise<CloudLeases | null>
  readonly machine: string
  /** Told whether a group may enter: at first, and whenever that changes. */
  readonly allow: (group: PermittedGroup, entries: Entries, elsewhere: readonly string[]) => Promise<void>
  readonly log: Pick<Log, 'warn'>
  /** UTC ms. */
  readonly now: () => number
  /** Ms that only grow, but may stand still while the computer sleeps. */
  readonly uptime?: () => number
  readonly everyMs?: number
}

const leaseSeconds = 60
/** Before the cloud ends a lease, nothing more may be under way for it. */
const marginMs = 5_000
const renewedAfterMs = 20_000
const triedAgainAfterMs = 5_000
const goodbyeMs = 3_000

type Lease = { readonly userId: string; readonly accounts: ReadonlySet<string>; readonly takenAt: number; readonly takenUp: number; readonly ends: number | null }
type Held = { group: PermittedGroup; told: string | null; tellsAgain: boolean; lookAt: number; looking: boolean; plan: boolean; elsewhere: readonly string[]; /** What was told last allows entries. */ mayEnter: boolean }

/** Permits over the user's rights and the leases of the cloud. */
export const createPermits = ({ rights, leasesOf, machine, allow, log, now, uptime = () => performance.now(), everyMs = 1_000 }: Deps): Permits => {
  const leases = new Map<string, Lease>()
  const held = new Map<string, Held>()
  // A lease that is taken again must not be given back by what was sent before.
  const runExclusive = createKeyedMutex()
  let stopped = false

  // Two clocks: the one stands still while the computer sleeps, the other can be set.
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
      // What the cloud confirmed of the other accounts stands until its end.
      const left = asked.value.outcome !== 'elsewhere' || lease === undefined ? [] : [...lease.accounts].filter((account) => !elsewhere.includes(account))
      if (lease === undefined || left.length === 0) leases.delete(id)
      else leases.set(id, { ...lease, accounts: new Set(left) })
      return { outcome: asked.value.outcome, elsewhere }
    })
  }
  const take = async (group: PermittedGroup): Promise<LeaseOutcome> => (await ask(group)).outcome

  /** Takes a lease of those accounts that no other computer has. */
  const askForRest = async (group: PermittedGroup): ReturnType<typeof ask> => {
    const first = await ask(group)
    const accounts = group.accounts.filter((account) => !first.elsewhere.includes(account))
    if (first.outcome !== 'elsewhere' || accounts.length === 0) return first
    const { outcome, elsewhere } = await ask({ ...group, accounts })
    return { outcome, elsewhere: [...first.elsewhere, ...elsewhere] }
  }

  /** Gives back accounts of a group, but for those that another group of this computer copies to as well. It never rejects: what is not given back ends by itself. */
  const release = async ({ userId, id, dryRun }: PermittedGroup, given: readonly string[]): Promise<void> => {
    try {
      const cloud = dryRun || given.length === 0 ? null : await leasesOf(userId)
      const released = cloud === null ? null : await runExclusive(userId, async () => {
        const needed = new Set([...leases].flatMap(([of, lease]) => (of !== id && lease.userId === userId ? [...lease.accounts] : [])))
        const accounts = given.filter((account) => !needed.has(account))
        return accounts.length === 0 ? null : cloud.release({ machine, accounts })
      })
      if (released?.ok === false) log.warn({ failure: released.error.kind }, 'A lease of the copier was not given back')
    } catch (error) {
      log.warn({ error }, 'A lease of the copier was not given back')
    }
  }
  const giveBack = (group: PermittedGroup): Promise<void> => {
    leases.delete(group.id)
    return release(group, group.accounts)
  }

  /** The accounts of a group that are this computer's to copy to. */
  const restOf = ({ group, elsewhere }: Held): PermittedGroup => ({ ...group, accounts: group.accounts.filter((account) => !elsewhere.includes(account)) })

  const tell = (one: Held): void => {
    const entries = !one.plan ? 'plan-ended' : holds(restOf(one)) ? true : 'no-lease'
    const word = JSON.stringify([entries, one.elsewhere])
    if (word === one.told) return
    one.told = word
    one.mayEnter = entries === true
    allow(one.group, entries, one.elsewhere).catch((error: unknown) => {
      one.told = null
      if (!stopped) log.warn({ error }, 'The copier was not told what it may')
    })
  }

  const renew = async (one: Held): Promise<void> => {
    const { group } = one
    const [inPlan, { outcome, elsewhere }] = await Promise.all([rights.holds(group.userId, 'tradecopier'), askForRest(group)])
    // It may have been disarmed meanwhile, and must not keep other computers out.
    if (!held.has(group.id)) return giveBack(group)
    // While nobody can be asked, what was said last stands.
    if (outcome !== 'cloud-unreachable') one.elsewhere = elsewhere
    one.plan = inPlan && outcome !== 'plan-limit' && outcome !== 'plan-needed'
    one.lookAt = uptime() + (holds(restOf(one)) && outcome !== 'cloud-unreachable' ? renewedAfterMs : triedAgainAfterMs)
  }
  const lookAt = (one: Held): void => {
    one.looking = true
    renew(one)
      .catch((error: unknown) => {
        one.lookAt = uptime() + triedAgainAfterMs
        log.warn({ error }, 'A lease of the copier was not prolonged')
      })
      .finally(() => {
        one.looking = false
        // Whoever was changed does not remember which accounts are elsewhere.
        if (one.tellsAgain) one.told = null
        one.tellsAgain = false
        if (held.get(one.group.id) === one) tell(one)
      })
  }
  const turn = (): void => {
    for (const one of held.values()) {
      if (one.mayEnter && !holds(restOf(one))) one.lookAt = -Infinity
      if (one.told !== null) tell(one)
      if (!one.looking && uptime() >= one.lookAt) lookAt(one)
    }
  }
  const timer = setInterval(turn, everyMs).unref()

  return {
    holder: async (userId) => ((await leasesOf(userId)) === null ? 'alone' : 'cloud'),
    take,
    giveBack,
    hold: (groups) => {
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
        held.set(group.id, { group, told: before?.told ?? null, tellsAgain: before !== undefined, lookAt: -Infinity, looking: false, plan: before?.plan ?? true, elsewhere: before?.elsewhere.filter((account) => group.accounts.includes(account)) ?? [], mayEnter: before?.mayEnter ?? false })
      }
      turn()
    },
    turn,
    look: () => {
      for (const one of held.values()) one.lookAt = -Infinity
      turn()
    },
    stop: async () => {
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
