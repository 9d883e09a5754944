import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { backupRoutes } from '#shared/api/backups.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { openBrowser, type Browser } from '#tests/helpers/browser.ts'
import { fault, type FaultCount } from '#tests/helpers/fault.ts'
import type { FaultRow } from '../../build/fault-rows.ts'
import { runBare, type Door } from '#tests/helpers/run-door.ts'
import { sharedRowsIn } from '#tests/helpers/shared-rows.ts'
import { words } from '#tests/helpers/words.ts'

const tags = ['long', 'nightly', 'fault']
const isRoot = process.getuid?.() === 0
/** Whom nothing belongs to. */
const nobody = 65_534
/** Whom a browser of these tests signs up as. */
const known = { email: 'ann@example.com', password: 'correct horse' }
const pageBytes = 4_096
const trade = (id: string) => ({ id, symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' })

const addressIn = (line: string): string => /http:\/\/\S+/.exec(line)?.[0] ?? ''
const addressOf = async (door: Door): Promise<string> => {
  const line = await door.line()
  if (line === null) throw new Error(`It did not start:\n${door.output().stderr}`)
  return addressIn(line)
}

const add = async (browser: Browser, userId: string, id: string): Promise<void> => void (await browser.call(recordRoutes.addTrade, { body: { userId, trade: trade(id) } }))

/** A data folder with a journal of a few trades, closed; `then` is done last. */
const madeFolder = async (then: (browser: Browser) => Promise<unknown> = () => Promise.resolve()): Promise<string> => {
  const dataDir = join(testFolder(), 'data')
  const door = runBare(dataDir)
  const browser = await openBrowser(await addressOf(door))
  const { userId } = await browser.signUp()
  for (const id of ['a', 'b', 'c']) await add(browser, userId, id)
  await then(browser)
  door.kill('SIGTERM')
  expect(await door.ended).toBe(0)
  return dataDir
}

const journalOf = (dataDir: string): string => join(dataDir, 'journal.db')

/** Starts and is refused: gives what the user reads in one line, with the folder as dots and without the time in a name. */
const refused = async (count: FaultCount, dataDir: string, uid?: number): Promise<string> => {
  const door = runBare(dataDir, uid === undefined ? {} : { uid })
  expect([await door.ended, door.output().stdout]).toEqual([1, ''])
  const { stderr } = door.output()
  expect(stderr).not.toMatch(/^\s+at /m)
  const text = stderr.replaceAll(dataDir, '…').replaceAll(/journal-[\dTZ-]+/g, 'journal-…-').replaceAll(/-[\da-f]{12}\.db/g, '-….db').replaceAll(/(must be .*)\n/g, '$1. ').replaceAll(/\s+/g, ' ').trim()
  count.tried()
  count.sees(text)
  return text
}

/** Starts as if nothing had been: all trades are there, once. */
const startsWith = async (count: FaultCount, dataDir: string, ids: readonly string[], uid?: number): Promise<void> => {
  const door = runBare(dataDir, uid === undefined ? {} : { uid })
  const browser = await openBrowser(await addressOf(door))
  const { currentUser } = await browser.call(sessionRoutes.signIn, { body: known })
  const found = (await browser.call(recordRoutes.getTrades, { query: { userId: currentUser.uid } })).trades.map(({ id }) => id).toSorted()
  count.compare(found, ids)
  expect(found).toEqual(ids)
  door.kill('SIGTERM')
  expect(await door.ended).toBe(0)
}

/** Gives everything below a folder to a user. */
const give = (folder: string, uid: number): void => {
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) chownSync(join(folder, name), uid, uid)
}

test('an unwritable folder is reported plainly, whichever part is unwritable, and its files stay', { tags }, async ({ task }) => {
  const count = fault(task, 'folder-unwritable')
  const outer = testFolder()
  chmodSync(outer, 0o755)
  const made = await madeFolder()
  const before = sharedRowsIn(journalOf(made))
  const closed = (name: string): string => {
    const folder = join(outer, name)
    mkdirSync(folder)
    return folder
  }
  // Root can write everywhere: as root the program runs as another user.
  const uid = isRoot ? nobody : undefined
  const wanted = '… must be a folder that can be written to'
  const empty = closed('empty')
  const full = closed('full')
  cpSync(made, full, { recursive: true })
  for (const name of ['.', 'logs', ...readdirSync(full)]) chmodSync(join(full, name), name.endsWith('.db') ? 0o444 : 0o555)
  const locked = closed('locked')
  for (const folder of [empty, locked]) chmodSync(folder, 0o555)
  onTestFinished(() => { for (const folder of [empty, full, locked]) chmodSync(folder, 0o755) })
  for (const folder of [empty, join(locked, 'new'), full]) expect(await refused(count, folder, uid)).toContain(wanted)
  count.compare(sharedRowsIn(journalOf(full)), before)

  if (!isRoot) return
  // The folder is the user's, the journal is not: readable, and not even that.
  const mixed = closed('mixed')
  cpSync(made, mixed, { recursive: true })
  give(mixed, nobody)
  chownSync(journalOf(mixed), 0, 0)
  for (const mode of [0o444, 0o600]) {
    chmodSync(journalOf(mixed), mode)
    expect(await refused(count, mixed, uid)).toContain(wanted)
  }
  count.compare(sharedRowsIn(journalOf(mixed)), before)
  give(mixed, nobody)
  await startsWith(count, mixed, ['a', 'b', 'c'], nobody)
})

const damages: Readonly<Record<string, (file: string, whole: Buffer) => void>> = {
  'no database': (file) => writeFileSync(file, 'these are no pages of a database, however long the text may be made '.repeat(100)),
  'two pages in the middle': (file, whole) => writeFileSync(file, Buffer.concat([whole.subarray(0, pageBytes * 30), Buffer.alloc(pageBytes * 2, 0xa5), whole.subarray(pageBytes * 32)])),
  'the end cut off': (file, whole) => truncateSync(file, Math.floor(whole.length / 2)),
}

test.for(Object.entries(damages))('a damaged journal refuses writes and says so, and a backup restores all of it: %s', { tags }, async ([, damage], { task }) => {
  const count = fault(task, 'journal-damaged')
  const made = await madeFolder((browser) => browser.call(backupRoutes.makeBackup))
  const whole = readFileSync(journalOf(made))
  damage(journalOf(made), whole)
  const bytes = readFileSync(journalOf(made))
  const door = runBare(made)
  const line = await door.line()
  if (line === null) {
    // An unreadable file stays unchanged, byte for byte.
    expect(readFileSync(journalOf(made)).equals(bytes)).toBe(true)
    expect(await refused(count, made)).toContain('must be an undamaged journal')
    writeFileSync(journalOf(made), readFileSync(join(made, 'backups', readdirSync(join(made, 'backups'))[0] ?? '')))
  } else {
    const browser = await openBrowser(addressIn(line))
    const { currentUser: { uid: userId } } = await browser.call(sessionRoutes.signIn, { body: known })
    await expect.poll(async () => (await browser.call(backupRoutes.backups)).health).toBe('damaged')
    count.tried()
    count.sees(words('backups', 'damaged'))
    const failed = await browser.fail(recordRoutes.addTrade, { body: { userId, trade: trade('d') } })
    count.sees(words('problems', `code.${failed.code}`))
    const [backup] = (await browser.call(backupRoutes.backups)).backups
    expect(await browser.call(backupRoutes.restoreBackup, { body: { name: backup?.name ?? '' } })).toMatchObject({ when: 'next-start' })
    door.kill('SIGTERM')
    expect(await door.ended).toBe(0)
  }
  await startsWith(count, made, ['a', 'b', 'c'])
})

const logDamages: Readonly<Record<string, { readonly damage: (log: string) => void; readonly row: FaultRow; readonly wanted: string }>> = {
  'a byte in the middle of it': { row: 'journal-damaged', wanted: 'must be an undamaged journal', damage: (log) => { const bytes = readFileSync(log); const at = Math.floor(bytes.length / 2); bytes[at] = (bytes[at] ?? 0) ^ 1; writeFileSync(log, bytes) } },
  'its end cut off': { row: 'journal-damaged', wanted: 'must be an undamaged journal', damage: (log) => { truncateSync(log, readFileSync(log).length - 100) } },
  missing: { row: 'journal-lost', wanted: 'must be the log that was written last for this journal', damage: rmSync },
  emptied: { row: 'journal-lost', wanted: 'must be the log that was written last for this journal', damage: (log) => { truncateSync(log) } },
}

test.for(Object.entries(logDamages))('a damaged log of a killed program is not used, and an intact one restores all of it: %s', { tags }, async ([, { damage, row, wanted }], { task }) => {
  const count = fault(task, row)
  const made = await madeFolder((browser) => browser.call(backupRoutes.makeBackup))
  const door = runBare(made)
  const browser = await openBrowser(await addressOf(door))
  const { currentUser: { uid: userId } } = await browser.call(sessionRoutes.signIn, { body: known })
  for (const id of ['d', 'e']) await add(browser, userId, id)
  door.kill('SIGKILL')
  await door.ended
  const log = `${journalOf(made)}-wal`
  const whole = readFileSync(log)
  damage(log)
  const left = [journalOf(made), log].map((file) => (existsSync(file) ? readFileSync(file) : null))
  expect(await refused(count, made)).toContain(wanted)
  expect([journalOf(made), log].map((file) => (existsSync(file) ? readFileSync(file) : null))).toEqual(left)
  writeFileSync(log, whole)
  await startsWith(count, made, ['a', 'b', 'c', 'd', 'e'])
})

const losses: Readonly<Record<string, (file: string) => void>> = {
  emptied: (file) => writeFileSync(file, ''),
  missing: (file) => rmSync(file),
  'without profiles': (file) => {
    const journal = new Sqlite(file)
    journal.pragma('foreign_keys = OFF')
    journal.exec('DELETE FROM profiles')
    journal.close()
  },
}

test.for(Object.entries(losses))('a lost journal beside its backups is not recreated, and a backup restores all of it: %s', { tags }, async ([, lose], { task }) => {
  const count = fault(task, 'journal-lost')
  const made = await madeFolder((browser) => browser.call(backupRoutes.makeBackup))
  lose(journalOf(made))
  const left = existsSync(journalOf(made)) ? readFileSync(journalOf(made)) : null
  expect(await refused(count, made)).toContain('must be the journal that your backups hold')
  expect(existsSync(journalOf(made)) ? readFileSync(journalOf(made)) : null).toEqual(left)
  const [backup = ''] = readdirSync(join(made, 'backups'))
  cpSync(join(made, 'backups', backup), journalOf(made))
  await startsWith(count, made, ['a', 'b', 'c'])
})

test("a journal of a newer version is refused and left untouched, and so is the copier's file", { tags }, async ({ task }) => {
  const count = fault(task, 'journal-newer')
  const made = await madeFolder()
  const versionOf = (file: string, version?: number): number => {
    const database = new Sqlite(file)
    const old = database.pragma('user_version', { simple: true }) as number
    if (version !== undefined) database.pragma(`user_version = ${String(version)}`)
    database.close()
    return old
  }
  const copierVersion = versionOf(join(made, 'copier.db'), 99)
  expect(await refused(count, made)).toContain('must be a file of the trade copier that this version of Fillbook knows')
  versionOf(join(made, 'copier.db'), copierVersion)
  const before = sharedRowsIn(journalOf(made))
  const version = versionOf(journalOf(made), 99)
  expect(await refused(count, made)).toContain('must be a journal that this version of Fillbook knows')
  count.compare(sharedRowsIn(journalOf(made)), before)
  expect(versionOf(journalOf(made), version)).toBe(99)
  await startsWith(count, made, ['a', 'b', 'c'])
})

const holder = `
const Sqlite = require('better-sqlite3')
const database = new Sqlite(process.argv[1])
database.exec('BEGIN EXCLUSIVE')
console.log('held')
process.stdin.resume()
`

/** Another program that has a file's lock until it is killed. */
const holdFile = async (file: string): Promise<() => Promise<void>> => {
  const child = spawn(process.execPath, ['-e', holder, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const letGo = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(letGo)
  await once(child.stdout, 'data')
  return letGo
}

test('a journal with a second file name is not opened: a program under that name would find neither lock nor log', { tags }, async ({ task }) => {
  const count = fault(task, 'journal-locked')
  const made = await madeFolder()
  const other = join(made, '..', 'other.db')
  linkSync(journalOf(made), other)
  expect(await refused(count, made)).toContain('must be a file with one name only. A hard link gives this file a second name')
  unlinkSync(other)
  await startsWith(count, made, ['a', 'b', 'c'])
})

test('a journal locked by another program keeps the program from starting, and prevents partial writes', { tags }, async ({ task }) => {
  const count = fault(task, 'journal-locked')
  const made = await madeFolder()
  const letGo = await holdFile(journalOf(made))
  expect(await refused(count, made)).toContain('must be in use by one Fillbook only')
  await letGo()

  const door = runBare(made)
  const browser = await openBrowser(await addressOf(door))
  const { currentUser: { uid: userId } } = await browser.call(sessionRoutes.signIn, { body: known })
  expect(await refused(count, made)).toContain('must be in use by one Fillbook only')
  const letGoAgain = await holdFile(journalOf(made))
  const failed = await browser.fail(recordRoutes.addTrade, { body: { userId, trade: trade('d') } })
  count.tried()
  expect(failed).toMatchObject({ status: 503, code: 'journal-locked' })
  count.sees(words('problems', `code.${failed.code}`))
  await letGoAgain()
  await add(browser, userId, 'd')
  door.kill('SIGTERM')
  expect(await door.ended).toBe(0)
  await startsWith(count, made, ['a', 'b', 'c', 'd'])
})
