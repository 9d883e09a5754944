import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Log } from '#shared/base/log.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { damage } from '#tests/helpers/backups.ts'
import { fillRow } from '#tests/helpers/imports.ts'
import { account, fill, migrationsFolder, monday, openStore, temporaryFolder, user } from '#tests/helpers/store.ts'
import { backupName } from '#backend/db/backup-names.ts'
import { makeBackup } from '#backend/backups/make-backup.ts'
import { openReader, query, type Writer } from '#backend/db/database.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { oauthStates } from '#backend/db/schema/people.ts'

// Worker threads load their modules again for every opened journal.
vi.setConfig({ testTimeout: 120_000 })

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const place = (folder: string) => ({ file: path.join(folder, 'journal.db'), migrationsFolder, backupFolder: path.join(folder, 'backups'), log: quiet })

const open = async (folder = temporaryFolder()) => {
  const journal = await openJournal(place(folder))
  onTestFinished(() => journal.close())
  return journal
}

const withAccount = async (folder?: string) => {
  const journal = await open(folder)
  await journal.write.createProfile({ id: user.userId, email: null, displayName: 'A', passwordHash: null, recoveryHash: null, demo: true, timeZone: 'America/New_York', createdAt: monday })
  await journal.write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  await journal.write.saveAccounts({ ...user, at: monday, loginId: 'login', reconnect: true, accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }] })
  return journal
}

test('a write of one thread is visible to the other at once, and after a restart', async () => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  await journal.write.saveFills({ ...user, at: monday, fills: [fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751)], specs: [] })
  const answer = JSON.parse(new TextDecoder().decode(await journal.read.tradesJson(user))) as { trades: unknown[] }
  expect(answer).toMatchObject({ success: true, trades: [{ id: `${account}/1/2` }] })
  await journal.close()
  // The last connection tidied up behind itself.
  expect(existsSync(path.join(folder, 'journal.db-wal'))).toBe(false)
  const again = await open(folder)
  expect(await again.read.totals(user)).toMatchObject({ fills: 2, pairs: 1 })
})

test('close finishes running calls and refuses later ones', { tags: ['long', 'nightly'] }, async () => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  const fills = Array.from({ length: 8_000 }, (_, index) => fill(index, index % 2 === 0 ? 'buy' : 'sell', 1, 6750))
  const context = journal.write.saveFills({ ...user, at: monday, fills, specs: [] })
  await journal.close()
  expect(await context).toMatchObject({ fills: { added: 8_000 } })
  await expect(journal.read.profileCount()).rejects.toMatchObject({ code: 'journal-closed' })
  const again = await open(folder)
  expect((await again.read.totals(user)).fills).toBe(8_000)
})

test('other writes run between the groups of a large one', { tags: ['long', 'nightly'] }, async () => {
  const journal = await withAccount()
  const order: string[] = []
  const fills = Array.from({ length: 12_000 }, (_, index) => fill(index, index % 2 === 0 ? 'buy' : 'sell', 1, 6750))
  const context = journal.write.saveFills({ ...user, at: monday, fills, specs: [] }).then(() => order.push('fills'))
  const small = journal.write.updateProfile({ id: user.userId, displayName: 'B' }).then(() => order.push('small'))
  await Promise.all([context, small])
  expect(order).toEqual(['small', 'fills'])
})

test('slow reads have their own thread: a list requested after them is answered first', { tags: ['long', 'nightly'] }, async () => {
  const journal = await withAccount()
  const of = { ...user, importId: 'one' }
  await journal.write.beginImport({ ...of, at: monday, zone: 'UTC', account: null })
  await journal.write.addReadings({ ...of, place: 0, readings: Array.from({ length: 20_000 }, (_, id) => fillRow('PA-7', id, id % 2 === 0 ? 'buy' : 'sell', 1, 6750 + (id % 7))) })
  await journal.write.finishImport({ ...of, at: monday })
  const all = { ...user, from: null, to: null, accounts: [] }
  const order: string[] = []
  const heavy = journal.read.brokerFacts({ ...user, account: 'file:PA-7' as AccountKey }).then(({ fills }) => (order.push('heavy'), fills.length))
  for (let count = 0; count < 20; count += 1) await journal.read.totals(user).then(() => order.push('list'))
  expect(await heavy).toBe(20_000)
  expect(order.indexOf('heavy')).toBe(20)
  // What was written since is seen there too.
  await journal.write.undoImport({ ...of, at: monday })
  expect(JSON.parse(new TextDecoder().decode(await journal.read.reconciliationJson(all)))).toMatchObject({ days: [] })
  const last = journal.read.reconciliationJson(all)
  await journal.close()
  expect((await last).length).toBeGreaterThan(0)
  await expect(journal.read.reconciliationJson(all)).rejects.toMatchObject({ code: 'journal-closed' })
})

