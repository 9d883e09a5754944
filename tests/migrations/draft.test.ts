import SqliteDatabase from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { expect, onTestFinished, test } from 'vitest'
import { flag, tableWithoutRowid } from '#backend/db/tables.ts'
import { describeSqlite } from '#tests/helpers/described-sqlite.ts'
import { databases, type Schema } from '../../build/schemas.ts'

const { draft } = databases.journal

const of = (schema: Schema) => draft(schema, undefined)

const databaseOf = async (schema: Schema) => {
  const database = new SqliteDatabase(':memory:')
  onTestFinished(() => void database.close())
  database.exec((await of(schema)).statements.join('\n'))
  return database
}

const owners = tableWithoutRowid('owners', { id: text('id').primaryKey().notNull() })
const largeThings = sqliteView('large_things', { name: text('name') }).as(sql`SELECT name FROM things WHERE size > 9`)
const before = {
  owners,
  things: sqliteTable('things', { ref: integer('ref').primaryKey(), name: text('name').notNull().references(() => owners.id), size: integer('size').notNull() }, (table) => [index('things_by_size').on(table.size)]),
  largeThings,
}

/** What a database with rows of the schema `before` becomes by the draft that leads to `after`. */
const changed = async (after: Schema) => {
  const database = await databaseOf(before)
  database.exec("INSERT INTO owners (id) VALUES ('a'), ('b'); INSERT INTO things (name, size) VALUES ('a', 5), ('b', 10)")
  const { statements } = await draft(after, (await of(before)).snapshot)
  database.exec(`BEGIN; ${statements.join('\n')} COMMIT`)
  expect(describeSqlite(database)).toEqual(describeSqlite(await databaseOf(after)))
  return { statements, rows: database.prepare('SELECT * FROM things').all(), large: database.prepare('SELECT * FROM large_things').all() }
}

test('a new column brings its default and its check without a copy of the table', async () => {
  const things = sqliteTable(
    'things',
    { ref: integer('ref').primaryKey(), name: text('name').notNull().references(() => owners.id), size: integer('size').notNull(), seen: integer('seen', { mode: 'boolean' }).notNull().default(false) },
    (table) => [index('things_by_size').on(table.size), flag(table.seen)],
  )
  const { statements, rows } = await changed({ ...before, things })
  expect(statements).toEqual(['ALTER TABLE `things` ADD `seen` integer DEFAULT false NOT NULL CHECK(seen IN (0, 1));'])
  expect(rows).toEqual([{ ref: 1, name: 'a', size: 5, seen: 0 }, { ref: 2, name: 'b', size: 10, seen: 0 }])
})

test('a new table is strict, and without rowid where it is declared so', async () => {
  const { statements } = await changed({ ...before, notes: tableWithoutRowid('notes', { id: text('id').primaryKey().notNull() }), lines: sqliteTable('lines', { id: integer('id').primaryKey() }) })
  expect(statements.map((statement) => statement.split('\n').at(-1))).toEqual([') STRICT, WITHOUT ROWID;', ') STRICT;'])
})

test('a table is copied from under a view with its rows, old columns and new', async () => {
  const things = sqliteTable(
    'things',
    { ref: integer('ref').primaryKey(), name: text('name').notNull().references(() => owners.id), size: integer('size').notNull(), note: text('note') },
    (table) => [index('things_by_size').on(table.size), check('things_size', sql`size > 0`)],
  )
  const { statements, rows, large } = await changed({ ...before, things })
  expect(statements.map((statement) => statement.split('`').slice(0, 2).join(''))).toEqual(['DROP VIEW large_things', 'CREATE TABLE __new_things', 'INSERT INTO __new_things', 'DROP TABLE things', 'ALTER TABLE __new_things', 'CREATE INDEX things_by_size', 'CREATE VIEW large_things'])
  expect(rows).toEqual([{ ref: 1, name: 'a', size: 5, note: null }, { ref: 2, name: 'b', size: 10, note: null }])
  expect(large).toEqual([{ name: 'b' }])
})

test('a view changes alone', async () => {
  const { statements, large } = await changed({ ...before, largeThings: sqliteView('large_things', { name: text('name') }).as(sql`SELECT name FROM things WHERE size > 4`) })
  expect(statements).toHaveLength(2)
  expect(large).toEqual([{ name: 'a' }, { name: 'b' }])
})

test('a schema that did not change has nothing to draft', async () => {
  expect((await draft(before, (await of(before)).snapshot)).statements).toEqual([])
})
