import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as brokerage from '#backend/db/schema/brokerage.ts'

import * as history from '#backend/db/schema/history.ts'
import * as imports from '#backend/db/schema/imports.ts'
import * as journal from '#backend/db/schema/journal.ts'
import * as mirror from '#backend/db/schema/mirror.ts'
import * as ownData from '#backend/db/schema/own-data.ts'
import * as people from '#backend/db/schema/people.ts'
import * as reports from '#backend/db/schema/reports.ts'
import * as rights from '#backend/db/schema/rights.ts'
import * as rules from '#backend/db/schema/rules.ts'
import { openStore } from '#tests/helpers/store.ts'

type Column = { name: string; type: string; notnull: number; pk: number }
type Table = { name: string; strict: number; wr: number }

const described: SQLiteTable[] = Object.values({ ...people, ...brokerage, ...history, ...imports, ...journal, ...mirror, ...ownData, ...reports, ...rights, ...rules })

const tablesOf = (store: ReturnType<typeof openStore>) =>
  (store.writer.database.pragma('table_list') as (Table & { schema: string; type: string })[]).filter(({ schema, type, name }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'))

test('every table is strict', () => {
  const tables = tablesOf(openStore())
  expect(tables.length).toBeGreaterThan(15)
  expect(tables.filter(({ strict }) => strict !== 1)).toEqual([])
})

test('the description for queries names every table but the record of migrations', () => {
  const names = tablesOf(openStore()).map(({ name }) => name).filter((name) => name !== 'schema_migrations')
  expect(described.map((table) => getTableConfig(table).name).sort()).toEqual(names.sort())
})

test.each(described.map((table) => [getTableConfig(table).name, table] as const))('%s is described column by column as the migrations made it', (name, table) => {
  const { database } = openStore().writer
  const made = database.pragma(`table_info(${name})`) as Column[]
  const { columns, primaryKeys } = getTableConfig(table)
  const keys = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
  const wanted = columns.map((column) => ({
    name: column.name,
    type: column.getSQLType().toUpperCase(),
    required: column.notNull,
    key: column.primary || keys.includes(column.name),
  }))
  // The number of a row is never null, whatever SQLite says of the column.
  expect(made.map((column) => ({ name: column.name, type: column.type, required: column.notnull === 1 || (column.pk === 1 && column.type === 'INTEGER'), key: column.pk > 0 }))).toEqual(wanted)
})

test.each(described.map((table) => [getTableConfig(table).name, table] as const))('%s has the indexes that its description names', (name, table) => {
  const { database } = openStore().writer
  const made = database.pragma(`index_list(${name})`) as { name: string; origin: string }[]
  const columnsOf = (index: string) => (database.pragma(`index_info(${index})`) as { name: string }[]).map((column) => column.name)
  const created = made.filter(({ origin }) => origin === 'c').map((index) => [index.name, columnsOf(index.name)])
  const wanted = getTableConfig(table).indexes.map(({ config }) => [config.name, config.columns.map((column) => ('name' in column ? column.name : ''))])
  expect(Object.fromEntries(created)).toEqual(Object.fromEntries(wanted))
})
