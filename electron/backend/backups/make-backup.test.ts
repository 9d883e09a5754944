// @module-tag slow
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { contradictIndexes } from '#tests/helpers/backups.ts'
import { fill, openStore, take, temporaryFolder, user } from '#tests/helpers/store.ts'
import { backupName, backupsIn } from '../db/backup-names.ts'
import { deleteFromBackup } from './delete-from-backup.ts'
import { holdsOf } from './backup-holds.ts'
import { makeBackup, type BackupStep } from './make-backup.ts'
import { newestGoodBackup } from './newest-good-backup.ts'

const at = Date.UTC(2026, 10, 22, 15, 4, 5)
const name = backupName('journal', at, 'daily')

const begin = () => {
  const store = openStore()
  const folder = path.join(temporaryFolder(), 'backups')
  const make = (given: Partial<Parameters<typeof makeBackup>[0]> = {}, passed?: (step: BackupStep) => void) => makeBackup({ file: store.file, folder, name, unlessLike: null, ...given }, passed)
  return { store, folder, make }
}

const own = (file: string, userId: string) => {
  const holds = holdsOf(file, userId)
  return holds === 'unreadable' ? holds : holds.own
}

test('a backup is a snapshot of the journal that only its owner can read, without sessions', async () => {
  const { store, folder, make } = begin()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  store.write.saveSession({ idHash: 'cookie', userId: user.userId, createdAt: at, expiresAt: at + 1, endedBecause: null, keyHash: null })
  const steps: string[] = []
  expect(make({}, (step) => void steps.push(step))).toBe('made')
  expect(steps).toEqual(['begun', 'copied', 'checked', 'named'])
  expect(readdirSync(folder)).toEqual([name])
  expect([statSync(folder).mode & 0o777, statSync(path.join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600])
  const copy = new Sqlite(path.join(folder, name), { readonly: true })
  expect(copy.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(0)
  expect(copy.prepare('SELECT count(*) FROM fills').pluck().get()).toBe(2)
  copy.close()
  expect(store.read.session({ idHash: 'cookie', at })).not.toBeNull()
  expect(own(path.join(folder, name), user.userId)).toEqual({ pairs: 1, lastTradeDay: '2026-01-05', accounts: 2 })
  expect([own(path.join(folder, name), 'nobody'), own(path.join(folder, 'gone.db'), user.userId)]).toEqual([null, 'unreadable'])
})

test('no backup is made without a change, whichever user signed in meanwhile', async () => {
  const { store, folder, make } = begin()
  make()
  store.write.saveSession({ idHash: 'cookie', userId: user.userId, createdAt: at, expiresAt: at + 1, endedBecause: null, keyHash: null })
  const next = backupName('journal', at + 86_400_000, 'daily')
  expect(make({ name: next, unlessLike: name })).toBe('unchanged')
  expect(readdirSync(folder)).toEqual([name])
  await take(store, fill(1, 'buy', 1, 6750))
  expect(make({ name: next, unlessLike: name })).toBe('made')
  expect(make({ name: next, unlessLike: 'journal-2020-01-01T00-00-00Z.db' })).toBe('made')
})

// As root writes through rights, only a file in the folder's place refuses everybody.
test('a full disk, a folder that cannot be, and a damaged journal leave no half file; the journal goes on, and the next one is made', async () => {
  const { store, folder, make } = begin()
  const full = (step: BackupStep): void => {
    if (step !== 'begun') return
    rmSync(path.join(folder, `${name}.part`))
    symlinkSync('/dev/full', path.join(folder, `${name}.part`))
  }
  expect(() => make({}, full)).toThrow(expect.objectContaining({ code: 'disk-full' }) as Error)
  expect(readdirSync(folder)).toEqual([])
  await take(store, fill(1, 'buy', 1, 6750))
  const taken = path.join(temporaryFolder(), 'taken')
  writeFileSync(taken, '')
  expect(() => make({ folder: taken })).toThrow(expect.objectContaining({ code: 'EEXIST' }) as Error)
  const noJournal = path.join(temporaryFolder(), 'journal.db')
  writeFileSync(noJournal, 'x'.repeat(8_192))
  expect(() => make({ file: noJournal })).toThrow(expect.objectContaining({ code: 'damaged-database' }) as Error)
  expect(readdirSync(folder)).toEqual([])
  // What a program that was killed left behind goes with the next one.
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'journal-2026-11-21T00-00-00Z.db.part'), 'half')
  make()
  expect(readdirSync(folder)).toEqual([name])
})

