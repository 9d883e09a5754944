import { getTableName, sql, type Table } from 'drizzle-orm'
import { check, sqliteTable, type AnySQLiteColumn, type CheckBuilder, type SQLiteTable } from 'drizzle-orm/sqlite-core'

const marked = new WeakSet<Table>()

/** `sqliteTable`, WITHOUT ROWID: its rows are in the order of the primary key. Drizzle cannot express that, so the table is marked for migrations and tests. */
export const tableWithoutRowid = ((...[name, columns, extra]: Parameters<typeof sqliteTable>) => {
  const table = sqliteTable(name, columns, extra)
  marked.add(table)
  return table
}) as typeof sqliteTable

/** Whether a table is declared WITHOUT ROWID. */
export const isWithoutRowid = (table: Table): boolean => marked.has(table)

type Cell<C extends AnySQLiteColumn> = (C['_']['data'] extends boolean ? 0 | 1 : C['_']['dataType'] extends 'json' ? string : C['_']['data']) | (C['_']['notNull'] extends true ? never : null)

/** A table row as SQL returns it: by column name, booleans as 0 or 1, JSON as text. */
export type SqlRow<T extends SQLiteTable> = { readonly [K in keyof T['_']['columns'] as T['_']['columns'][K]['_']['name']]: Cell<T['_']['columns'][K]> }

const checkOf = (column: AnySQLiteColumn, condition: string): CheckBuilder => check(`${getTableName(column.table)}_${column.name}`, sql.raw(`${column.name} ${condition}`))

/** A CHECK that a column has one of its enum's values, or null if allowed. */
export const oneOf = (column: AnySQLiteColumn & { readonly enumValues: readonly string[] }): CheckBuilder => checkOf(column, `IN (${column.enumValues.map((value) => `'${value}'`).join(', ')})`)

/** A CHECK that a boolean column is 0 or 1. */
export const flag = (column: AnySQLiteColumn): CheckBuilder => checkOf(column, 'IN (0, 1)')

/** A CHECK that a column is a positive number. */
export const positive = (column: AnySQLiteColumn): CheckBuilder => checkOf(column, '> 0')
