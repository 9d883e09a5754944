// @module-tag slow
import { expect, onTestFinished, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CopierLive, CopyGroup, FollowerRule, GroupDraft } from '#shared/api/copier.ts'
import { refuse } from '#shared/api/refused.ts'
import { ok } from '#shared/base/result.ts'
import type { CopierCalls } from './engine/engine.ts'
import type { StoredAccount } from '../db/rows.ts'
import type { Client } from '../threads/rpc.ts'
import { createCopier } from './service.ts'
import { createCopierLife } from './copier-life.ts'
import { openCopierNotes } from './copier-notes.ts'
import type { LeaseOutcome, PermittedGroup } from './copier-permits.ts'

const key = (number: number): string => `tradovate:demo:${String(number)}`
const rule = (account: string, more: Partial<FollowerRule> = {}): FollowerRule => ({ account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 3, invert: false, guard: false, ...more })
const draft = (more: Partial<GroupDraft> = {}): GroupDraft => ({ name: 'Main', leader: key(1), followers: [rule(key(2)), rule(key(3))], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false, ...more })

/** The services of one user over a recording thread. */
const start = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-copier-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const notes = await openCopierNotes(join(folder, 'copier.json'))
  const it = { plan: true, limit: 10, holder: 'cloud' as 'cloud' | 'alone', lease: 'granted' as LeaseOutcome, accounts: [1, 2, 3, 4, 5], asked: [] as string[], pushed: [] as string[], fails: false, gone: false, arms: 'armed' as 'armed' | 'taken' | 'stopped' | 'not-found', withoutLogin: [] as number[], taken: [] as string[] }
  const groups = new Map<string, { userId: string; group: CopyGroup; state: 'off' | 'armed' | 'paused' }>()
  const liveOf = (userId: string): CopierLive => ({
    seq: 1, at: 0, budgets: [],
    groups: [...groups.values()].filter((one) => one.userId === userId).map(({ group, state }) => ({ id: group.id, state, unsaved: false, dryRun: group.dryRun, blocked: null, leaderLine: 'up', leader: [], followers: [], left: [], waiting: { reduce: 0, enter: 0, exits: 0 } })),
  })
  const become = (userId: string, id: string | null, from: string[], to: 'off' | 'armed' | 'paused'): void => {
    for (const one of groups.values()) if (one.userId === userId && (id === null || one.group.id === id) && from.includes(one.state)) one.state = to
  }
  const reply = <T>(what: string, value: T): Promise<T> => {
    it.asked.push(what)
    return Promise.resolve(value)
  }
  const calls: Client<CopierCalls> = {
    state: ({ userId }) => Promise.resolve({ stops: 0, groups: [...groups.values()].filter((one) => one.userId === userId).map(({ group }) => group), live: liveOf(userId) }),
    saveGroup: ({ userId, id, draft: given }) => {
      if (it.fails) return Promise.reject(new Error('disk full'))
      const group = { ...given, id: id ?? `group-${String(groups.size + 1)}` }
      groups.set(group.id, { userId, group, state: groups.get(group.id)?.state ?? 'off' })
      return reply(`save ${group.id}`, group)
    },
    removeGroup: ({ id }) => reply(`remove ${id}`, groups.get(id)?.state === 'off' && groups.delete(id)),
    hasOrdersIn: () => Promise.resolve(false),
    isWorking: ({ userId }) => Promise.resolve([...groups.values()].some((one) => one.userId === userId && one.state !== 'off')),
    deleteUser: ({ userId }) => {
      for (const [id, kept] of groups) if (kept.userId === userId) groups.delete(id)
      return reply(`forget ${userId}`, undefined)
    },
    arm: ({ userId, id }) => {
      if (it.arms === 'armed') become(userId, id, ['off'], 'armed')
      return reply(`arm ${id}`, it.arms)
    },
    disarm: ({ userId, id }) => {
      become(userId, id, ['armed', 'paused'], 'off')
      return reply(`disarm ${id}`, liveOf(userId))
    },
    pause: ({ userId, id }) => {
      become(userId, id, ['armed'], 'paused')
      return reply(`pause ${String(id)}`, liveOf(userId))
    },
    resume: ({ userId, id }) => {
      become(userId, id, ['paused'], 'armed')
      return reply(`resume ${id}`, liveOf(userId))
    },
    flatten: ({ id }) => reply(`flatten ${id}`, []),
    answerStart: ({ userId, account, answer }) => reply(`start ${account} ${answer}`, liveOf(userId)),
    settle: ({ userId, account, answer }) => reply(`settle ${account} ${answer}`, liveOf(userId)),
    unlock: ({ userId, account }) => reply(`unlock ${account}`, liveOf(userId)),
    takenAccount: ({ accounts }) => Promise.resolve(accounts.find((account) => it.taken.includes(account)) ?? null),
    cancelLeft: ({ userId, id }) => reply(`cancel left ${id}`, liveOf(userId)),
    watch: ({ userId, on }) => reply(`watch ${userId} ${String(on)}`, undefined),
    positionsOf: () => reply('positions', { at: 0, accounts: [] }),
    closePosition: ({ account }) => reply(`close ${account}`, { account, outcome: 'flat', left: [], detail: null }),
    flattenAccount: ({ account }) => reply(`flatten account ${account}`, { account, outcome: 'flat', left: [], detail: null }),
    allow: ({ id, entries }) => reply(`allow ${id} ${String(entries)}`, undefined),
    dropGone: ({ accounts }) => (it.fails ? Promise.reject(new Error('disk full')) : reply(`drop all but ${accounts.map((account) => account.split(':')[2]).join()}`, it.gone)),
    accountsChanged: () => reply('accounts', undefined),
    woke: () => reply('woke', undefined),
    stop: () => reply('stop', undefined),
  }
  const lease = (what: string) => ({ accounts }: PermittedGroup) => reply(`${what} ${accounts.map((account) => account.split(':')[2]).join()}`, it.lease)
  const life = createCopierLife({
    calls,
    read: { connectedAccounts: () => Promise.resolve([...it.accounts.map(key), 'file:other'].map((id) => ({ id, loginId: it.withoutLogin.map(key).includes(id) ? '' : 'login', environment: 'demo', name: id }) as StoredAccount)) },
    notes,
    changed: (userId) => void it.pushed.push(userId),
  })
  const copier = createCopier({
    calls,
    rights: { require: () => Promise.resolve(it.plan ? ok(null) : refuse('plan-needed')), copyAccounts: () => Promise.resolve(it.limit) },
    permits: { holder: () => Promise.resolve(it.holder), take: lease('lease'), giveBack: async (group) => void (await lease('give back')(group)) },
    notes,
    accounts: life.accounts,
    events: { push: (userId, { type }) => void it.pushed.push(`${userId} ${type}`) },
    now: () => Date.UTC(2026, 10, 20),
  })
  const saved = async (given: Partial<GroupDraft> = {}, userId = 'ann'): Promise<string> => {
    const group = await copier.saveGroup(userId, null, draft(given))
    return (group.ok ? group.value.group?.id : undefined) ?? expect.fail(JSON.stringify(group))
  }
  const outcome = async (id: string, onlyMachine = false): Promise<string> => {
    const armed = await copier.arm('ann', id, onlyMachine)
    return armed.ok ? armed.value : armed.error.code
  }
  return { it, copier, life, notes, saved, outcome, stateOf: (id: string) => groups.get(id)?.state, groups, file: join(folder, 'copier.json') }
}

