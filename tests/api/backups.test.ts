import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { startBackend } from '#backend/backend.ts'
import { readSettings } from '#backend/settings.ts'
import { backupRoutes } from '#shared/api/backups.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp, testFolder } from '#tests/helpers/app.ts'
import { damage } from '#tests/helpers/backups.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { until } from '#tests/helpers/until.ts'

const { backups, makeBackup, previewRestore, restoreBackup } = backupRoutes
const entered = { symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }

const enter = (browser: Browser, userId: string, id: string): Promise<unknown> => browser.call(recordRoutes.addTrade, { body: { userId, trade: { ...entered, id } } })
const idsOf = async (browser: Browser, userId: string): Promise<string[]> => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id }) => id).toSorted()

test('a backup is created, listed and restored: removed rows are back, and the journal from before the restore can be restored too', async () => {
  let now = Date.UTC(2026, 10, 22, 15)
  const { browser, newBrowser, dataDir } = await startApp({ now: () => now, env: { FILLBOOK_DEMO: 'off' } })
  for (const route of [backups, makeBackup, restoreBackup]) expect((await browser.fail(route, { body: { name: 'x' } })).code).toBe('not-signed-in')
  expect((await browser.fail(previewRestore, { query: { name: 'x' } })).code).toBe('not-signed-in')
  const { userId } = await browser.signUp()
  await enter(browser, userId, 't1')
  await enter(browser, userId, 't2')
  expect(await browser.call(backups)).toMatchObject({ now: { pairs: 2, lastTradeDay: '2026-11-02', accounts: 0 }, backups: [], trouble: null, room: { needed: expect.any(Number) as number, free: expect.any(Number) as number }, waiting: null, folder: join(dataDir, 'backups') })
  const { name } = await browser.call(makeBackup)
  expect(name).toMatch(/^journal-2026-11-22T15-00-00Z-by-hand-[0-9a-f]{12}\.db$/)
  const mark = name.slice(-16, -3)
  const other = await newBrowser()
  const { userId: otherId } = await other.signUp('bob@example.com')
  await enter(other, otherId, 'b1')

  now += 3_600_000
  await browser.call(recordRoutes.removeTrade, { body: { userId, id: 't1' } })
  await enter(browser, userId, 't3')
  expect((await browser.call(previewRestore, { query: { name } })).preview).toMatchObject({ counts: { trades: { back: 1, changed: 0, added: 1 } }, examples: [{ kind: 'trades', fate: 'back', what: 'MESZ6', day: '2026-11-02' }, { fate: 'added' }] })
  const events = await browser.events()
  expect(await browser.call(restoreBackup, { body: { name } })).toEqual({ success: true, when: 'now', holds: { pairs: 3, lastTradeDay: '2026-11-02', accounts: 0 }, kept: `journal-2026-11-22T16-00-00Z-before-restore${mark}.db` })
  for (const type of ['journal-changed', 'finances-changed', 'rules-changed', 'reports-changed'] as const) await events.next(type)
  events.close()
  expect([await idsOf(browser, userId), await idsOf(other, otherId)]).toEqual([['t1', 't2', 't3'], ['b1']])
  expect((await browser.call(backups)).backups).toMatchObject([
    { kind: 'before-restore', at: '2026-11-22T16:00:00.000Z', checked: true, readable: true, holds: { pairs: 2 } },
    { kind: 'by-hand', by: 'you', others: 0, holds: { pairs: 2 } },
  ])
  // Two of one second: none takes the place of the other.
  expect((await browser.call(makeBackup)).name).toBe(`journal-2026-11-22T16-00-00Z-by-hand${mark}.db`)
  expect((await browser.call(makeBackup)).name).toBe(`journal-2026-11-22T16-00-01Z-by-hand${mark}.db`)
  // The first backup was made before the second user came.
  expect((await other.call(backups)).backups.map(({ holds }) => holds?.pairs ?? null)).toEqual([1, 1, 1, null])
  expect((await other.call(backups)).backups.map(({ by, others }) => [by, others])).toEqual([['another', 1], ['another', 1], ['another', 1], ['another', 1]])
  expect((await other.fail(restoreBackup, { body: { name } })).code).toBe('not-found')
  expect((await other.fail(previewRestore, { query: { name } })).code).toBe('not-found')

  now += 3_600_000
  await browser.call(restoreBackup, { body: { name: `journal-2026-11-22T16-00-00Z-before-restore${mark}.db`, whole: true } })
  expect(await idsOf(browser, userId)).toEqual(['t2', 't3'])
  expect(readdirSync(join(dataDir, 'backups')).filter((file) => !file.endsWith('.db'))).toEqual([])
})

test('a damaged backup or another file is refused and changes nothing; an unwritable folder is reported, and the journal keeps working', { tags: ['long', 'nightly'] }, async () => {
  const { browser, dataDir } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  const folder = join(dataDir, 'backups')
  writeFileSync(folder, 'in its place')
  expect((await browser.fail(makeBackup)).code).toBe('folder-unwritable')
  expect(await browser.call(backups)).toMatchObject({ backups: [], trouble: { why: 'unwritable' } })
  await enter(browser, userId, 't1')
  rmSync(folder)
  for (const name of ['../journal.db', '/etc/passwd', 'journal.db', 'journal-2020-01-01T00-00-00Z.db', 'copier-2020-01-01T00-00-00Z.db']) expect((await browser.fail(restoreBackup, { body: { name } })).code).toBe('not-found')
  const broken = 'journal-2026-01-01T00-00-00Z.db'
  mkdirSync(folder)
  writeFileSync(join(folder, broken), 'x'.repeat(8_192))
  const { name } = await browser.call(makeBackup)
  damage(join(folder, name), 'trades')
  expect((await browser.call(backups)).backups).toMatchObject([{ name, readable: true }, { name: broken, readable: false, holds: null }])
  for (const one of [name, broken]) expect((await browser.fail(restoreBackup, { body: { name: one } })).code).toBe('backup-unreadable')
  expect(await idsOf(browser, userId)).toEqual(['t1'])
})