test('another thread calls the same functions over ports', async () => {
  const journal = await withAccount()
  const ports = journal.port()
  const body = `
    import { parentPort, workerData } from 'node:worker_threads'
    const { connectJournal } = await import(workerData.client)
    const { read, write } = connectJournal(workerData.ports)
    await write.updateProfile({ id: 'u1', displayName: 'Ada' })
    const refused = await write.deleteImportFile({ userId: 'u1', importId: 'none', place: 0 }).catch((error) => error.code)
    parentPort.postMessage([(await read.profile({ id: 'u1' })).displayName, refused])`
  const client = new URL('../../electron/backend/journal/journal.ts', import.meta.url).href
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(body)}`), { workerData: { client, ports }, transferList: [ports.reader, ports.writer] })
  expect(await once(worker, 'message')).toEqual([['Ada', 'not-found']])
  await worker.terminate()
})

test('a file that is no journal is refused by code', async () => {
  const folder = temporaryFolder()
  writeFileSync(path.join(folder, 'journal.db'), 'no pages of a database'.repeat(500))
  await expect(openJournal(place(folder))).rejects.toMatchObject({ name: 'StoreFault', code: 'damaged-database' })
})

test.each(['profiles', 'sessions'])('a journal whose %s are damaged does not open: nobody could sign in or reach a backup', { tags: 'long' }, async (table) => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  await journal.write.saveSession({ idHash: 'h', userId: user.userId, createdAt: monday, expiresAt: monday + 1, endedBecause: null, keyHash: null })
  await journal.close()
  damage(path.join(folder, 'journal.db'), table)
  await expect(openJournal(place(folder))).rejects.toMatchObject({ name: 'StoreFault', code: 'damaged-database' })
})

const lostOnes: Readonly<Record<string, { readonly lose: (file: string) => void; readonly because: string }>> = {
  missing: { lose: (file) => { rmSync(file) }, because: 'missing' },
  empty: { lose: (file) => { writeFileSync(file, '') }, because: 'empty' },
  'without a profile': { lose: (file) => { changed(file, 'PRAGMA foreign_keys = OFF; DELETE FROM profiles') }, because: 'no-profiles' },
  'a database without a table': { lose: (file) => { rmSync(file); changed(file, 'PRAGMA journal_mode = WAL; PRAGMA user_version = 0; CREATE TABLE x (y); DROP TABLE x') }, because: 'no-profiles' },
  'missing beside its log': { lose: (file) => { rmSync(file); writeFileSync(`${file}-wal`, 'rows') }, because: 'log-alone' },
}
const changed = (file: string, sql: string): void => {
  const database = new Sqlite(file)
  database.exec(sql)
  database.close()
}

test('a journal that is missing, empty or without profiles is not recreated if backups or its log have some, and nothing is written', { tags: 'long' }, async () => {
  const made = temporaryFolder()
  await (await withAccount(made)).close()
  makeBackup({ file: place(made).file, folder: place(made).backupFolder, name: backupName('journal', monday, 'daily'), unlessLike: null })
  for (const [how, { lose, because }] of Object.entries(lostOnes)) {
    const folder = temporaryFolder()
    cpSync(made, folder, { recursive: true })
    lose(place(folder).file)
    const filesNow = () => Object.fromEntries(readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('.lock')).map((name) => [name, statSync(path.join(folder, name)).size]))
    const before = filesNow()
    await expect(openJournal(place(folder)), how).rejects.toMatchObject({ code: 'lost-journal', message: because })
    expect(filesNow(), how).toEqual(before)
  }
})

test('a journal without profiles opens if backups have none either: its last account was deleted', { tags: ['long', 'nightly'] }, async () => {
  const folder = temporaryFolder()
  const { file, backupFolder } = place(folder)
  const journal = await withAccount(folder)
  await journal.write.deleteUser(user)
  await journal.close()
  makeBackup({ file, folder: backupFolder, name: backupName('journal', monday, 'daily'), unlessLike: null })
  expect(await (await open(folder)).read.profileCount()).toBe(0)
})

test('a read connection cannot write: not by type, not by statement, not in its file', () => {
  const store = openStore()
  const reader = openReader(store.file)
  expect(() => query(reader, 'DELETE FROM profiles')).toThrow('must not write')
  // @ts-expect-error a reader has no way to insert
  expect(() => reader.orm.insert(oauthStates)).not.toThrow()
  expect(() => (reader.orm as Writer['orm']).insert(oauthStates).values({ ...user, state: 's', returnTo: 'autosync', createdAt: 1 }).run()).toThrow('readonly')
  expect(query(reader, 'SELECT id FROM profiles').all()).toEqual([{ id: 'u1' }])
})

test('an open journal is refused to a second program, until it is closed', { tags: 'long' }, async () => {
  const folder = temporaryFolder()
  const first = await openJournal(place(folder))
  await expect(openJournal(place(folder))).rejects.toMatchObject({ code: 'busy' })
  await first.close()
  const second = await open(folder)
  expect(await second.read.profileCount()).toBe(0)
})

test('deleting an account during its import waits for the import, and leaves nothing of either', { tags: 'long' }, async () => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  await journal.write.createProfile({ id: 'u2', email: null, displayName: 'B', passwordHash: null, recoveryHash: null, demo: true, timeZone: 'America/New_York', createdAt: monday })
  const of = { ...user, importId: 'one' }
  await journal.write.beginImport({ ...of, at: monday, zone: 'UTC', account: null })
  await journal.write.addReadings({ ...of, place: 0, readings: Array.from({ length: 6_000 }, (_, id) => fillRow(`PA-${String(id % 20)}`, id, id % 40 < 20 ? 'buy' : 'sell', 1, 6750)) })
  const finishing = journal.write.finishImport({ ...of, at: monday })
  const deleting = journal.write.deleteUser(user)
  const late = journal.write.saveFills({ ...user, at: monday, fills: [fill(1, 'buy', 1, 6750)], specs: [] }).catch((error: unknown) => error)
  expect(await Promise.all([finishing, deleting, late])).toMatchObject([{}, undefined, { code: 'no-profile' }])
  await journal.close()
  const database = new Sqlite(place(folder).file)
  const tables = database.prepare("SELECT one.name FROM sqlite_schema AS one WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(one.name) WHERE name = 'user_id')").pluck().all() as string[]
  expect(tables.filter((table) => database.prepare(`SELECT 1 FROM ${table} WHERE user_id = ? LIMIT 1`).get(user.userId) !== undefined)).toEqual([])
  // As an earlier version left it.
  database.exec(`INSERT INTO imports_unsettled (user_id, at) VALUES ('${user.userId}', 1)`)
  database.close()
  expect(await (await open(folder)).read.profile({ id: 'u2' })).toMatchObject({ displayName: 'B' })
})

const takenAway: Readonly<Record<string, (file: string) => void>> = {
  deleted: (file) => { rmSync(file) },
  moved: (file) => { renameSync(file, `${file}.elsewhere`) },
  replaced: (file) => { cpSync(file, `${file}.new`); renameSync(`${file}.new`, file) },
}

test.each(Object.entries(takenAway))('a journal that is %s while open refuses writes, and all its rows are in a backup', { tags: 'long' }, async (_, take) => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  const { file, backupFolder } = place(folder)
  await journal.write.updateProfile({ id: user.userId, displayName: 'Last' })
  take(file)
  for (const name of ['B', 'C']) await expect(journal.write.updateProfile({ id: user.userId, displayName: name })).rejects.toMatchObject({ code: 'journal-moved' })
  await journal.close()
  const [kept = '', ...others] = readdirSync(backupFolder)
  expect(others).toEqual([])
  // What the start names is put in the journal's place.
  cpSync(path.join(backupFolder, kept), file)
  expect(await (await open(folder)).read.profile({ id: user.userId })).toMatchObject({ displayName: 'Last' })
})

const besidesTakenAway: Readonly<Record<string, (file: string) => void>> = {
  'its log': (file) => { rmSync(`${file}-wal`) },
  'its log and the index of that': (file) => { for (const part of ['-wal', '-shm']) rmSync(file + part) },
  'its log, for a copy of it': (file) => { renameSync(`${file}-wal`, `${file}.elsewhere`); cpSync(`${file}.elsewhere`, `${file}-wal`) },
  'its lock': (file) => { rmSync(`${file}.lock`) },
}

test.each(Object.entries(besidesTakenAway))('a journal that loses %s while open refuses writes, and is intact after the next start', { tags: ['long', 'nightly'] }, async (_, take) => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  const { file, backupFolder } = place(folder)
  await journal.write.updateProfile({ id: user.userId, displayName: 'Last' })
  take(file)
  await expect(journal.write.updateProfile({ id: user.userId, displayName: 'B' })).rejects.toMatchObject({ code: 'journal-moved' })
  expect(readdirSync(backupFolder)).toHaveLength(1)
  await journal.close()
  expect(await (await open(folder)).read.profile({ id: user.userId })).toMatchObject({ displayName: 'Last' })
})

const emptied: Readonly<Record<string, (log: string) => void>> = {
  emptied: (log) => { truncateSync(log) },
  'cut short': (log) => { truncateSync(log, statSync(log).size - 1_000) },
  'emptied, which leaves a hole': (log) => {
    const { size } = statSync(log)
    truncateSync(log)
    truncateSync(log, size)
  },
}

test.each(Object.entries(emptied))('a journal whose log is %s in place refuses writes, and the next start reports the loss', { tags: ['long', 'nightly'] }, async (what, empty) => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  await journal.write.updateProfile({ id: user.userId, displayName: 'Last' })
  empty(`${place(folder).file}-wal`)
  for (const name of ['B', 'C']) await expect(journal.write.updateProfile({ id: user.userId, displayName: name })).rejects.toMatchObject({ code: 'damaged-database' })
  await journal.close()
  await expect(open(folder)).rejects.toMatchObject({ code: what === 'emptied' ? 'lost-journal' : 'damaged-database' })
})

test('a journal whose log another program checkpoints, with or without truncating it, stays writable', async () => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  for (const mode of ['PASSIVE', 'RESTART', 'TRUNCATE', 'TRUNCATE']) {
    await journal.write.updateProfile({ id: user.userId, displayName: mode })
    const other = new Sqlite(place(folder).file)
    other.pragma(`wal_checkpoint(${mode})`)
    other.close()
  }
  await journal.write.updateProfile({ id: user.userId, displayName: 'Last' })
  expect(await journal.read.profile({ id: user.userId })).toMatchObject({ displayName: 'Last' })
})

test('a journal renamed after its last write is saved when it is closed', async () => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  rmSync(place(folder).file)
  await journal.close()
  expect(readdirSync(place(folder).backupFolder)).toHaveLength(1)
})

test('a journal that gets its name back is writable again', async () => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  const { file } = place(folder)
  renameSync(file, `${file}.elsewhere`)
  await expect(journal.write.updateProfile({ id: user.userId, displayName: 'B' })).rejects.toMatchObject({ code: 'journal-moved' })
  renameSync(`${file}.elsewhere`, file)
  await journal.write.updateProfile({ id: user.userId, displayName: 'C' })
  expect(await journal.read.profile({ id: user.userId })).toMatchObject({ displayName: 'C' })
})

test('a thread that dies is reported, so that no program goes on without its journal', { tags: 'long' }, async () => {
  const dying = "data:text/javascript,export const barrier = () => { setTimeout(() => { throw new Error('broke') }) }"
  let reportBroken = (): void => undefined
  const broken = new Promise<void>((resolve) => { reportBroken = resolve })
  const folder = temporaryFolder()
  await (await withAccount(folder)).close()
  const journal = await openJournal({ ...place(folder), hook: dying, broken: () => { reportBroken() } })
  await journal.write.saveFills({ ...user, at: monday, fills: [fill(1, 'buy', 1, 6750)], specs: [] }).catch(() => undefined)
  await broken
  await expect(journal.write.deleteExpired({ at: monday, oauthStatesBefore: monday })).rejects.toMatchObject({ code: 'journal-closed' })
  await journal.close()
})

test('imports that cannot be matched do not keep a journal from opening, and are retried', { tags: ['long', 'nightly'] }, async () => {
  const folder = temporaryFolder()
  const journal = await withAccount(folder)
  await journal.write.saveFills({ ...user, at: monday, fills: [fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751)], specs: [] })
  const of = { ...user, importId: 'one' }
  await journal.write.beginImport({ ...of, at: monday, zone: 'UTC', account: null })
  await journal.write.addReadings({ ...of, place: 0, readings: [fillRow('PA-7', 1, 'buy', 1, 6750)] })
  await journal.write.finishImport({ ...of, at: monday })
  await journal.close()
  const database = new Sqlite(place(folder).file)
  database.exec(`UPDATE import_readings SET content = replace(content, '"tickSize":"0.25"', '"tickSize":"none"'); INSERT INTO imports_unsettled SELECT user_id, at FROM imports`)
  database.close()

  const again = await open(folder)
  expect(await again.read.totals(user)).toMatchObject({ fills: 3, pairs: 1 })
  expect(await again.write.undoImport({ ...of, at: monday })).toMatchObject({ ok: true })
  expect(await again.read.totals(user)).toMatchObject({ fills: 2, pairs: 1 })
})

test('a journal copied by hand to another computer makes other stamps than its original', { tags: ['long', 'nightly'] }, async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()]
  await (await withAccount(here)).close()
  cpSync(here, there, { recursive: true })
  const finance = { id: 'payout', type: 'earning', amount: 1, name: 'Payout', balance: 0, platform: 'other', firm: null } as const
  const stamps: unknown[] = []
  for (const folder of [here, there]) {
    const journal = await open(folder)
    await journal.write.addFinance({ ...user, at: monday + 5, finance })
    stamps.push(new Sqlite(path.join(folder, 'journal.db'), { readonly: true }).prepare("SELECT stamp FROM finances WHERE id = 'payout'").pluck().get())
  }
  expect(stamps[0]).not.toBe(stamps[1])
  expect(String(stamps[0]).slice(0, 21)).toBe(String(stamps[1]).slice(0, 21))
})