test('arming reports each blocking reason in turn', async () => {
  const { it, copier, saved, outcome, stateOf } = await start()
  const id = await saved()
  it.plan = false
  expect(await outcome(id)).toBe('plan-needed')
  Object.assign(it, { plan: true, limit: 1 })
  expect(await outcome(id)).toBe('plan-limit')
  it.limit = 2
  expect(await outcome(id)).toBe('consent-needed')
  await copier.consent('ann')
  it.holder = 'alone'
  expect(await outcome(id)).toBe('only-machine-needed')
  it.lease = 'alone'
  expect(it.asked).toEqual(['save group-1'])
  expect(await outcome(id, true)).toBe('armed')
  expect(it.asked.slice(1)).toEqual(['lease 2,3', 'allow group-1 true', 'arm group-1'])
  expect(stateOf(id)).toBe('armed')
  // A second window does not request anything again.
  expect(await outcome(id)).toBe('armed')
  expect(it.asked).toHaveLength(4)
})

test.each([['elsewhere', 'lease-elsewhere'], ['plan-limit', 'plan-limit'], ['plan-needed', 'plan-needed'], ['cloud-unreachable', 'cloud-unreachable']] as const)('if the cloud answers %s, nothing is armed', async (lease, answer) => {
  const { it, copier, saved, outcome, stateOf } = await start()
  const id = await saved()
  await copier.consent('ann')
  it.lease = lease
  expect(await outcome(id, true)).toBe(answer)
  expect([stateOf(id), it.asked.filter((asked) => !asked.startsWith('save'))]).toEqual(['off', ['lease 2,3']])
})

