import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/db/database.ts'
import { isStoreFault } from '#backend/db/fault.ts'
import { migrate } from '#backend/db/migrate.ts'
import { contradictIndexes } from '#tests/helpers/backups.ts'
import { migrationsFolder, temporaryFolder } from '#tests/helpers/store.ts'

const places = () => {
  const folder = temporaryFolder()
  const migrations = path.join(folder, 'migrations')
  mkdirSync(migrations)
  for (const name of readdirSync(migrationsFolder)) copyFileSync(path.join(migrationsFolder, name), path.join(migrations, name))
  return { file: path.join(folder, 'journal.db'), migrations, backups: path.join(folder, 'backups') }
}

const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (isStoreFault(error)) return error.code
    throw error
  }
  return 'none'
}

const addMigration = (migrations: string, sql: string): number => {
  const version = readdirSync(migrations).length + 1
  writeFileSync(path.join(migrations, `${String(version).padStart(4, '0')}-later.sql`), sql)
  return version
}

test('a new journal gets every table, and nothing is backed up', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  const newest = readdirSync(migrations).length
  expect(migrate(database, migrations, backups)).toEqual({ from: 0, to: newest, backup: null })
  expect(migrate(database, migrations, backups)).toEqual({ from: newest, to: newest, backup: null })
  expect(existsSync(backups)).toBe(false)
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
  database.close()
})

test('an older journal keeps its rows, and a copy from before the migration lies beside it', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  const { to: old } = migrate(database, migrations, backups)
  database.exec("INSERT INTO profiles (id, email, display_name, password_hash, recovery_hash, demo, time_zone, created_at, last_sign_in_at) VALUES ('u', 'a@example.org', 'A', NULL, NULL, 0, 'Europe/Berlin', 1, NULL)")
  const newest = addMigration(migrations, "ALTER TABLE profiles ADD COLUMN motto TEXT NOT NULL DEFAULT 'patience';")

  const done = migrate(database, migrations, backups)
  expect(done).toMatchObject({ from: old, to: newest })
  expect(database.prepare('SELECT id, motto FROM profiles').all()).toEqual([{ id: 'u', motto: 'patience' }])
  database.close()

  const copy = new SqliteDatabase(done.backup ?? '', { readonly: true })
  expect(copy.pragma('user_version', { simple: true })).toBe(old)
  expect(copy.prepare('SELECT * FROM profiles').all()).toEqual([expect.not.objectContaining({ motto: 'patience' })])
  copy.close()
})

test('a journal whose indexes contradict its rows is refused before a migration, and nothing is copied', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  migrate(database, migrations, backups)
  database.exec("INSERT INTO profiles (id, email, display_name, demo, time_zone, created_at) VALUES ('u', 'b@example.org', 'A', 0, 'UTC', 1)")
  database.close()
  contradictIndexes(file, 'profiles', 'b@example.org')
  const again = openDatabase(file)
  addMigration(migrations, "ALTER TABLE profiles ADD COLUMN motto TEXT NOT NULL DEFAULT 'patience';")
  expect(codeOf(() => migrate(again, migrations, backups))).toBe('damaged-database')
  expect(existsSync(backups)).toBe(false)
  again.close()
})

test('a second backup of the same step does not overwrite the first', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  migrate(database, migrations, backups)
  addMigration(migrations, 'SELECT no_such_function();')
  expect(codeOf(() => migrate(database, migrations, backups))).toBe('internal')
  expect(codeOf(() => migrate(database, migrations, backups))).toBe('internal')
  expect(readdirSync(backups)).toHaveLength(2)
  database.close()
})

test('a migration that fails halfway leaves no trace', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  const { to: old } = migrate(database, migrations, backups)
  addMigration(migrations, 'CREATE TABLE half (id INTEGER PRIMARY KEY) STRICT; INSERT INTO half (name) VALUES (1);')
  expect(codeOf(() => migrate(database, migrations, backups))).toBe('internal')
  expect(database.pragma('user_version', { simple: true })).toBe(old)
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").all()).toEqual([])
  database.close()
})

test('a migration that breaks references is rolled back', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  migrate(database, migrations, backups)
  addMigration(migrations, "INSERT INTO oauth_states VALUES ('s', 'nobody', 'autosync', 1);")
  expect(codeOf(() => migrate(database, migrations, backups))).toBe('internal')
  expect(database.prepare('SELECT * FROM oauth_states').all()).toEqual([])
  database.close()
})

test('a journal of a newer program is refused with both versions and left untouched', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  migrate(database, migrations, backups)
  database.pragma('user_version = 99')
  expect(codeOf(() => migrate(database, migrations, backups))).toBe('newer-database')
  expect(() => migrate(database, migrations, backups)).toThrow(new RegExp(`99.*${String(readdirSync(migrations).length)}`))
  expect(database.pragma('user_version', { simple: true })).toBe(99)
  database.close()
})

test('a journal migrated with a different migration text is refused', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  migrate(database, migrations, backups)
  const first = path.join(migrations, '0001-journal.sql')
  writeFileSync(first, `${readFileSync(first, 'utf8')}\n-- changed afterwards\n`)
  expect(codeOf(() => migrate(database, migrations, backups))).toBe('migration-changed')
  database.close()
})

test('a file that is no database is refused and not touched', () => {
  const { file } = places()
  writeFileSync(file, 'these are no pages of a database, however long the text may be made'.repeat(100))
  const before = readFileSync(file)
  expect(codeOf(() => openDatabase(file))).toBe('damaged-database')
  expect(readFileSync(file)).toEqual(before)
})

test('a journal with damaged pages is not migrated', () => {
  const { file, migrations, backups } = places()
  const database = openDatabase(file)
  migrate(database, migrations, backups)
  for (let count = 0; count < 500; count += 1) database.exec(`INSERT INTO profiles (id, email, display_name, password_hash, recovery_hash, demo, time_zone, created_at, last_sign_in_at) VALUES ('u${String(count)}', NULL, '${'x'.repeat(500)}', NULL, NULL, 0, 'UTC', 1, NULL)`)
  database.close()
  const bytes = readFileSync(file)
  // Only pages of rows: the journal opens, and only a look at every page finds the damage.
  bytes.fill(0xa5, bytes.length - 4096 * 20)
  writeFileSync(file, bytes)
  const again = openDatabase(file)
  const old = again.pragma('user_version', { simple: true })
  addMigration(migrations, 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;')
  expect(codeOf(() => migrate(again, migrations, backups))).toBe('damaged-database')
  expect(again.pragma('user_version', { simple: true })).toBe(old)
  expect(existsSync(backups)).toBe(false)
  again.close()
})
