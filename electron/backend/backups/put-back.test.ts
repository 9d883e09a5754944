// @module-tag slow
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { contradictIndexes } from '#tests/helpers/backups.ts'
import { temporaryFolder } from '#tests/helpers/store.ts'
import { requestRestore, putBack, requestedBackup, type PutBackStep } from './put-back.ts'

const at = Date.UTC(2026, 10, 22, 15, 4, 5)
const backup = 'journal-2026-11-21T12-00-00Z.db'
const steps: readonly PutBackStep[] = ['request-read', 'backup-copied', 'journal-aside', 'backup-in-place']

/** What a file says, and who is signed in by it. */
const contentOf = (file: string): string => {
  if (!readFileSync(file).includes('SQLite format')) return readFileSync(file, 'utf8')
  const database = new Sqlite(file, { readonly: true })
  const [note, signedIn] = ['SELECT note FROM notes', 'SELECT count(*) FROM sessions'].map((sql) => String(database.prepare(sql).pluck().get()))
  database.close()
  return `${note ?? ''}, ${signedIn ?? ''} signed in`
}

const begin = () => {
  const folder = temporaryFolder()
  const [file, backups] = [path.join(folder, 'journal.db'), path.join(folder, 'backups')]
  mkdirSync(backups)
  writeFileSync(file, 'damaged')
  writeFileSync(`${file}-wal`, 'its log')
  // As a copy that was made before an update: it holds who was signed in then.
  const copy = new Sqlite(path.join(backups, backup))
  copy.exec("CREATE TABLE sessions (id_hash TEXT); INSERT INTO sessions VALUES ('cookie'); CREATE TABLE notes (note TEXT); INSERT INTO notes VALUES ('good')")
  copy.close()
  const stands = () => ({ journal: contentOf(file), log: existsSync(`${file}-wal`), asked: requestedBackup(file), kept: readdirSync(folder).filter((name) => name.startsWith('journal-damaged')).toSorted() })
  return { file, backups, stands }
}
const kept = ['journal-damaged-2026-11-22T15-04-05Z.db', 'journal-damaged-2026-11-22T15-04-05Z.db-wal']
const whole = { journal: 'good, 0 signed in', log: false, asked: null, kept }

test('without a restore request nothing happens', () => {
  const { file, backups, stands } = begin()
  expect(putBack(file, backups)).toBeNull()
  expect(stands()).toEqual({ journal: 'damaged', log: true, asked: null, kept: [] })
})

test('the backup replaces the journal, the old file is kept with its log, and it happens once', () => {
  const { file, backups, stands } = begin()
  requestRestore(file, 'journal-2026-11-01T12-00-00Z.db', at)
  requestRestore(file, backup, at)
  expect(requestedBackup(file)).toBe(backup)
  const passed: string[] = []
  expect(putBack(file, backups, (step) => void passed.push(step))).toEqual({ aside: path.join(path.dirname(file), kept[0] ?? '') })
  expect([passed, stands()]).toEqual([steps, whole])
  writeFileSync(file, 'written since')
  expect(putBack(file, backups)).toBeNull()
  expect(stands().journal).toBe('written since')
})

test.each(steps)('interrupted at %s it continues at the next start', (step) => {
  const { file, backups, stands } = begin()
  requestRestore(file, backup, at)
  const die = (now: PutBackStep): void => {
    if (now === step) throw new Error('killed')
  }
  expect(() => putBack(file, backups, die)).toThrow('killed')
  putBack(file, backups)
  expect(stands()).toEqual(whole)
})

test('an unreadable restore request is set aside, and the journal stays', () => {
  const { file, backups, stands } = begin()
  for (const text of ['{"backup":', '{"backup":"/etc/passwd","at":1,"copied":false}']) {
    writeFileSync(`${file}.restore.json`, text)
    expect(requestedBackup(file)).toBeNull()
    expect(putBack(file, backups)).toEqual({ dropped: `${file}.restore.json.unreadable` })
    expect(putBack(file, backups)).toBeNull()
    expect(readFileSync(`${file}.restore.json.unreadable`, 'utf8')).toBe(text)
  }
  expect(stands()).toEqual({ journal: 'damaged', log: true, asked: null, kept: [] })
})

test('a missing or invalid backup changes nothing and is named', () => {
  const { file, backups, stands } = begin()
  const none = 'journal-2026-11-02T12-00-00Z.db'
  writeFileSync(path.join(backups, none), 'x'.repeat(8_192))
  requestRestore(file, none, at)
  expect(putBack(file, backups)).toEqual({ dropped: none })
  requestRestore(file, 'journal-2026-11-01T12-00-00Z.db', at)
  expect(putBack(file, backups)).toEqual({ dropped: 'journal-2026-11-01T12-00-00Z.db' })
  // Damaged since it was asked for: the journal that is there may be the better one.
  const bent = new Sqlite(path.join(backups, backup))
  bent.exec("CREATE TABLE days (day TEXT UNIQUE); INSERT INTO days VALUES ('monday')")
  bent.close()
  contradictIndexes(path.join(backups, backup), 'days', 'monday')
  requestRestore(file, backup, at)
  expect(putBack(file, backups)).toEqual({ dropped: backup })
  expect(stands()).toEqual({ journal: 'damaged', log: true, asked: null, kept: [] })
})