test('arming counts the accounts of all groups, and a failed arming releases its lease', async () => {
  const { it, copier, saved, outcome } = await start()
  await saved()
  const id = await saved({ leader: key(4), followers: [rule(key(5))] })
  await copier.consent('ann')
  it.limit = 2
  expect(await outcome(id)).toBe('plan-limit')
  Object.assign(it, { limit: 3, arms: 'not-found', asked: [] })
  expect(await outcome(id)).toBe('not-found')
  expect(it.asked).toEqual(['lease 5', `allow ${id} true`, `arm ${id}`, 'give back 5'])
  for (const [arms, answer] of [['taken', 'accounts-taken'], ['stopped', 'stopped']] as const) {
    it.arms = arms
    expect(await outcome(id)).toBe(answer)
  }
})

test('an account without a login on this computer cannot follow', async () => {
  const { it, copier } = await start()
  it.withoutLogin = [3]
  expect(await copier.saveGroup('ann', null, draft())).toMatchObject({ ok: true, value: { fault: { code: 'unknown-account', account: key(3) } } })
})

test('an armed group cannot add an account that another profile copies with, and reports it', async () => {
  const { it, copier, saved, outcome } = await start()
  const id = await saved()
  await copier.consent('ann')
  await outcome(id)
  Object.assign(it, { taken: [key(4)], asked: [] })
  expect(await copier.saveGroup('ann', id, draft({ followers: [rule(key(2)), rule(key(4))] }))).toEqual(ok({ group: null, fault: { code: 'account-taken', account: key(4), limit: null } }))
  expect(it.asked).toEqual([])
})

test('a dry run needs the plan, and neither consent nor lease', async () => {
  const { it, saved, outcome } = await start()
  const id = await saved({ dryRun: true })
  it.plan = false
  expect(await outcome(id)).toBe('plan-needed')
  Object.assign(it, { plan: true, holder: 'alone', lease: 'elsewhere' })
  expect(await outcome(id)).toBe('armed')
  expect(await outcome(await saved({ leader: key(4), followers: [rule(key(5), { on: false })] }))).toBe('nothing-on')
})

test('an armed group keeps its leader and mode, and cannot add an account leased elsewhere', async () => {
  const { it, copier, saved, outcome } = await start()
  const id = await saved()
  await copier.consent('ann')
  await outcome(id)
  for (const changed of [{ leader: key(4) }, { dryRun: true }]) expect(await copier.saveGroup('ann', id, draft(changed))).toEqual(ok({ group: null, fault: { code: 'armed', account: null, limit: null } }))
  it.asked = []
  it.lease = 'elsewhere'
  const more = draft({ followers: [rule(key(2)), rule(key(4))] })
  expect(await copier.saveGroup('ann', id, more)).toMatchObject({ ok: true, value: { fault: null } })
  expect(it.asked).toEqual(['lease 2,4', 'allow group-1 no-lease', 'save group-1'])
  it.asked = []
  // Removing accounts needs no cloud answer.
  await copier.saveGroup('ann', id, draft({ followers: [rule(key(2))] }))
  expect(it.asked).toEqual(['save group-1'])
})

test('concurrent requests are checked one after another', async () => {
  const { it, copier, saved, outcome } = await start()
  await copier.consent('ann')
  const both = await Promise.all([copier.saveGroup('ann', null, draft()), copier.saveGroup('ann', null, draft())])
  expect(both.map((saving) => saving.ok && saving.value.fault?.code)).toEqual([undefined, 'follows-twice'])
  const id = await saved({ leader: key(4), followers: [rule(key(5))] })
  const [armed, changed] = await Promise.all([outcome(id, true), copier.saveGroup('ann', id, draft({ leader: key(4), followers: [rule(key(5))], dryRun: true }))])
  expect([armed, changed.ok && changed.value.fault?.code]).toEqual(['armed', 'armed'])
  it.fails = true
  await expect(copier.saveGroup('ann', id, draft({ leader: key(4), followers: [rule(key(5))] }))).rejects.toThrow('disk full')
  it.fails = false
  expect(await copier.removeGroup('ann', id)).toEqual(ok(false))
})

