// @module-tag slow
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { Pushed } from '#shared/api/sync.ts'
import { migrationsFolder, monday, openEmptyStore, temporaryFolder, user } from '#tests/helpers/store.ts'
import { callsOf } from '#tests/helpers/mirror-device.ts'
import { backupWork } from './backup-work.ts'
import { openCopierStore } from '../copier/store/copier-store.ts'
import { backupName, markOf, type BackupFile } from '../db/backup-names.ts'
import { storeFault } from '../db/fault.ts'
import type { BackupThreads } from './run-backup.ts'
import { contradictIndexes } from '#tests/helpers/backups.ts'
import { copierPaths, silent } from '#tests/helpers/copier-samples.ts'
import { bytesOf, createBackups, freeBytesOf, spareBytes, superfluous } from './service.ts'

const hour = 3_600_000
const day = 24 * hour

/** The work as it is, on this thread. */
const threads: Omit<BackupThreads, 'close'> = {
  make: async (order) => backupWork.make(order),
  check: async (order) => backupWork.check(order),
  holds: async (order) => backupWork.holds(order),
  preview: (order) => Promise.resolve(backupWork.preview(order)),
  stage: (order) => Promise.resolve(backupWork.stage(order)),
  forget: async (order) => { backupWork.forget(order) },
}

const none = { back: 0, changed: 0, added: 0 }

