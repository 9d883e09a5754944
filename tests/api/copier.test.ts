import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { copierRoutes, ledgerCsvPath, type CopierLive, type FollowerRule, type GroupDraft } from '#shared/api/copier.ts'
import type { Route } from '#shared/api/route.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { startApp, testFolder } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { devUserId, startCloud } from '#tests/helpers/cloud.ts'
import { connect, startBroker } from '#tests/helpers/own-broker.ts'
import { queryRows, sharedPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'
import { until } from '#tests/helpers/until.ts'

const { copier, saveGroup, removeGroup, consent, arm, disarm, pause, resume, flatten, answerStart, settle, unlock, cancelLeft, ledger, copierFigures } = copierRoutes
const [leader, one, two, nobodys] = ['tradovate:demo:700101', 'tradovate:demo:700102', 'tradovate:demo:700103', 'tradovate:demo:1']
const rule = (account: string, more: Partial<FollowerRule> = {}): FollowerRule => ({ account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 3, invert: false, guard: false, ...more })
const draft = (more: Partial<GroupDraft> = {}): GroupDraft => ({ name: 'Main', leader, followers: [rule(one), rule(two)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false, ...more })

/** Saves a new group that must be taken, and gives its id. */
const save = async (browser: Browser, given: Partial<GroupDraft> = {}): Promise<string> => {
  const { group, fault } = await browser.call(saveGroup, { body: { id: null, draft: draft(given) } })
  return group?.id ?? expect.fail(JSON.stringify(fault))
}
const armed = (browser: Browser, id: string, onlyMachine = true) => browser.call(arm, { body: { id, onlyMachine } })
const stateOf = async (browser: Browser): Promise<string[]> => (await browser.call(copier)).live.groups.map(({ state }) => state)
const blockedOf = async (browser: Browser) => (await browser.call(copier)).live.groups.map(({ blocked }) => blocked)

/** A program whose user has three connected accounts. */
const setUp = async (given: Parameters<typeof startApp>[0] = {}) => {
  const { broker, env } = await startBroker()
  const app = await startApp({ ...given, env: { ...env, ...given.env } })
  const { userId } = await app.browser.signUp()
  await connect(app.browser, userId, 'ava.morgan')
  return { broker, env, userId, ...app }
}

test('the life of a group: saved, consented to, armed, paused, flattened, disarmed, removed', async () => {
  const { browser } = await setUp()
  const events = await browser.events()
  expect(await browser.call(copier)).toMatchObject({ groups: [], live: { groups: [] }, limit: 50, used: 0 })
  const id = await save(browser)
  await events.next('copier-changed')
  expect(await browser.call(copier)).toMatchObject({ groups: [{ ...draft(), id }], used: 2, live: { groups: [{ id, state: 'off' }] } })

  expect(await armed(browser, id, false)).toEqual({ outcome: 'consent-needed' })
  const { consentedAt } = await browser.call(consent)
  expect(await browser.call(consent)).toEqual({ consentedAt })
  expect(await armed(browser, id, false)).toEqual({ outcome: 'only-machine-needed' })
  expect(await stateOf(browser)).toEqual(['off'])
  expect(await armed(browser, id)).toEqual({ outcome: 'armed' })
  expect(await until(() => events.seen.find((event) => event.type === 'copier' && event.live.groups[0]?.state === 'armed'), 'the armed group', 20_000)).toBeDefined()

  // An armed group cannot be removed, and its leader and mode cannot change.
  expect(await browser.call(removeGroup, { body: { id } })).toEqual({ removed: false })
  expect(await browser.call(saveGroup, { body: { id, draft: draft({ dryRun: true }) } })).toEqual({ group: null, fault: { code: 'armed', account: null, limit: null } })
  expect((await browser.call(saveGroup, { body: { id, draft: draft({ name: 'Renamed' }) } })).group?.name).toBe('Renamed')
  const statesOf = ({ live }: { live: CopierLive }): string[] => live.groups.map(({ state }) => state)
  expect(statesOf(await browser.call(pause, { body: { id: null } }))).toEqual(['paused'])
  expect(statesOf(await browser.call(resume, { body: { id } }))).toEqual(['armed'])
  expect(statesOf(await browser.call(pause, { body: { id } }))).toEqual(['paused'])

  const { reports } = await browser.call(flatten, { body: { id } })
  expect(reports.map(({ account }) => account).sort()).toEqual([one, two])
  expect(statesOf(await browser.call(unlock, { body: { id, account: one } }))).toEqual(['paused'])
  expect(statesOf(await browser.call(disarm, { body: { id } }))).toEqual(['off'])
  expect((await browser.call(cancelLeft, { body: { id } })).live.groups.map(({ left }) => left)).toEqual([[]])
  expect(await browser.call(removeGroup, { body: { id } })).toEqual({ removed: true })
  expect(await browser.call(copier)).toMatchObject({ groups: [], used: 0 })

  expect(Array.isArray((await browser.call(ledger)).rows)).toBe(true)
  expect(Array.isArray((await browser.call(copierFigures)).followers)).toBe(true)
  const csv = await browser.send(ledgerCsvPath)
  expect([csv.status, csv.headers['content-disposition']]).toEqual([200, 'attachment; filename=fillbook-copier-ledger.csv'])
})

test('an invalid group is refused by its fault, and an invalid call by its fields', async () => {
  const { browser } = await setUp()
  const id = await save(browser, { followers: [rule(one)] })
  const faultOf = async (given: Partial<GroupDraft>) => (await browser.call(saveGroup, { body: { id: null, draft: draft(given) } })).fault
  expect(await faultOf({})).toMatchObject({ code: 'follows-twice', account: one })
  expect(await faultOf({ leader: one, followers: [rule(two)] })).toMatchObject({ code: 'leader-follows', account: one })
  expect(await faultOf({ leader: two, followers: [rule(leader)] })).toMatchObject({ code: 'follower-leads', account: leader })
  expect(await faultOf({ followers: [rule(leader)] })).toMatchObject({ code: 'follows-itself', account: leader })
  expect(await faultOf({ followers: [rule(nobodys)] })).toMatchObject({ code: 'unknown-account', account: nobodys })
  const twice = { from: 'NQ', to: 'MNQ', factor: { num: 10, den: 1 } }
  expect(await faultOf({ followers: [rule(two, { mappings: [twice, twice] })] })).toMatchObject({ code: 'mapping-twice', account: two })

  const good = draft()
  const group = (more: object) => ({ id: null, draft: { ...good, ...more } })
  const wrong: readonly (readonly [Route, object, string])[] = [
    [saveGroup, group({ name: '' }), 'draft.name'],
    [saveGroup, group({ leader: 'file:mine' }), 'draft.leader'],
    [saveGroup, group({ followers: [] }), 'draft.followers'],
    [saveGroup, group({ followers: [{ ...rule(two), ratio: { num: 0, den: 1 } }] }), 'draft.followers.0.ratio.num'],
    [saveGroup, group({ followers: [{ ...rule(two), maxRejects: 0 }] }), 'draft.followers.0.maxRejects'],
    [saveGroup, group({ followers: [{ ...rule(two), dailyLoss: 'much' }] }), 'draft.followers.0.dailyLoss'],
    [saveGroup, group({ followers: [{ ...rule(two), dailyLoss: '-100' }] }), 'draft.followers.0.dailyLoss'],
    [saveGroup, group({ followers: [{ ...rule(two), dailyProfit: '0.00' }] }), 'draft.followers.0.dailyProfit'],
    [saveGroup, group({ extra: 1 }), 'draft'],
    [arm, { id }, 'onlyMachine'],
    [pause, {}, 'id'],
    [answerStart, { id, account: one, answer: 'perhaps' }, 'answer'],
    [settle, { id, account: 'one', answer: 'leave' }, 'account'],
    [unlock, { id }, 'account'],
    [flatten, { id: 7 }, 'id'],
  ]
  for (const [route, body, path] of wrong) {
    const failure = await browser.fail(route, { body })
    expect([route.path, failure.status, failure.code, failure.fields?.[0]?.path]).toEqual([route.path, 400, 'invalid-request', path])
  }
  for (const query of [{ limit: '0' }, { limit: '501' }, { before: 'now' }]) expect(await browser.fail(ledger, { query })).toMatchObject({ status: 400 })
  expect(await browser.fail(copierFigures, { query: { days: '367' } })).toMatchObject({ status: 400 })
})

test("another user's group is not found by any call, and none of its data is visible", async () => {
  const { browser, newBrowser } = await setUp()
  const id = await save(browser, { name: 'what only Ann may read', dryRun: true })
  await armed(browser, id)
  const bob = await newBrowser()
  await bob.signUp('bob@example.com')
  const calls: readonly (readonly [Route, object])[] = [
    [saveGroup, { id, draft: draft() }], [removeGroup, { id }], [arm, { id, onlyMachine: true }], [disarm, { id }], [pause, { id }], [resume, { id }], [flatten, { id }],
    [answerStart, { id, account: one, answer: 'adopt' }], [settle, { id, account: one, answer: 'bring-back' }], [unlock, { id, account: one }], [cancelLeft, { id }],
  ]
  for (const [route, body] of calls) expect([route.path, await bob.fail(route, { body })]).toMatchObject([route.path, { status: 404, code: 'not-found' }])
  await bob.call(pause, { body: { id: null } })
  for (const route of [copier, ledger, copierFigures]) expect((await bob.send(route.path)).body).not.toContain('what only Ann')
  expect((await bob.call(ledger, { query: { groupId: id } })).rows).toEqual([])
  expect(await stateOf(browser)).toEqual(['armed'])
  // Nor an account that does not follow in one's own.
  expect(await browser.fail(unlock, { body: { id, account: leader } })).toMatchObject({ status: 404 })
})

test('signing out pauses armed groups, and a restart continues in the same state', { tags: 'long' }, async () => {
  const dataDir = testFolder()
  const { browser, env, stop } = await setUp({ dataDir })
  const id = await save(browser, { dryRun: true })
  await armed(browser, id)
  await browser.call(sessionRoutes.signOut)
  await browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  expect(await stateOf(browser)).toEqual(['paused'])
  await browser.call(resume, { body: { id } })
  await stop()

  const again = await startApp({ dataDir, env })
  await again.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  expect(await stateOf(again.browser)).toEqual(['armed'])
  expect(await until(async () => ((await blockedOf(again.browser))[0] === null ? true : null), 'the right to enter', 20_000)).toBe(true)
})

test('a follower whose account is removed is switched off, and without its leader a group is disarmed', { tags: 'long' }, async () => {
  const { browser, userId } = await setUp()
  const id = await save(browser, { dryRun: true })
  await armed(browser, id)
  const remove = (accountId: string) => browser.call(brokerageRoutes.tradovate, { body: { userId, action: 'removeToken', accountId } })
  await remove(one)
  const offs = async () => (await browser.call(copier)).groups[0]?.followers.filter(({ on }) => !on).map(({ account }) => account)
  expect(await until(async () => ((await offs())?.[0] === one ? true : null), 'the removed follower', 20_000)).toBe(true)
  expect(await stateOf(browser)).toEqual(['armed'])
  await remove(leader)
  expect(await until(async () => ((await stateOf(browser))[0] === 'off' ? true : null), 'the group without its leader', 20_000)).toBe(true)
})

test("deleting a user's account deletes its groups", { tags: 'long' }, async () => {
  const { browser } = await setUp()
  const id = await save(browser, { dryRun: true })
  await armed(browser, id)
  await browser.call(sessionRoutes.deleteAccount, { body: { password: 'correct horse' } })
  await browser.signUp()
  expect(await browser.call(copier)).toMatchObject({ groups: [], live: { groups: [] } })
})

test('a damaged copier file keeps the program from starting, and is left untouched', async () => {
  const dataDir = testFolder()
  const { stop } = await startApp({ dataDir })
  await stop()
  const file = join(dataDir, 'copier.db')
  const damaged = randomBytes(16_384)
  await writeFile(file, damaged)
  await expect(startApp({ dataDir })).rejects.toThrow(file)
  expect(await readFile(file)).toEqual(damaged)
})

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.stop())

/** A real cloud with Ann's subscription in it, which has the application at the brokerage. `computer` is a program that mirrors to it, with Ann's accounts and a group. */
const onCloud = async () => {
  const databaseUrl = await postgres.newDatabase()
  const { broker } = await startBroker()
  const { consentUrl, liveApi, demoApi, tokenUrls } = broker.origins
  const cloud = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: broker.clientId, FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: broker.clientSecret, FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: tokenUrls[0] } })
  onTestFinished(async () => void (await cloud.stop()))
  const subscribe = (subscriptionType: Plan) =>
    queryRows(databaseUrl, 'INSERT INTO subscriptions (user_id, content) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET content = excluded.content', [
      devUserId('ann@example.com'),
      JSON.stringify({ status: 'active', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', subscriptionType }),
    ])
  await subscribe('tradecopier')
  const computer = async () => {
    const app = await startApp({ gates: 'as-the-cloud-says', env: { FILLBOOK_CLOUD_URL: cloud.url, FILLBOOK_TRADOVATE_AUTHORIZE_URL: consentUrl, FILLBOOK_TRADOVATE_LIVE_URL: liveApi, FILLBOOK_TRADOVATE_DEMO_URL: demoApi } })
    const { userId } = await app.browser.signUp()
    await connect(app.browser, userId, 'ava.morgan')
    await app.browser.call(consent)
    return { ...app, userId, id: await save(app.browser) }
  }
  return { subscribe, computer }
}

test('an expired plan blocks entries, but nothing that stops, reduces or reads; access returns automatically', { tags: 'long' }, async () => {
  const { subscribe, computer } = await onCloud()
  const { browser, backend, userId, id } = await computer()
  expect(await browser.call(copier)).toMatchObject({ limit: 10, used: 2 })
  expect(await armed(browser, id)).toEqual({ outcome: 'armed' })
  // The screen does this when a user returns to it, and every hour does.
  const ask = () => browser.call(subscriptionRoutes.getSubscription, { query: { userId } })
  const blocked = (wanted: string | null) => until(async () => ((await blockedOf(browser))[0] === wanted ? true : null), `a group that is blocked by ${String(wanted)}`, 40_000)

  await blocked(null)
  await subscribe('autosync')
  await ask()
  backend.woke()
  await blocked('plan-ended')
  expect(await stateOf(browser)).toEqual(['armed'])
  const follower = { id, account: one }
  const closed: readonly (readonly [Route, object])[] = [[saveGroup, { id, draft: draft() }], [resume, { id }], [unlock, follower], [settle, { ...follower, answer: 'bring-back' }]]
  for (const [route, body] of closed) expect([route.path, await browser.fail(route, { body })]).toMatchObject([route.path, { status: 402, code: 'plan-needed' }])
  const open: readonly (readonly [Route, object])[] = [[pause, { id }], [settle, { ...follower, answer: 'leave' }], [answerStart, { ...follower, answer: 'leave' }], [flatten, { id }]]
  for (const [route, body] of open) await browser.call(route, { body: body as never })
  for (const route of [copier, ledger, copierFigures]) await browser.call(route)

  await subscribe('tradecopier')
  await ask()
  backend.woke()
  await blocked(null)
  await browser.call(disarm, { body: { id } })
  await subscribe('autosync')
  await ask()
  expect(await armed(browser, id)).toEqual({ outcome: 'plan-needed' })
  expect(await browser.call(removeGroup, { body: { id } })).toEqual({ removed: true })
})

test("only one of a user's two computers copies: the other shows that, and gets the lease once the first returns it", { tags: 'long' }, async () => {
  const { computer } = await onCloud()
  const first = await computer()
  const second = await computer()
  expect(await first.browser.call(copier)).toMatchObject({ limit: 10 })
  // The word of a user that there is no other computer counts for nothing where the cloud knows better.
  expect(await armed(first.browser, first.id)).toEqual({ outcome: 'armed' })
  expect(await armed(second.browser, second.id)).toEqual({ outcome: 'lease-elsewhere' })
  expect(await stateOf(second.browser)).toEqual(['off'])
  await first.browser.call(disarm, { body: { id: first.id } })
  expect(await until(async () => ((await armed(second.browser, second.id)).outcome === 'armed' ? true : null), 'the lease that was given back', 20_000)).toBe(true)
  expect(await armed(first.browser, first.id)).toEqual({ outcome: 'lease-elsewhere' })
  // A program that stops answers waiting calls at once.
  await second.stop()
  expect(await armed(first.browser, first.id)).toEqual({ outcome: 'armed' })
})
