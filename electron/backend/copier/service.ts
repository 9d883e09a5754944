import type { ArmOutcome, CopierLive, CopyGroup, FlattenReport, GroupDraft, GroupFault } from '#shared/api/copier.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { accountsInUse, checkGroup } from '#shared/copier/group-check.ts'
import type { CopierAccount } from './engine/calls.ts'
import type { CopierCalls } from './engine/engine.ts'
import type { Client } from '../threads/rpc.ts'
import type { CopierNotes } from './copier-notes.ts'
import type { Permits, PermittedGroup } from './copier-permits.ts'
import type { Events } from '../events.ts'
import type { Rights } from '../plans/rights.ts'
import { createKeyedMutex } from '../mutex.ts'

type GroupState = CopierLive['groups'][number]['state']

/** The screen's initial state. */
export type CopierState = {
  readonly groups: CopyGroup[]
  readonly live: CopierLive
  readonly limit: number
  readonly used: number
}

/** The trade copier for the screens. Stopping, reducing, and reading need no plan. */
export type Copier = {
  readonly state: (userId: string) => Promise<CopierState>
  /** Saves a group, a new one if `id` is null; returns a fault if invalid. */
  readonly saveGroup: (userId: string, id: string | null, draft: GroupDraft) => Promise<Result<{ group: CopyGroup | null; fault: GroupFault | null }, Refused>>
  /** False for an armed group. */
  readonly removeGroup: (userId: string, id: string) => Promise<Result<boolean, Refused>>
  /** Saves the consent to live copying and returns its time. */
  readonly consent: (userId: string) => Promise<string>
  /** `onlyMachine`: the user confirms that no other computer copies to these accounts. */
  readonly arm: (userId: string, id: string, onlyMachine: boolean) => Promise<Result<ArmOutcome, Refused>>
  readonly disarm: (userId: string, id: string) => Promise<Result<CopierLive, Refused>>
  /** Null is every group of the user. */
  readonly pause: (userId: string, id: string | null) => Promise<Result<CopierLive, Refused>>
  /** The state of the user's groups. */
  readonly live: (userId: string) => Promise<CopierLive>
  /** Resumes every paused group. */
  readonly resumeAll: (userId: string) => Promise<Result<null, Refused>>
  readonly resume: (userId: string, id: string) => Promise<Result<CopierLive, Refused>>
  readonly flatten: (userId: string, id: string) => Promise<Result<readonly FlattenReport[], Refused>>
  readonly answerStart: (userId: string, of: FollowerOf, answer: 'adopt' | 'flatten' | 'leave') => Promise<Result<CopierLive, Refused>>
  readonly settle: (userId: string, of: FollowerOf, answer: 'bring-back' | 'leave') => Promise<Result<CopierLive, Refused>>
  readonly unlock: (userId: string, of: FollowerOf) => Promise<Result<CopierLive, Refused>>
  /** Cancels working exits in accounts that no longer follow. */
  readonly cancelLeft: (userId: string, id: string) => Promise<Result<CopierLive, Refused>>
}

/** A follower of a group. */
export type FollowerOf = { readonly id: string; readonly account: string }

type Deps = {
  readonly calls: Client<CopierCalls>
  readonly rights: Pick<Rights, 'require' | 'copyAccounts'>
  readonly permits: Pick<Permits, 'holder' | 'take' | 'giveBack'>
  readonly notes: Pick<CopierNotes, 'consentedAt' | 'consent'>
  readonly accounts: (userId: string) => Promise<readonly CopierAccount[]>
  readonly events: Pick<Events, 'push'>
  /** UTC ms. */
  readonly now: () => number
}

/** A group's followers that are on, for leases. */
const permittedOf = (userId: string, { id, followers, dryRun }: CopyGroup): PermittedGroup => ({ userId, id, accounts: followers.filter(({ on }) => on).map(({ account }) => account), dryRun })

