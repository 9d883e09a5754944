import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostRecords } from '#shared/api/mirror.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import type { MirrorState } from '#shared/api/mirror-state.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp, startSharedApp, testFolder, type App } from '#tests/helpers/app.ts'
import { startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { compareJournals } from '#tests/helpers/journal-differences.ts'
import { makeLargeJournal } from '#tests/helpers/large-journal.ts'
import { queryRows, startPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'
import { openProxy, type Proxy } from '#tests/helpers/proxy.ts'

const email = 'restore@example.com'
const password = 'correct horse'
const preparationMs = 1_200_000
const patienceMs = 900_000

/** Defines the tests of a journal with at least so many trades that is mirrored from one computer and restored on others. */
export const testRestore = (trades: number): void => {
  let folder: string
  let server: PostgresServer
  let databaseUrl: string
  let cloud: RunningCloud
  let first: { readonly dataDir: string; readonly userId: string }
  /** Calls for changes that it takes to bring the journal back when nothing disturbs that. */
  let pages = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fillbook-restore-'))
    server = await startPostgres()
    databaseUrl = await server.newDatabase()
    cloud = await startCloud({ databaseUrl })
    const dataDir = join(folder, 'first')
    const empty = await startSharedApp({ dataDir })
    const { userId } = await empty.browser.signUp(email, password)
    await empty.stop()
    await makeLargeJournal({ file: fileIn(dataDir), picturesFolder: join(dataDir, 'pictures'), userId }, trades)
    first = { dataDir, userId }
    const mirrored = await startSharedApp({ dataDir, env: { FILLBOOK_CLOUD_URL: cloud.url } })
    await mirrored.browser.call(sessionRoutes.signIn, { body: { email, password } })
    await until('the cloud received everything', async () => (await stateOf(mirrored)).state === 'up-to-date')
    await mirrored.stop()
  }, preparationMs)
  afterAll(async () => {
    await cloud.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The program on a data folder, for the same user, over a line to the cloud that can be meddled with. */
  const computer = async (dataDir: string, proxy: Proxy): Promise<App & { readonly userId: string }> => {
    const app = await startApp({ dataDir, env: { FILLBOOK_CLOUD_URL: proxy.url } })
    const { hasProfiles } = await app.browser.call(sessionRoutes.session)
    const userId = hasProfiles ? (await app.browser.call(sessionRoutes.signIn, { body: { email, password } })).currentUser.uid : (await app.browser.signUp(email, password)).userId
    return { ...app, userId }
  }
  const expectEqual = async (dataDir: string, userId: string): Promise<void> => {
    const { differences, rows } = compareJournals(fileIn(first.dataDir), fileIn(dataDir))
    expect(differences).toEqual([])
    expect(rows['fill_pairs']).toBeGreaterThanOrEqual(trades)
    for (const table of ['accounts', 'batches', 'contracts', 'fills', 'finances', 'pictures', 'specs', 'pair_edits', 'trades']) expect(rows[table], table).toBeGreaterThan(0)
    expect(await filesIn(join(dataDir, 'pictures', userId))).toEqual(await filesIn(join(first.dataDir, 'pictures', first.userId)))
  }

  test('the cloud holds every record of the journal, the derived trades figure by figure', async () => {
    const database = new Sqlite(fileIn(first.dataDir), { readonly: true })
    const here = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[]
    const counts = await queryRows<{ entity: string; rows: number }>(databaseUrl, 'SELECT entity, count(*)::int AS rows FROM records WHERE content IS NOT NULL GROUP BY entity ORDER BY entity')
    const tables = { account: 'accounts', balance: 'accounts WHERE balance IS NOT NULL', contract: 'contracts', edit: 'pair_edits', fill: 'fills', finance: 'finances', pair: "fill_pairs WHERE origin = 'synced'", picture: 'pictures', profile: 'profiles', spec: 'specs', trade: "fill_pairs WHERE origin = 'manual'" }
    expect(counts).toEqual(Object.entries(tables).map(([entity, rows]) => ({ entity, ...here(`SELECT count(*) AS rows FROM ${rows}`)[0] })))
    const pairs = here("SELECT id, account_id, symbol, date, side, qty, entry_price, exit_price, exit_time, gross, commission, net, currency, trade_id FROM fill_pairs WHERE origin = 'synced' ORDER BY id")
    const fields = ['accountId', 'symbol', 'date', 'side', 'qty', 'entryPrice', 'exitPrice', 'exitTime', 'gross', 'commission', 'net', 'currency', 'tripId']
    const records = await queryRows<{ line: string }>(databaseUrl, `SELECT concat_ws(' ', id, ${fields.map((name) => `content ->> '${name}'`).join(', ')}) AS line FROM records WHERE entity = 'pair' AND content IS NOT NULL ORDER BY id`)
    const unlike = pairs.filter((pair, index) => Object.values(pair).join(' ') !== records[index]?.line)
    expect(unlike.slice(0, 3)).toEqual([])
    database.close()
  })

  test('a new computer gets the journal back row by row, and has an empty outbox', async () => {
    const proxy = await openProxy(cloud.url)
    const dataDir = testFolder()
    const app = await computer(dataDir, proxy)
    await until('the journal is back', async () => (await stateOf(app)).state === 'up-to-date')
    await app.stop()
    await expectEqual(dataDir, app.userId)
    expect(callsIn(proxy, 'POST /api/mirror/push')).toBe(0)
    pages = callsIn(proxy, changesCall)
    expect(pages).toBeGreaterThan(trades / mostRecords)
  })

  test('a restore in two parts gives the same, and requests no page twice', async () => {
    const proxy = await openProxy(cloud.url)
    const dataDir = testFolder()
    // The base records, and some that depend on them.
    const before = Math.max(2, Math.floor(pages / 3))
    proxy.decide = ({ path }) => (path === '/api/mirror/changes' && callsIn(proxy, changesCall) >= before ? 'cut' : 'through')
    const broken = await computer(dataDir, proxy)
    await until('the line is cut', async () => (await stateOf(broken)).state === 'offline')
    await broken.stop()
    const [part, whole] = [compareJournals(fileIn(dataDir), fileIn(first.dataDir)), compareJournals(fileIn(first.dataDir), fileIn(first.dataDir))].map(({ rows }) => rows['fills'] ?? 0)
    expect(part).toBeGreaterThan(0)
    expect(part).toBeLessThan(whole ?? 0)

    proxy.decide = () => 'through'
    const again = await computer(dataDir, proxy)
    await until('the journal is back', async () => (await stateOf(again)).state === 'up-to-date')
    await again.stop()
    await expectEqual(dataDir, again.userId)
    expect(callsIn(proxy, 'POST /api/mirror/push')).toBe(0)
    // Besides the page that was cut off: the ground once more, and a page that was on its way when its predecessor was merged.
    expect(callsIn(proxy, changesCall, 'through')).toBeLessThanOrEqual(pages + 3)
  })
}

const changesCall = 'GET /api/mirror/changes'

const callsIn = (proxy: Proxy, call: string, passage?: string): number => proxy.passed.filter((one) => one.call === call && (passage === undefined || one.passage === passage)).length

const fileIn = (dataDir: string): string => join(dataDir, 'journal.db')

const stateOf = ({ browser }: App): Promise<MirrorState> => browser.call(mirrorStateRoutes.mirrorState)

const filesIn = async (folder: string): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all((await readdir(folder)).toSorted().map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')] as const)))

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`It never came to this: ${what}`)
    await after(50)
  }
}