test('names identify backups, newest first; other files are ignored', () => {
  const folder = temporaryFolder()
  const names = [name, backupName('journal', at + 1_000, 'by-hand'), backupName('copier', at - 1_000, 'before-restore'), 'journal-v2-before-v3.db', 'journal-v2-before-v3-2.db', 'journal-v3-before-v4-2026-06-01T12-00-00Z.db', 'journal-v3-before-v4-2026-06-01T12-00-00Z-2.db', 'notes.txt', 'journal.db', `${name}.part`, 'journal-2026-13-45T99-99-99Z.db']
  for (const one of names) writeFileSync(path.join(folder, one), one)
  expect(name).toBe('journal-2026-11-22T15-04-05Z.db')
  const found = backupsIn(folder)
  expect(found.filter(({ kind }) => kind !== 'before-update').map(({ of, kind, at: when }) => [of, kind, when - at])).toEqual([['journal', 'by-hand', 1_000], ['journal', 'daily', 0], ['copier', 'before-restore', -1_000]])
  expect(found.filter(({ kind }) => kind === 'before-update').map((one) => one.name).toSorted()).toEqual(['journal-v2-before-v3-2.db', 'journal-v2-before-v3.db', 'journal-v3-before-v4-2026-06-01T12-00-00Z-2.db', 'journal-v3-before-v4-2026-06-01T12-00-00Z.db'])
  expect(found.filter(({ name: one }) => one.includes('v4')).map(({ at: when }) => when)).toEqual([Date.UTC(2026, 5, 1, 12), Date.UTC(2026, 5, 1, 12)])
  expect(backupsIn(path.join(folder, 'nowhere'))).toEqual([])
})

test('a deleted user is removed from every backup, to the last byte; an unreadable backup is deleted as a whole', async () => {
  const { store, folder, make } = begin()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  store.write.ensureProfile({ id: 'other', email: 'other@example.org', displayName: 'Other', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'UTC', createdAt: at })
  make()
  const file = path.join(folder, name)
  const june = new Date(Date.UTC(2026, 5, 1))
  utimesSync(file, june, june)
  deleteFromBackup(file, user.userId)
  expect(statSync(file).mtime).toEqual(june)
  expect([own(file, user.userId), own(file, 'other')]).toEqual([null, { pairs: 0, lastTradeDay: null, accounts: 0 }])
  expect(readFileSync(file).includes('EVAL-101')).toBe(false)
  writeFileSync(file, 'x'.repeat(8_192))
  deleteFromBackup(file, user.userId)
  expect(existsSync(file)).toBe(false)
})

test('a backup that cannot be changed now, but is whole, is not removed: it can be tried again', () => {
  const { folder, make } = begin()
  make()
  const file = path.join(folder, name)
  const other = new Sqlite(file)
  other.exec("CREATE TRIGGER held BEFORE DELETE ON profiles BEGIN SELECT RAISE(ABORT, 'not now'); END")
  expect(() => { deleteFromBackup(file, user.userId) }).toThrow('not now')
  other.exec('DROP TRIGGER held')
  other.close()
  expect(own(file, user.userId)).toMatchObject({ pairs: 0 })
  deleteFromBackup(file, user.userId)
  expect(own(file, user.userId)).toBeNull()
})

test('the newest good backup is found behind one that cannot be read, and one whose indexes contradict its rows', () => {
  const { folder, make } = begin()
  make()
  const contradicting = backupName('journal', at + 2_000, 'daily')
  make({ name: contradicting })
  contradictIndexes(path.join(folder, contradicting), 'profiles', 'a@example.org')
  mkdirSync(path.join(folder, backupName('journal', at + 1_000, 'daily')))
  expect(newestGoodBackup(folder, 'journal')).toBe(path.join(folder, name))
})