test('a group is checked against all of the user’s groups, and the plan counts over all', async () => {
  const { it, copier, saved } = await start()
  const id = await saved()
  expect(await copier.saveGroup('ann', null, draft())).toMatchObject({ ok: true, value: { group: null, fault: { code: 'follows-twice', account: key(2) } } })
  expect(await copier.saveGroup('ann', null, draft({ followers: [rule(key(9))] }))).toMatchObject({ ok: true, value: { fault: { code: 'unknown-account', account: key(9) } } })
  it.limit = 2
  expect(await copier.saveGroup('ann', null, draft({ followers: [rule(key(4))] }))).toMatchObject({ ok: true, value: { fault: { code: 'plan-limit', limit: 2 } } })
  expect(await copier.saveGroup('ann', id, draft({ name: 'Other' }))).toMatchObject({ ok: true, value: { fault: null } })
  expect(await copier.state('ann')).toMatchObject({ limit: 2, used: 2, groups: [{ name: 'Other' }] })
  it.plan = false
  expect(await copier.saveGroup('ann', id, draft())).toEqual(refuse('plan-needed'))
})

test('without a plan, stopping, reducing, answering, and reading still work; entering does not', async () => {
  const { it, copier, saved, outcome, stateOf } = await start()
  const id = await saved()
  await copier.consent('ann')
  await outcome(id)
  it.plan = false
  const follower = { id, account: key(2) }
  const refused = [copier.resume('ann', id), copier.resumeAll('ann'), copier.unlock('ann', follower), copier.settle('ann', follower, 'bring-back'), copier.saveGroup('ann', null, draft({ leader: key(4), followers: [rule(key(5))] }))]
  for (const answer of await Promise.all<unknown>(refused)) expect(answer).toEqual(refuse('plan-needed'))
  const done = [copier.pause('ann', id), copier.pause('ann', null), copier.settle('ann', follower, 'leave'), copier.answerStart('ann', follower, 'flatten'), copier.flatten('ann', id), copier.disarm('ann', id), copier.cancelLeft('ann', id), copier.removeGroup('ann', id)]
  for (const answer of await Promise.all<{ ok: boolean }>(done)) expect(answer.ok).toBe(true)
  expect(stateOf(id)).toBeUndefined()
})

test("another user's group is not found, nor is an account that does not follow", async () => {
  const { it, copier, saved } = await start()
  const id = await saved({}, 'bob')
  const follower = { id, account: key(2) }
  it.asked = []
  const asked = [copier.arm('ann', id, true), copier.disarm('ann', id), copier.pause('ann', id), copier.resume('ann', id), copier.flatten('ann', id), copier.cancelLeft('ann', id), copier.unlock('ann', follower), copier.settle('ann', follower, 'leave'), copier.answerStart('ann', follower, 'adopt'), copier.removeGroup('ann', id), copier.saveGroup('ann', id, draft()), copier.unlock('bob', { id, account: key(4) })]
  for (const answer of await Promise.all<unknown>(asked)) expect(answer).toEqual(refuse('not-found'))
  expect(it.asked).toEqual([])
})

test('changed accounts reach the engine once, which opens its lines again from the second time on', async () => {
  const { it, life } = await start()
  await life.accountsMayHaveChanged('ann')
  await life.accountsMayHaveChanged('ann')
  expect([it.asked, it.pushed]).toEqual([['drop all but 1,2,3,4,5'], []])
  Object.assign(it, { accounts: [1, 2, 4], gone: true })
  await life.accountsMayHaveChanged('ann')
  await life.accountsMayHaveChanged('ann')
  expect([it.asked.slice(1), it.pushed]).toEqual([['drop all but 1,2,4', 'accounts'], ['ann']])
})

test('a failed cleanup of gone accounts is retried with the next check', async () => {
  const { it, life } = await start()
  await life.accountsMayHaveChanged('ann')
  it.accounts = [1, 2]
  it.fails = true
  await expect(life.accountsMayHaveChanged('ann')).rejects.toThrow('disk full')
  it.fails = false
  it.asked = []
  await life.accountsMayHaveChanged('ann')
  expect(it.asked).toEqual(['drop all but 1,2', 'accounts'])
})

test('signing out stops entries; leaving for good deletes everything', async () => {
  const { copier, life, notes, saved, outcome, stateOf, groups, file } = await start()
  const id = await saved()
  const other = await saved({}, 'bob')
  await copier.consent('ann')
  await copier.consent('bob')
  await outcome(id)
  await life.signedOut('ann')
  expect(stateOf(id)).toBe('paused')
  await life.forget('ann')
  expect([...groups.keys()]).toEqual([other])
  expect([notes.consentedAt('ann'), notes.consentedAt('bob')]).toEqual([null, '2026-11-20T00:00:00.000Z'])
  // State after a restart.
  const again = await openCopierNotes(file)
  expect([again.machine, again.consentedAt('ann'), again.consentedAt('bob')]).toEqual([notes.machine, null, '2026-11-20T00:00:00.000Z'])
})