const begin = () => {
  const store = openEmptyStore()
  const dataDir = path.dirname(store.file)
  const folder = path.join(dataDir, 'backups')
  const state = { now: monday, refused: false, running: null as Promise<void> | null, ends: () => undefined as unknown, stages: () => undefined as unknown, makes: () => undefined as unknown, free: null as number | null }
  const done: string[] = []
  const pushed: Pushed[] = []
  const backups = createBackups({
    journal: { ...callsOf(store), refuseWrites: () => void (state.refused = true) },
    threads: { ...threads, stage: (order) => (state.stages(), threads.stage(order)), make: async (order) => threads.make(order).finally(() => void state.makes()) },
    dataDir, folder, migrationsFolder, timeZone: 'UTC',
    mirrors: { end: () => Promise.resolve(void (done.push('mirror ended'), state.ends())), resume: () => void done.push('mirror resumed') },
    runs: { running: () => state.running, idle: async () => { await state.running; state.running = null } },
    sweep: () => Promise.resolve(void done.push('swept')),
    removeFile: (file) => Promise.resolve(rmSync(file, { recursive: true, force: true })),
    renameFile: (from, to) => Promise.resolve(renameSync(from, to)),
    fileExists: existsSync,
    freeBytes: () => state.free,
    events: { push: (_, event) => void pushed.push(event) },
    log: silent,
    now: () => state.now,
  })
  const names = (): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
  const enter = (id: string): void => void store.write.addTrade({ ...user, at: state.now, trade: { id, symbol: 'MESM6', account: 'Depot', accountId: '', qty: 1, entryPrice: 6700, exitPrice: 6701, platform: 'other', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T15:05:00Z' } })
  return { store, dataDir, folder, state, done, pushed, backups, names, enter }
}

test('a daily backup copies the journal, and the file of the copier where there is one, each unless nothing changed', async () => {
  const { dataDir, state, backups, names, enter } = begin()
  expect(await backups.makeDaily()).toBe(true)
  expect(names()).toEqual(['journal-2026-01-05T15-00-00Z.db'])
  const copier = openCopierStore({ ...copierPaths(dataDir), log: silent })
  state.now += day
  enter('t1')
  await backups.makeDaily()
  state.now += day
  await backups.makeDaily()
  copier.close()
  expect(names()).toEqual(['copier-2026-01-06T15-00-00Z.db', 'journal-2026-01-05T15-00-00Z.db', 'journal-2026-01-06T15-00-00Z.db'])
  expect((await backups.list(user.userId)).backups.map(({ name }) => name)).toEqual(['journal-2026-01-06T15-00-00Z.db', 'journal-2026-01-05T15-00-00Z.db'])
})

test('a year of days leaves the backups that the rule keeps', async () => {
  const { folder, state, backups, names, enter } = begin()
  mkdirSync(folder)
  for (let back = 1; back <= 365; back += 1) writeFileSync(path.join(folder, `journal-${new Date(monday - back * day).toISOString().slice(0, 10)}T15-00-00Z.db`), '')
  enter('t1')
  await backups.makeDaily()
  expect(names()).toHaveLength(19)
  expect(names().at(-1)).toBe('journal-2026-01-05T15-00-00Z.db')
  for (let presses = 0; presses < 5; presses += 1) {
    state.now += 1_000
    await backups.make(user.userId)
    if (presses > 1) await backups.make('another')
  }
  expect(names().filter((name) => name.endsWith(`by-hand-${markOf(user.userId)}.db`))).toHaveLength(3)
  expect(names().filter((name) => name.includes('by-hand'))).toHaveLength(6)
})

test('a new backup is never the one deleted, however fast they are made and whatever the clock was before', { tags: 'long' }, async () => {
  const { state, backups, names, enter } = begin()
  const made = async (): Promise<string> => {
    const made = await backups.make(user.userId)
    if (!made.ok) throw new Error(made.error.code)
    return made.value
  }
  for (let presses = 0; presses < 12; presses += 1) {
    const name = await made()
    expect(names()).toContain(name)
  }
  state.now = monday + 200 * day
  for (let days = 0; days < 9; days += 1) {
    state.now += day
    enter(`t${String(days)}`)
    await backups.makeDaily()
    await backups.restore(user.userId, await made())
  }
  state.now = monday + day
  enter('t')
  const wanted = await made()
  expect(names()).toContain(wanted)
  const restored = await backups.restore(user.userId, wanted)
  expect(restored.ok && restored.value.when === 'now' && names().includes(restored.value.kept)).toBe(true)
  enter('u')
  await backups.makeDaily()
  expect(names()).toContain('journal-2026-01-06T15-00-00Z.db')
  const again = await made()
  expect(names()).toContain(again)
  expect(names()).toContain(wanted)
})

test('a failed backup is shown with its time until one succeeds', async () => {
  const { folder, state, backups } = begin()
  writeFileSync(folder, 'in its place')
  expect(await backups.makeDaily()).toBe(false)
  rmSync(folder)
  expect((await backups.list(user.userId)).trouble).toEqual({ at: '2026-01-05T15:00:00.000Z', of: 'journal', why: 'failed' })
  state.now += hour
  expect(await backups.makeDaily()).toBe(true)
  expect((await backups.list(user.userId)).trouble).toBeNull()
})

test('without enough room nothing begins, and the room it needs is shown beforehand', async () => {
  const { dataDir, state, backups, names } = begin()
  const made = await backups.make(user.userId)
  if (!made.ok) throw new Error(made.error.code)
  const { room, backups: [kept] } = await backups.list(user.userId)
  expect(room).toBeNull()
  state.free = 1_000_000_000
  const needed = (await backups.list(user.userId)).room?.needed ?? 0
  expect(needed).toBeGreaterThan(spareBytes)
  expect(kept?.restoreNeeds).toBeGreaterThan(needed)
  state.free = needed - 1
  const before = names()
  expect(await backups.make(user.userId)).toMatchObject({ ok: false, error: { code: 'disk-full' } })
  expect(await backups.makeDaily()).toBe(false)
  expect(await backups.list(user.userId)).toMatchObject({ room: { needed, free: needed - 1 }, trouble: { of: 'journal', why: 'disk-full' } })
  state.free = needed
  // A restore keeps a copy besides.
  expect(await backups.restore(user.userId, made.value)).toMatchObject({ ok: false, error: { code: 'disk-full' } })
  expect(names()).toEqual(before)
  expect(await backups.makeDaily()).toBe(true)
  state.free = kept?.restoreNeeds ?? 0
  expect(await backups.restore(user.userId, made.value)).toMatchObject({ ok: true })
  expect(existsSync(path.join(dataDir, 'backups', 'staging'))).toBe(false)
})

test('a copier file that another program holds is named, also after the journal was copied by hand', async () => {
  const { dataDir, state, backups } = begin()
  writeFileSync(path.join(dataDir, 'copier.db'), '')
  let failing = true
  state.makes = () => {
    if (failing) throw storeFault('busy', 'SQLITE_BUSY: database is locked')
  }
  state.now += hour
  expect(await backups.makeDaily()).toBe(false)
  expect((await backups.list(user.userId)).trouble).toMatchObject({ of: 'journal', why: 'busy' })
  failing = false
  await backups.make(user.userId)
  expect((await backups.list(user.userId)).trouble).toMatchObject({ of: 'copier', why: 'busy' })
  rmSync(path.join(dataDir, 'copier.db'))
  expect(await backups.makeDaily()).toBe(true)
  expect((await backups.list(user.userId)).trouble).toBeNull()
})

test('a restore waits for the running sync, delays later ones, and stops the mirror meanwhile', async () => {
  const { store, state, done, pushed, backups, enter } = begin()
  enter('t1')
  const made = await backups.make(user.userId)
  if (!made.ok) throw new Error(made.error.code)
  store.write.removeTrade({ ...user, at: state.now + 1, id: 't1' })
  const run = Promise.withResolvers<undefined>()
  state.running = run.promise.then(() => void done.push('run ended'))
  state.ends = () => { run.resolve(undefined) }
  state.stages = () => void backups.notRestoring(user.userId).then(() => done.push('next run'))
  expect(await backups.restore(user.userId, made.value)).toMatchObject({ ok: true, value: { when: 'now', holds: { pairs: 1 } } })
  await backups.notRestoring(user.userId)
  expect(done.filter((what) => what !== 'next run')).toEqual(['mirror ended', 'run ended', 'mirror resumed', 'swept'])
  expect(done.indexOf('next run')).toBeGreaterThan(done.indexOf('mirror resumed'))
  expect(pushed.map(({ type }) => type)).toEqual(['journal-changed', 'finances-changed', 'rules-changed', 'reports-changed'])
  expect(store.read.pairById({ ...user, id: 't1' })).not.toBeNull()
})

test('an intact journal is reported as intact; a damaged one refuses writes from then on', async () => {
  const { store, dataDir, state, backups } = begin()
  expect(backups.health()).toBe('checking')
  await backups.check()
  expect([backups.health(), state.refused]).toEqual(['sound', false])
  store.writer.database.close()
  writeFileSync(path.join(dataDir, 'journal.db'), 'x'.repeat(8_192))
  await backups.check()
  expect([backups.health(), state.refused]).toEqual(['damaged', true])
})

test('a damaged file of the copier, or a damaged copy, condemns no journal; the other file is copied, and the one that failed is tried again that day', async () => {
  const { dataDir, state, backups, names } = begin()
  writeFileSync(path.join(dataDir, 'copier.db'), 'x'.repeat(8_192))
  expect(await backups.makeDaily()).toBe(false)
  expect([backups.health(), state.refused, names()]).toEqual(['checking', false, ['journal-2026-01-05T15-00-00Z.db']])
  expect((await backups.list(user.userId)).trouble).toMatchObject({ of: 'copier', why: 'failed' })
  rmSync(path.join(dataDir, 'copier.db'))
  openCopierStore({ ...copierPaths(dataDir), log: silent }).close()
  state.now += hour
  expect(await backups.makeDaily()).toBe(true)
  expect([names(), (await backups.list(user.userId)).trouble]).toEqual([['copier-2026-01-05T16-00-00Z.db', 'journal-2026-01-05T15-00-00Z.db'], null])
  state.makes = () => { throw storeFault('damaged-database', 'The disk of backups is bad') }
  expect(await backups.make(user.userId)).toEqual({ ok: false, error: { code: 'backup-failed' } })
  expect([backups.health(), state.refused]).toEqual(['sound', false])
})

test('a journal whose indexes contradict its rows is damaged: the check finds it, and so does a copy that fails because of it', async () => {
  const { store, state, backups, enter } = begin()
  for (const id of ['trade-a', 'trade-b', 'trade-c']) enter(id)
  store.writer.database.close()
  // Two trades of one id: a copy breaks the unique index, and SQLite's quick check passes.
  contradictIndexes(store.file, 'fill_pairs', 'trade-b')
  expect(new Sqlite(store.file, { readonly: true }).pragma('quick_check', { simple: true })).toBe('ok')
  expect(await backups.make(user.userId)).toEqual({ ok: false, error: { code: 'journal-damaged' } })
  expect([backups.health(), state.refused]).toEqual(['damaged', true])
  expect((await backups.list(user.userId)).trouble).toMatchObject({ of: 'journal', why: 'damaged' })

  const other = begin()
  for (const id of ['trade-a', 'trade-b']) other.enter(id)
  other.store.writer.database.close()
  contradictIndexes(other.store.file, 'fill_pairs', 'trade-b')
  await other.backups.check()
  expect([other.backups.health(), other.state.refused]).toEqual(['damaged', true])
})

test('a journal that cannot be copied and fails its check is written to no more', async () => {
  const { store, dataDir, state, backups } = begin()
  store.writer.database.close()
  writeFileSync(path.join(dataDir, 'journal.db'), 'x'.repeat(8_192))
  expect(await backups.makeDaily()).toBe(false)
  expect([backups.health(), state.refused]).toEqual(['damaged', true])
})

test('no second backup is made on a day on which an earlier start made one', async () => {
  const { state, backups, names, enter } = begin()
  await backups.makeDaily()
  enter('t1')
  state.now += hour
  expect(await backups.makeDaily()).toBe(true)
  expect(names()).toEqual(['journal-2026-01-05T15-00-00Z.db'])
})

test('what the user enters while a restore is prepared, or while the journal is backed up, is in the backup of before the restore', async () => {
  const { store, state, backups, names, enter } = begin()
  const made = await backups.make(user.userId)
  if (!made.ok) throw new Error(made.error.code)
  state.stages = () => { enter('t1') }
  state.makes = () => {
    state.makes = () => undefined
    enter('t2')
  }
  const restored = await backups.restore(user.userId, made.value)
  if (!restored.ok || restored.value.when !== 'now') throw new Error('It was not restored')
  const { kept } = restored.value
  expect(['t1', 't2'].map((id) => store.read.pairById({ ...user, id }) !== null)).toEqual([true, true])
  expect(names()).toEqual([made.value, kept].toSorted())
  expect((await backups.list(user.userId)).backups.find(({ name }) => name === kept)?.holds?.pairs).toBe(2)
})

test('a deleted user is in no backup, not one started meanwhile, no copy of the copier, no set-aside journal, and no partial file', async () => {
  const { store, dataDir, folder, backups, names } = begin()
  const copier = openCopierStore({ ...copierPaths(dataDir), log: silent })
  copier.saveGroup({ userId: user.userId, id: 'g1', draft: { name: 'of-one-who-left' } as never })
  await backups.makeDaily()
  await backups.make(user.userId)
  copier.close()
  const aside = path.join(dataDir, 'journal-damaged-2026-01-05T15-00-00Z.db')
  copyFileSync(path.join(folder, 'journal-2026-01-05T15-00-00Z.db'), aside)
  mkdirSync(path.join(folder, 'staging'))
  for (const half of ['staging/journal.db', 'journal-2026-01-04T15-00-00Z.db.part']) writeFileSync(path.join(folder, half), 'half')
  let meanwhile: ReturnType<typeof backups.make> | null = null
  await backups.forget(user.userId, async () => {
    meanwhile = backups.make('another')
    await Promise.resolve()
    store.write.deleteUser(user)
  })
  await meanwhile
  // What the user asked for holds others too, and is nobody's from now on.
  expect(names()).toEqual(['copier-2026-01-05T15-00-00Z.db', `journal-2026-01-05T15-00-00Z-by-hand-${markOf('another')}.db`, 'journal-2026-01-05T15-00-00Z-by-hand.db', 'journal-2026-01-05T15-00-00Z.db'])
  for (const file of [...names().map((name) => path.join(folder, name)), aside]) for (const word of ['a@example.org', 'of-one-who-left']) expect(readFileSync(file).includes(word), `${word} in ${file}`).toBe(false)
})

test('the fourth restore leaves the copy of before the first, and that brings back what no other file holds', async () => {
  const { store, state, backups, enter } = begin()
  const empty = await backups.make(user.userId)
  if (!empty.ok) throw new Error(empty.error.code)
  enter('t1')
  const noted = await backups.make(user.userId)
  if (!noted.ok) throw new Error(noted.error.code)
  const kept: string[] = []
  for (let restores = 0; restores < 6; restores += 1) {
    state.now += hour
    const restored = await backups.restore(user.userId, empty.value, true)
    if (!restored.ok || restored.value.when !== 'now') throw new Error('It was not restored')
    kept.push(restored.value.kept)
  }
  expect(store.read.pairById({ ...user, id: 't1' })).toBeNull()
  const left = (await backups.list(user.userId)).backups.filter(({ kind }) => kind === 'before-restore')
  expect(left.map(({ name, holds }) => [name, holds?.pairs])).toEqual([[kept[5], 0], [kept[4], 0], [kept[3], 0], [kept[0], 1]])
  await backups.restore(user.userId, kept[0] ?? '')
  expect(store.read.pairById({ ...user, id: 't1' })).not.toBeNull()
})

test('the preview of a restore names the files of an import that the journal knows nothing of any more', async () => {
  const { store, backups } = begin()
  const journal = new Sqlite(store.file)
  const insert = (sql: string, ...values: readonly unknown[]): void => void journal.prepare(sql).run(user.userId, ...values)
  insert(`INSERT INTO imports (user_id, id, at, zone, state) VALUES (?, 'gone', ?, 'UTC', 'standing')`, monday)
  for (const [place, name] of ['Fills.csv', 'Cash History.csv'].entries()) insert(`INSERT INTO import_files (user_id, import_id, place, name, kind, rows, accepted, refused) VALUES (?, 'gone', ?, ?, 'fills', 0, 0, 0)`, place, name)
  const made = await backups.make(user.userId)
  for (const table of ['import_files', 'imports']) journal.exec(`DELETE FROM ${table}`)
  journal.close()
  const previewed = made.ok ? await backups.preview(user.userId, made.value) : made
  expect(previewed.ok && previewed.value.preview?.examples).toEqual([{ kind: 'imports', fate: 'back', what: 'Fills.csv, Cash History.csv', day: null, field: null, then: null, now: null }])
})

test('the preview of a restore has counts and examples of exactly what it then does', async () => {
  const { store, folder, state, backups, enter } = begin()
  for (const id of ['t1', 't2', 't3']) enter(id)
  const then = { ...user, at: state.now }
  store.write.updateTrade({ ...then, id: 't1', updates: { notes: 'as it was' } })
  store.write.setDayNote({ ...then, tradingDay: '2026-01-05', notes: 'calm' })
  const made = await backups.make(user.userId)
  if (!made.ok) throw new Error(made.error.code)
  state.now += hour
  const now = { ...user, at: state.now }
  store.write.updateTrade({ ...now, id: 't1', updates: { notes: 'overwritten', tags: ['since'] } })
  store.write.removeTrade({ ...now, id: 't2' })
  store.write.updateTrade({ ...now, id: 't3', updates: { qty: 2 } })
  store.write.setDayNote({ ...now, tradingDay: '2026-01-05', notes: '' })
  enter('t4')
  store.write.addFinance({ ...now, finance: { id: 'f1', type: 'earning', amount: 90, name: 'Payout', balance: 0, platform: 'other', firm: null } })
  store.write.setDefaultStops({ ...now, stops: [{ product: 'MES', distance: '10', unit: 'ticks' }] })
  const previewed = await backups.preview(user.userId, made.value)
  const { counts, examples } = (previewed.ok && previewed.value.preview) || { counts: null, examples: [] }
  expect(counts).toEqual({
    trades: { back: 1, changed: 1, added: 1 }, notes: { back: 0, changed: 1, added: 1 }, days: { back: 1, changed: 0, added: 0 }, finances: { back: 0, changed: 0, added: 1 },
    accounts: none, settings: { ...none, added: 1 }, imports: none, reports: none, fills: none,
  })
  expect(examples).toEqual(expect.arrayContaining([
    { kind: 'notes', fate: 'changed', what: 'MESM6', day: '2026-01-05', field: 'notes', then: 'as it was', now: 'overwritten' },
    { kind: 'days', fate: 'back', what: null, day: '2026-01-05', field: 'notes', then: 'calm', now: '' },
    { kind: 'finances', fate: 'added', what: 'Payout', day: '2026-01-05', field: null, then: null, now: null },
  ]))
  expect(await backups.preview(user.userId, 'journal-2020-01-01T00-00-00Z.db')).toMatchObject({ ok: false, error: { code: 'not-found' } })
  await backups.restore(user.userId, made.value)
  const after = await backups.preview(user.userId, made.value)
  expect(after.ok && after.value.preview?.counts).toEqual({ ...counts, trades: { ...none, added: 1 }, notes: { ...none, added: 1 }, days: none })
  await backups.restore(user.userId, made.value, true)
  const whole = await backups.preview(user.userId, made.value)
  expect(whole.ok && Object.values(whole.value.preview?.counts ?? {}).flatMap((fates) => Object.values(fates)).every((count) => count === 0)).toBe(true)
  expect(existsSync(path.join(folder, 'comparing'))).toBe(false)
})

test('a backup says whether its reader is in it, who requested it, and how many other users it holds, and nothing else of them', async () => {
  const { store, backups } = begin()
  await backups.makeDaily()
  await backups.make(user.userId)
  store.write.ensureProfile({ id: 'bob', email: 'bob@example.org', displayName: 'Bob', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'UTC', createdAt: monday })
  store.write.ensureProfile({ id: 'demo', email: null, displayName: 'Demo', passwordHash: null, recoveryHash: null, demo: true, timeZone: 'UTC', createdAt: monday })
  await backups.make('bob')
  const whose = async (userId: string) => (await backups.list(userId)).backups.map(({ kind, by, others, holds }) => [kind, by, others, holds !== null])
  expect(await whose(user.userId)).toEqual(expect.arrayContaining([['by-hand', 'another', 1, true], ['by-hand', 'you', 0, true], ['daily', null, 0, true]]))
  expect(await whose('bob')).toEqual(expect.arrayContaining([['by-hand', 'you', 1, true], ['by-hand', 'another', 1, false], ['daily', null, 1, false]]))
  for (const word of ['bob@example.org', 'Bob']) expect(JSON.stringify(await backups.list(user.userId))).not.toContain(word)
})

test('a copy takes what its file and the log beside it hold', () => {
  const file = path.join(temporaryFolder(), 'journal.db')
  expect(bytesOf(file)).toBe(0)
  writeFileSync(file, 'x'.repeat(100))
  writeFileSync(`${file}-wal`, 'x'.repeat(20))
  writeFileSync(`${file}-shm`, 'x'.repeat(3))
  expect(bytesOf(file)).toBe(120)
})

test('a folder that does not exist yet has the room of its parent; where it cannot be read the room is unknown', () => {
  const folder = temporaryFolder()
  expect(freeBytesOf(folder)).toBeGreaterThan(0)
  expect(freeBytesOf(path.join(folder, 'backups', 'of-later'))).toBeGreaterThan(0)
  const inItsPlace = path.join(folder, 'file')
  writeFileSync(inItsPlace, '')
  expect(freeBytesOf(path.join(inItsPlace, 'backups'))).toBeNull()
})

describe('which backups stay', () => {
  const zone = 'America/New_York'
  const hour = 3_600_000
  const noon = Date.UTC(2026, 10, 22, 17)

  test('the last three backups of each kind and profile stay, before restores the first too, and the copier has its own', () => {
    const kinds = ['daily', 'by-hand', 'before-restore'] as const
    const files: BackupFile[] = (['journal', 'copier'] as const).flatMap((of) => kinds.flatMap((kind) => [null, ...(kind === 'daily' ? [] : [markOf('ann'), markOf('bob')])].flatMap((by) => Array.from({ length: 5 }, (_, index) => ({ name: backupName(of, noon - index * hour, kind, by), of, kind, at: noon - index * hour, bytes: 1, by })))))
    const gone = superfluous(files, zone, noon)
    expect(gone).toHaveLength(2 * (4 + 3 * (2 + 1)))
    expect(gone).not.toContain(backupName('journal', noon, 'daily'))
    expect(gone).toContain(backupName('copier', noon - 3 * hour, 'by-hand'))
  })

  test('backups dated by a clock that was ahead displace no later ones, and follow the same rule', () => {
    const copy = (at: number, kind: 'daily' | 'by-hand'): BackupFile => ({ name: backupName('journal', at, kind), of: 'journal', kind, at, bytes: 1, by: null })
    const ahead = Array.from({ length: 30 }, (_, index) => [copy(noon + (60 - index) * 24 * hour, 'daily'), copy(noon + (60 - index) * 24 * hour, 'by-hand')]).flat()
    const gone = superfluous([...ahead, copy(noon, 'daily'), copy(noon, 'by-hand')], zone, noon)
    expect(gone).not.toContain(backupName('journal', noon, 'daily'))
    expect(gone).not.toContain(backupName('journal', noon, 'by-hand'))
    expect(gone.filter((name) => name.includes('by-hand'))).toHaveLength(27)
    expect(gone).not.toContain(ahead[0]?.name)
  })

  test('of several restores the backup from before the first is kept as long as any of them, and other restores do not matter', () => {
    const days = (...back: readonly number[]): BackupFile[] => back.map((day) => ({ name: backupName('journal', noon - day * 24 * hour, 'before-restore', markOf('ann')), of: 'journal', kind: 'before-restore', at: noon - day * 24 * hour, bytes: 1, by: markOf('ann') }))
    const kept = (files: readonly BackupFile[]): number[] => {
      const gone = superfluous(files, zone, noon)
      return files.filter(({ name }) => !gone.includes(name)).map(({ at }) => (noon - at) / (24 * hour))
    }
    expect(kept(days(0, 1, 2, 3))).toEqual([0, 1, 2, 3])
    expect(kept(days(0, 1, 2, 3, 20, 50, 81))).toEqual([0, 1, 2, 81])
    // Of the four of a season before one is among the last three.
    expect(kept(days(0, 1, 100, 101, 102, 103))).toEqual([0, 1, 100, 103])
    expect(kept(days(0, 1, 2, 100, 101))).toEqual([0, 1, 2])
  })
})
