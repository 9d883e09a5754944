import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import type { MirrorState } from '#shared/api/mirror-state.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp, testFolder, type App } from '#tests/helpers/app.ts'
import { journalRows, type JournalRows } from '#tests/helpers/journal-rows.ts'
import { startOwnCloud, type OwnCloud } from '#tests/helpers/own-cloud.ts'
import { openProxy, type Proxy } from '#tests/helpers/proxy.ts'
import { account, fill, monday } from '#tests/helpers/store.ts'

const password = 'correct horse'
const patienceMs = 120_000
let cloud: OwnCloud

beforeAll(async () => { cloud = await startOwnCloud() })
afterAll(() => cloud.stop())

/** A computer of a user: the whole program on a data folder of its own. */
type Computer = App & { readonly userId: string; readonly mirror: () => Promise<MirrorState>; readonly mirrorNow: () => Promise<void> }

const computer = async (email: string, given: { readonly cloudUrl?: string; readonly dataDir?: string } = {}): Promise<Computer> => {
  const app = await startApp({ env: { FILLBOOK_CLOUD_URL: given.cloudUrl ?? cloud.url }, ...(given.dataDir === undefined ? {} : { dataDir: given.dataDir }) })
  const { browser } = app
  const { hasProfiles } = await browser.call(sessionRoutes.session)
  const userId = hasProfiles ? (await browser.call(sessionRoutes.signIn, { body: { email, password } })).currentUser.uid : (await browser.signUp(email, password)).userId
  return { ...app, userId, mirror: () => browser.call(mirrorStateRoutes.mirrorState), mirrorNow: async () => void (await browser.call(mirrorStateRoutes.mirrorNow)) }
}

