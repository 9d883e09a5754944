import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#backend/db/migrate.ts'
import { copierMigrations } from '#tests/helpers/copier-samples.ts'
import { describeSqlite } from '#tests/helpers/described-sqlite.ts'
import { draftsOf } from '#tests/helpers/drafts.ts'
import { pricesMigrations } from '#tests/helpers/price-tapes.ts'
import { migrationsFolder, temporaryFolder } from '#tests/helpers/store.ts'

const inMemory = () => {
  const database = new SqliteDatabase(':memory:')
  onTestFinished(() => void database.close())
  return database
}

const folders = { journal: migrationsFolder, copier: copierMigrations, prices: pricesMigrations }

/** A database as the migrations of the program make it. */
const madeOf = (name: keyof typeof folders) => {
  const made = inMemory()
  migrate(made, folders[name], temporaryFolder())
  return describeSqlite(made)
}

const sqlite = [['journal', 50], ['copier', 7], ['prices', 4]] as const

test.each(sqlite)('the schema of the %s declares exactly what its migrations make', { tags: 'long' }, async (name, tables) => {
  const declared = inMemory()
  declared.exec((await draftsOf(name)).whole.join('\n'))
  const description = describeSqlite(declared)
  expect(Object.keys(description.tables).length).toBeGreaterThan(tables)
  expect(description).toEqual(madeOf(name))
})

test.each(sqlite)('every table of the %s is strict', (name) => {
  expect(Object.entries(madeOf(name).tables).filter(([, { strict }]) => !strict)).toEqual([])
})

test.each(['journal', 'copier', 'prices', 'cloud'] as const)('the last migration of the %s was drafted from its schema', async (name) => {
  expect(await draftsOf(name)).toMatchObject({ next: [], isLast: true })
})

const sample = `CREATE TABLE owners (id TEXT NOT NULL PRIMARY KEY) STRICT;
CREATE TABLE things (owner TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE, name TEXT NOT NULL DEFAULT '', size INTEGER CHECK (size > 0), UNIQUE (name, size), PRIMARY KEY (owner, name)) STRICT, WITHOUT ROWID;
CREATE TABLE rows (ref INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT) STRICT;
CREATE INDEX by_size ON things (size, name) WHERE size IS NOT NULL;
CREATE VIEW large AS SELECT name FROM things WHERE size > 9;`

const sampleOf = (sql: string) => {
  const database = inMemory()
  database.exec(sql)
  return describeSqlite(database)
}

test.each([
  ['a table', 'CREATE TABLE rows', 'CREATE TABLE lines'],
  ['a column', 'size INTEGER CHECK', 'more TEXT, size INTEGER CHECK'],
  ['a type', 'name TEXT) STRICT', 'name BLOB) STRICT'],
  ['NOT NULL', 'name TEXT) STRICT', 'name TEXT NOT NULL) STRICT'],
  ['a default', "DEFAULT ''", "DEFAULT '-'"],
  ['no default', " DEFAULT ''", ''],
  ['the order of a primary key', 'PRIMARY KEY (owner, name)', 'PRIMARY KEY (name, owner)'],
  ['AUTOINCREMENT', ' AUTOINCREMENT', ''],
  ['STRICT', 'name TEXT) STRICT', 'name TEXT)'],
  ['WITHOUT ROWID', ', WITHOUT ROWID', ''],
  ['a unique constraint', 'UNIQUE (name, size)', 'UNIQUE (size)'],
  ['a reference', ' REFERENCES owners (id) ON DELETE CASCADE', ''],
  ['the action of a reference', ' ON DELETE CASCADE', ''],
  ['a check', ' CHECK (size > 0)', ''],
  ['the condition of a check', 'size > 0', 'size >= 0'],
  ['a collation', "name TEXT NOT NULL DEFAULT ''", "name TEXT COLLATE NOCASE NOT NULL DEFAULT ''"],
  ['an index', 'CREATE INDEX by_size', 'CREATE INDEX sizes'],
  ['the order of an index', '(size, name) WHERE', '(name, size) WHERE'],
  ['the direction of an index', '(size, name) WHERE', '(size DESC, name) WHERE'],
  ['a unique index', 'CREATE INDEX', 'CREATE UNIQUE INDEX'],
  ['the rows of an index', 'size IS NOT NULL', 'size > 1'],
  ['an index of all rows', ' WHERE size IS NOT NULL', ''],
  ['a view', 'size > 9', 'size > 8'],
])('two databases that differ in %s have different schemas', (_, before, after) => {
  expect(sample).toContain(before)
  expect(sampleOf(sample.replace(before, after))).not.toEqual(sampleOf(sample))
})

test('names in quotes, line breaks and names of constraints make no difference', () => {
  const quoted = sample.replace('CHECK (size > 0)', 'CONSTRAINT "size" CHECK("size" > 0)').replace('UNIQUE (name, size), ', '').replace('CREATE VIEW large', 'CREATE UNIQUE INDEX `things_unique` ON `things` (`name`,`size`);\nCREATE VIEW `large`').replaceAll(', ', ',\n  -- it\'s a list\n  ')
  expect(sampleOf(quoted)).toEqual(sampleOf(sample))
})
