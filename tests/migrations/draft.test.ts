import SqliteDatabase from 'better-sqlite3'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeSqlite } from '#tests/helpers/described-sqlite.ts'
import { inOwnRealm } from '#tests/helpers/own-realm.ts'
import type { Change, everyChange } from './draft-samples.ts'

const databaseOf = (statements: readonly string[]) => {
  const database = new SqliteDatabase(':memory:')
  onTestFinished(() => void database.close())
  database.exec(statements.join('\n'))
  return database
}

let drafts: Awaited<ReturnType<typeof everyChange>>
beforeAll(async () => {
  drafts = await inOwnRealm(new URL('./draft-samples.ts', import.meta.url), 'everyChange')
})

/** The draft of a change, and what a database with rows becomes by it. */
const changedBy = (change: Change) => {
  const { first, changed, statements } = drafts[change]
  const database = databaseOf(first)
  database.exec("INSERT INTO owners (id) VALUES ('a'), ('b'); INSERT INTO things (name, size) VALUES ('a', 5), ('b', 10)")
  database.exec(`BEGIN; ${statements.join('\n')} COMMIT`)
  expect(describeSqlite(database)).toEqual(describeSqlite(databaseOf(changed)))
  return { statements, rows: database.prepare('SELECT * FROM things').all(), large: database.prepare('SELECT * FROM large_things').all() }
}

test('a new column brings its default and its check without a copy of the table', () => {
  const { statements, rows } = changedBy('a column')
  expect(statements).toEqual(['ALTER TABLE `things` ADD `seen` integer DEFAULT false NOT NULL CHECK(seen IN (0, 1));'])
  expect(rows).toEqual([{ ref: 1, name: 'a', size: 5, seen: 0 }, { ref: 2, name: 'b', size: 10, seen: 0 }])
})

test('a new table is strict, and without rowid where it is declared so', () => {
  const { statements } = changedBy('tables')
  expect(statements.map((statement) => statement.split('\n').at(-1))).toEqual([') STRICT, WITHOUT ROWID;', ') STRICT;'])
})

test('a table below a view is copied with its rows, old columns and new', () => {
  const { statements, rows, large } = changedBy('a check')
  expect(statements.map((statement) => statement.split('`').slice(0, 2).join(''))).toEqual(['DROP VIEW large_things', 'CREATE TABLE __new_things', 'INSERT INTO __new_things', 'DROP TABLE things', 'ALTER TABLE __new_things', 'CREATE INDEX things_by_size', 'CREATE VIEW large_things'])
  expect(rows).toEqual([{ ref: 1, name: 'a', size: 5, note: null }, { ref: 2, name: 'b', size: 10, note: null }])
  expect(large).toEqual([{ name: 'b' }])
})

test('a view changes without its tables', () => {
  const { statements, large } = changedBy('a view')
  expect(statements).toHaveLength(2)
  expect(large).toEqual([{ name: 'a' }, { name: 'b' }])
})

test('an unchanged schema needs no migration', () => {
  expect(changedBy('nothing').statements).toEqual([])
})

test('drizzle-kit leaves the prototypes of this process alone', () => {
  expect([...Object.keys(Array.prototype), ...Object.keys(String.prototype)]).toEqual([])
})