/** Waits until the condition is true, which a working mirror reaches without help. */
const until = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
  const deadline = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`It never came to this: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const upToDate = (one: Computer): Promise<void> => until('up to date', async () => (await one.mirror()).state === 'up-to-date')
/** Runs each mirror at once until the condition is true. */
const comeTo = (what: string, computers: readonly Computer[], isSo: () => Promise<boolean> | boolean): Promise<void> =>
  until(what, async () => {
    for (const one of computers) {
      await one.mirrorNow()
      await upToDate(one)
    }
    return isSo()
  })
const hasTrades = (one: Computer, ids: readonly string[]) => async (): Promise<boolean> => isDeepStrictEqual((await trades(one)).map(({ id }) => id), ids)
const enter = (one: Computer, id: string): Promise<unknown> =>
  one.browser.call(recordRoutes.addTrade, { body: { userId: one.userId, trade: { id, symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } } })
const annotate = (one: Computer, id: string, updates: { notes?: string; tags?: string[] }): Promise<unknown> => one.browser.call(recordRoutes.updateTrade, { body: { userId: one.userId, id, updates } })
const trades = async (one: Computer) => (await one.browser.call(recordRoutes.getTrades, { query: { userId: one.userId } })).trades.toSorted((a, b) => (a.id < b.id ? -1 : 1))
/** All that must be the same on both computers. */
const rows = ({ dataDir }: Computer): JournalRows => {
  const file = join(dataDir, 'journal.db')
  const database = openDatabase(file)
  const edits = database.prepare('SELECT * FROM pair_edits ORDER BY pair_id').all() as Record<string, unknown>[]
  database.close()
  return { ...journalRows(file), edits: edits.map((row) => ({ ...row, user_id: '' })), outbox: [] }
}
const pushes = (proxy: Proxy): number => proxy.passed.filter(({ call }) => call === 'POST /api/mirror/push').length

test('two computers of one user end with the same journal, each field by its later change', async () => {
  const first = await computer('two@example.com')
  const state = await first.browser.call(sessionRoutes.session)
  expect(state.cloud).toBe('mirrored')
  await enter(first, 't1')
  await first.browser.call(recordRoutes.addFinance, { body: { userId: first.userId, finance: { id: 'payout', type: 'earning', amount: 250, name: 'Payout', balance: 0, platform: 'other' } } })
  await upToDate(first)

  const second = await computer('two@example.com')
  const stream = await second.browser.events()
  await upToDate(second)
  expect((await trades(second)).map(({ id }) => id)).toEqual(['t1'])
  expect(second.userId).not.toBe(first.userId)
  await enter(second, 't2')
  await annotate(second, 't1', { notes: 'from the second', tags: ['second'] })
  await annotate(first, 't1', { notes: 'from the first' })
  await comeTo('equal journals', [first, second], () => isDeepStrictEqual(rows(first), rows(second)))
  expect(await trades(first)).toEqual((await trades(second)).map((trade) => ({ ...trade, userId: first.userId })))
  expect((await trades(first)).map(({ id, notes, tags }) => ({ id, notes, tags }))).toEqual([{ id: 't1', notes: 'from the first', tags: ['second'] }, { id: 't2', notes: '', tags: [] }])
  expect(stream.seen.map(({ type }) => type)).toEqual(expect.arrayContaining(['mirror-changed', 'journal-changed', 'finances-changed']))
  stream.close()
})

test('a removal on one computer removes on the other', { tags: ['long', 'nightly'] }, async () => {
  const first = await computer('removed@example.com')
  await enter(first, 'stays')
  await enter(first, 'goes')
  await upToDate(first)
  const second = await computer('removed@example.com')
  await upToDate(second)
  await second.browser.call(recordRoutes.removeTrade, { body: { userId: second.userId, id: 'goes' } })
  await comeTo('the removal', [second, first], hasTrades(first, ['stays']))
  expect(rows(first)).toEqual(rows(second))
})

test('offline changes wait in the outbox and the state says so; online they are sent automatically', { tags: 'long' }, async () => {
  const proxy = await openProxy(cloud.url)
  const one = await computer('offline@example.com', { cloudUrl: proxy.url })
  await upToDate(one)
  proxy.decide = () => 'cut'
  await enter(one, 't1')
  await enter(one, 't2')
  await until('offline', async () => (await one.mirror()).state === 'offline')
  const state = await one.mirror()
  expect(state.waiting).toBeGreaterThanOrEqual(2)
  expect(Date.parse(state.waitingSince ?? '')).toBeGreaterThan(Date.now() - patienceMs)
  expect(Date.parse(state.nextTryAt ?? '')).toBeGreaterThan(Date.parse(state.waitingSince ?? ''))
  expect((await trades(one)).map(({ id }) => id)).toEqual(['t1', 't2'])
  proxy.decide = () => 'through'
  await upToDate(one)
  expect(await one.mirror()).toMatchObject({ waiting: 0, waitingSince: null, nextTryAt: null })
  const other = await computer('offline@example.com')
  await upToDate(other)
  expect((await trades(other)).map(({ id }) => id)).toEqual(['t1', 't2'])
})

test.each(['answer-lost', 'twice'] as const)('a push whose fate is "%s" counts once', { tags: 'long' }, async (passage) => {
  const email = `${passage}@example.com`
  const proxy = await openProxy(cloud.url)
  const one = await computer(email, { cloudUrl: proxy.url })
  await upToDate(one)
  const before = pushes(proxy)
  let meddled = false
  proxy.decide = ({ path }) => {
    const now = !meddled && path === '/api/mirror/push'
    meddled ||= now
    return now ? passage : 'through'
  }
  await enter(one, 't1')
  await upToDate(one)
  expect(proxy.passed.filter((passed) => passed.passage === passage)).toHaveLength(1)
  expect(pushes(proxy)).toBeGreaterThan(before)
  const other = await computer(email)
  await upToDate(other)
  expect(rows(other)).toEqual(rows(one))
  expect((await trades(other)).map(({ id }) => id)).toEqual(['t1'])
})

/** A profile on a folder, and 3,000 fills in its journal. */
const traded = async (email: string): Promise<string> => {
  const dataDir = testFolder()
  const app = await startApp({ dataDir })
  const { userId } = await app.browser.signUp(email, password)
  await app.stop()
  const database = openDatabase(join(dataDir, 'journal.db'))
  const write = writesOf({ writer: writerOf(database), barrier: () => undefined })
  write.saveLogin({ userId, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  write.saveAccounts({ userId, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
  await write.saveFills({ userId, at: monday, specs: [], fills: Array.from({ length: 3_000 }, (_, id) => fill(id + 1, id % 2 === 0 ? 'buy' : 'sell', 1, 6700 + (id % 7) * 0.25)) })
  database.close()
  return dataDir
}

test('a new computer restores the journal, even after an interruption, and syncs only afterwards', { tags: 'long' }, async () => {
  const email = 'restore@example.com'
  const first = await computer(email, { dataDir: await traded(email) })
  const { id } = (await first.browser.call(journalRoutes.pairPage, { query: { symbol: '', account: '', offset: 0, limit: 1, sort: 'exitTime', direction: 'asc' } })).rows[0] ?? { id: '' }
  await annotate(first, id, { notes: 'kept' })
  await upToDate(first)

  const proxy = await openProxy(cloud.url)
  const dataDir = testFolder()
  const held = Promise.withResolvers<undefined>()
  let pages = 0
  proxy.decide = async ({ path }) => {
    if (path !== '/api/mirror/changes') return 'through'
    pages += 1
    // The removals, the ground and one page of fills arrive, the next page is on its way and stays there.
    if (pages <= 3) return 'through'
    await held.promise
    return 'cut'
  }
  const broken = await computer(email, { cloudUrl: proxy.url, dataDir })
  await until('a page of the restore', async () => ((await broken.mirror()).restoring?.done ?? 0) > 500)
  const { state, restoring } = await broken.mirror()
  expect(state).toBe('restoring')
  expect(restoring?.total).toBeGreaterThan(4_500)
  let synced = false
  const sync = broken.backend.syncNow(broken.userId).then(() => void (synced = true))
  await until('four calls', () => pages >= 4)
  // Time enough for a run that has no login to sync, were it begun.
  for (let asked = 0; asked < 200; asked += 1) expect([(await broken.mirror()).state, synced]).toEqual(['restoring', false])
  held.resolve(undefined)
  await sync
  await until('offline', async () => (await broken.mirror()).state === 'offline')
  // The restore still runs, and the state says so.
  expect((await broken.mirror()).restoring?.done).toBeGreaterThan(500)
  await broken.stop()

  proxy.decide = () => 'through'
  const calls = proxy.passed.length
  const again = await computer(email, { cloudUrl: proxy.url, dataDir })
  await upToDate(again)
  expect(rows(again)).toEqual(rows(first))
  expect(rows(again)['fills']).toHaveLength(3_000)
  // Two pages of fills, none twice, and nothing is pushed that the cloud has.
  expect(proxy.passed.slice(calls).filter(({ call }) => call === 'GET /api/mirror/changes').length).toBeLessThan(9)
  expect(proxy.passed.slice(calls).filter(({ call }) => call === 'POST /api/mirror/push')).toEqual([])
})

test('a cloud with another journal gets every record again', { tags: ['long', 'nightly'] }, async () => {
  const email = 'moved@example.com'
  const proxy = await openProxy(cloud.url)
  const one = await computer(email, { cloudUrl: proxy.url })
  await enter(one, 't1')
  await upToDate(one)
  const other = await startOwnCloud()
  try {
    proxy.target = other.url
    const back = await computer(email, { cloudUrl: other.url })
    await comeTo('the trade in the other cloud', [one, back], hasTrades(back, ['t1']))
    expect(rows(back)).toEqual(rows(one))
    await back.stop()
    await one.stop()
  } finally {
    await other.stop()
  }
})