/** The copier over its thread, the user's rights and the leases. */
export const createCopier = ({ calls, rights, permits, notes, accounts, events, now }: Deps): Copier => {
  // What was checked of a user's groups must still hold when it is written.
  const runExclusive = createKeyedMutex()
  const changed = (userId: string): void => events.push(userId, { type: 'copier-changed' })
  const mayEnter = (userId: string): Promise<Result<null, Refused>> => rights.require(userId, 'tradecopier')

  /** The user's groups and the named one; refused if it is not among them. */
  const find = async (userId: string, id: string): Promise<Result<{ readonly group: CopyGroup; readonly groups: readonly CopyGroup[]; readonly state: GroupState; readonly stops: number }, Refused>> => {
    const { groups, live, stops } = await calls.state({ userId })
    const group = groups.find((one) => one.id === id)
    return group === undefined ? refuse('not-found') : ok({ group, groups, state: live.groups.find((one) => one.id === id)?.state ?? 'off', stops })
  }
  const ofGroup = async <T>(userId: string, id: string, work: () => Promise<T>): Promise<Result<T, Refused>> => {
    const found = await find(userId, id)
    return found.ok ? ok(await work()) : found
  }
  const ofFollower = async <T>(userId: string, { id, account }: FollowerOf, work: () => Promise<T>): Promise<Result<T, Refused>> => {
    const found = await find(userId, id)
    if (!found.ok) return found
    return found.value.group.followers.some((follower) => follower.account === account) ? ok(await work()) : refuse('not-found')
  }

  /** Why a group cannot be armed; null if it can, and then the lease is taken. */
  const keepsFrom = async (userId: string, { group, groups }: { readonly group: CopyGroup; readonly groups: readonly CopyGroup[] }, onlyMachine: boolean): Promise<ArmOutcome | null> => {
    const may = await mayEnter(userId)
    if (!may.ok) return may.error.code === 'cloud-unreachable' ? 'cloud-unreachable' : 'plan-needed'
    const wanted = permittedOf(userId, group)
    if (wanted.accounts.length === 0) return 'nothing-on'
    if (accountsInUse(groups) > (await rights.copyAccounts(userId))) return 'plan-limit'
    if (group.dryRun) return null
    if (notes.consentedAt(userId) === null) return 'consent-needed'
    if (!onlyMachine && (await permits.holder(userId)) === 'alone') return 'only-machine-needed'
    const lease = await permits.take(wanted)
    return lease === 'granted' || lease === 'alone' ? null : lease === 'elsewhere' ? 'lease-elsewhere' : lease
  }

  return {
    state: async (userId) => {
      const [{ groups, live }, limit] = await Promise.all([calls.state({ userId }), rights.copyAccounts(userId)])
      return { groups: [...groups], live, limit, used: accountsInUse(groups) }
    },
    saveGroup: (userId, id, draft) => runExclusive(userId, async () => {
      const may = await mayEnter(userId)
      if (!may.ok) return may
      const [{ groups, live }, known, limit] = await Promise.all([calls.state({ userId }), accounts(userId), rights.copyAccounts(userId)])
      const before = id === null ? undefined : groups.find((group) => group.id === id)
      if (id !== null && before === undefined) return refuse('not-found')
      const armed = before !== undefined && live.groups.some((group) => group.id === id && group.state !== 'off')
      if (armed && (before.leader !== draft.leader || before.dryRun !== draft.dryRun)) return ok({ group: null, fault: { code: 'armed', account: null, limit: null } })
      const fault = checkGroup(draft, groups.filter((group) => group.id !== id), new Set(known.map(({ key }) => key)), limit)
      if (fault !== null) return ok({ group: null, fault })
      if (armed) {
        const had = permittedOf(userId, before).accounts
        const taken = await calls.takenAccount({ userId, accounts: permittedOf(userId, { ...draft, id: before.id }).accounts.filter((account) => !had.includes(account)) })
        if (taken !== null) return ok({ group: null, fault: { code: 'account-taken', account: taken, limit: null } })
        await leaseMore(userId, before, draft)
      }
      const group = await calls.saveGroup({ userId, id, draft })
      if (group === null) return refuse('not-found')
      changed(userId)
      return ok({ group, fault: null })
    }),
    removeGroup: async (userId, id) => {
      const removed = await ofGroup(userId, id, () => calls.removeGroup({ userId, id }))
      if (removed.ok && removed.value) changed(userId)
      return removed
    },
    consent: async (userId) => {
      const at = await notes.consent(userId, now())
      changed(userId)
      return at
    },
    arm: (userId, id, onlyMachine) => runExclusive(userId, async () => {
      const found = await find(userId, id)
      if (!found.ok) return found
      if (found.value.state !== 'off') return ok('armed')
      const wrong = await keepsFrom(userId, found.value, onlyMachine)
      if (wrong !== null) return ok(wrong)
      await calls.allow({ userId, id, entries: true, elsewhere: [] })
      const armed = await calls.arm({ userId, id, stops: found.value.stops })
      if (armed === 'armed') return ok('armed')
      await permits.giveBack(permittedOf(userId, found.value.group))
      return armed === 'not-found' ? refuse('not-found') : ok(armed === 'taken' ? 'accounts-taken' : 'stopped')
    }),
    disarm: (userId, id) => ofGroup(userId, id, () => calls.disarm({ userId, id })),
    pause: async (userId, id) => (id === null ? ok(await calls.pause({ userId, id })) : ofGroup(userId, id, () => calls.pause({ userId, id }))),
    live: async (userId) => (await calls.state({ userId })).live,
    resumeAll: async (userId) => {
      const { live, stops } = await calls.state({ userId })
      const may = await mayEnter(userId)
      if (!may.ok) return may
      for (const { id, state } of live.groups) if (state === 'paused') await calls.resume({ userId, id, stops })
      return ok(null)
    },
    resume: async (userId, id) => {
      const { stops } = await calls.state({ userId })
      const may = await mayEnter(userId)
      return may.ok ? ofGroup(userId, id, () => calls.resume({ userId, id, stops })) : may
    },
    flatten: async (userId, id) => {
      const reports = await ofGroup(userId, id, () => calls.flatten({ userId, id }))
      if (!reports.ok) return reports
      return reports.value === null ? refuse('not-found') : ok(reports.value)
    },
    answerStart: (userId, of, answer) => ofFollower(userId, of, () => calls.answerStart({ userId, ...of, answer })),
    settle: async (userId, of, answer) => {
      // Bringing a follower back may enter trades; leaving it does nothing.
      const may = answer === 'bring-back' ? await mayEnter(userId) : ok(null)
      return may.ok ? ofFollower(userId, of, () => calls.settle({ userId, ...of, answer })) : may
    },
    unlock: async (userId, of) => {
      const may = await mayEnter(userId)
      return may.ok ? ofFollower(userId, of, () => calls.unlock({ userId, ...of })) : may
    },
    cancelLeft: (userId, id) => ofGroup(userId, id, () => calls.cancelLeft({ userId, id })),
  }

  /** An armed group takes no entries in a new account before the cloud grants its lease. */
  async function leaseMore(userId: string, before: CopyGroup, draft: GroupDraft): Promise<void> {
    const [had, wanted] = [permittedOf(userId, before), permittedOf(userId, { ...draft, id: before.id })]
    if (wanted.dryRun || wanted.accounts.every((account) => had.accounts.includes(account))) return
    const lease = await permits.take(wanted)
    if (lease !== 'granted' && lease !== 'alone') await calls.allow({ userId, id: before.id, entries: 'no-lease' })
  }
}