test('deleting an account removes it from every backup', { tags: 'long' }, async () => {
  const { browser, newBrowser, dataDir } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp('ann@example.com')
  await enter(browser, userId, 't1')
  const other = await newBrowser()
  await other.signUp('bob@example.com')
  const { name } = await other.call(makeBackup)
  await browser.call(sessionRoutes.deleteAccount, { body: { password: 'correct horse' } })
  expect(readFileSync(join(dataDir, 'backups', name)).includes('ann@example.com')).toBe(false)
  expect((await other.call(backups)).backups).toMatchObject([{ name, holds: { pairs: 0 } }])
})

test('a damaged journal refuses writes, reports the damage, and is replaced by a backup at the next start', { tags: 'long' }, async () => {
  const dataDir = testFolder()
  const first = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await first.browser.signUp()
  await enter(first.browser, userId, 't1')
  const { name } = await first.browser.call(makeBackup)
  await first.stop()
  damage(join(dataDir, 'journal.db'), 'day_notes')

  const second = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  const { browser } = second
  await browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  const found = await until(async () => {
    const answer = await browser.call(backups)
    return answer.health === 'checking' ? null : answer
  }, 'the check')
  expect(found).toMatchObject({ health: 'damaged', waiting: null, backups: [{ name }] })
  expect((await browser.fail(recordRoutes.addTrade, { body: { userId, trade: { ...entered, id: 't2' } } })).code).toBe('journal-damaged')
  expect(await idsOf(browser, userId)).toEqual(['t1'])
  expect(await browser.call(restoreBackup, { body: { name } })).toEqual({ success: true, when: 'next-start' })
  expect(await browser.call(backups)).toMatchObject({ waiting: name })
  await second.stop()

  const third = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  // Nobody is signed in by a backup.
  expect((await third.browser.call(sessionRoutes.session)).currentUser).toBeNull()
  await third.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  await enter(third.browser, userId, 't3')
  expect(await idsOf(third.browser, userId)).toEqual(['t1', 't3'])
  expect(readdirSync(dataDir).filter((file) => file.startsWith('journal-damaged'))).not.toEqual([])
})

test('damage found by a read stops all writes at once', { tags: ['long', 'nightly'] }, async () => {
  const dataDir = testFolder()
  const first = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await first.browser.signUp()
  await first.stop()
  const { browser } = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  await browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  await until(async () => ((await browser.call(backups)).health === 'sound' ? true : null), 'the check')
  await enter(browser, userId, 't1')
  damage(join(dataDir, 'journal.db'), 'day_notes')
  expect((await browser.fail(ownDataRoutes.dayNotes)).code).toBe('journal-damaged')
  expect((await browser.fail(recordRoutes.addTrade, { body: { userId, trade: { ...entered, id: 't2' } } })).code).toBe('journal-damaged')
  expect(await browser.call(backups)).toMatchObject({ health: 'damaged' })
})

test('a table dropped by another program counts as damage: writes stop, and a backup restores it', { tags: ['long', 'nightly'] }, async () => {
  const dataDir = testFolder()
  const { browser, stop } = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  await enter(browser, userId, 't1')
  await until(async () => ((await browser.call(backups)).health === 'sound' ? true : null), 'the check')
  const { name } = await browser.call(makeBackup)
  const other = new Sqlite(join(dataDir, 'journal.db'))
  other.exec('DROP TABLE day_notes')
  other.close()
  expect((await browser.fail(ownDataRoutes.dayNotes)).code).toBe('journal-damaged')
  expect((await browser.fail(recordRoutes.addTrade, { body: { userId, trade: { ...entered, id: 't2' } } })).code).toBe('journal-damaged')
  expect(await browser.call(backups)).toMatchObject({ health: 'damaged' })
  expect(await browser.call(restoreBackup, { body: { name } })).toEqual({ success: true, when: 'next-start' })
  await stop()

  const again = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  await again.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  expect((await again.browser.call(ownDataRoutes.dayNotes)).days).toEqual([])
  expect(await idsOf(again.browser, userId)).toEqual(['t1'])
})

test('a journal that cannot be opened is named at start, with its newest intact backup', { tags: 'long' }, async () => {
  const dataDir = testFolder()
  const first = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  await first.browser.signUp()
  const { name } = await first.browser.call(makeBackup)
  await first.stop()
  writeFileSync(join(dataDir, 'backups', 'journal-2099-01-01T00-00-00Z.db'), 'x'.repeat(8_192))
  writeFileSync(join(dataDir, 'journal.db'), 'x'.repeat(8_192))
  const settings = readSettings({ env: { FILLBOOK_SECRETS: 'file', FILLBOOK_DEMO: 'off' }, dataDir, port: '0' })
  if (!settings.ok) throw new Error('No settings')
  const migrations = new URL('../../migrations/sqlite', import.meta.url).pathname
  const started = await startBackend({ settings: settings.value, paths: { pages: dataDir, migrations, cloud: '' }, version: '0', now: Date.now, broken: () => undefined })
  expect(started).toMatchObject({ ok: false, error: [{ name: join(dataDir, 'journal.db'), remedy: expect.stringContaining(join(dataDir, 'backups', name)) as string }] })
  expect(existsSync(join(dataDir, 'journal.db'))).toBe(true)
})
