import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { flag, tableWithoutRowid } from '#backend/db/tables.ts'
import { databases, type Schema } from '../../build/schemas.ts'

const owners = tableWithoutRowid('owners', { id: text('id').primaryKey().notNull() })
const columns = () => ({ ref: integer('ref').primaryKey(), name: text('name').notNull().references(() => owners.id), size: integer('size').notNull() })
const viewOf = (size: number) => sqliteView('large_things', { name: text('name') }).as(sql.raw(`SELECT name FROM things WHERE size > ${String(size)}`))

const before = { owners, things: sqliteTable('things', columns(), (table) => [index('things_by_size').on(table.size)]), largeThings: viewOf(9) }

const changes = {
  'a column': { things: sqliteTable('things', { ...columns(), seen: integer('seen', { mode: 'boolean' }).notNull().default(false) }, (table) => [index('things_by_size').on(table.size), flag(table.seen)]) },
  tables: { notes: tableWithoutRowid('notes', { id: text('id').primaryKey().notNull() }), lines: sqliteTable('lines', { id: integer('id').primaryKey() }) },
  'a check': { things: sqliteTable('things', { ...columns(), note: text('note') }, (table) => [index('things_by_size').on(table.size), check('things_size', sql`size > 0`)]) },
  'a view': { largeThings: viewOf(4) },
} satisfies Record<string, Schema>

export type Change = keyof typeof changes | 'nothing'

const { draft } = databases.journal

const draftsTo = async (after: Schema) => {
  const first = await draft(before, undefined)
  return { first: first.statements, changed: (await draft(after, undefined)).statements, statements: (await draft(after, first.snapshot)).statements }
}

/** Of each change what makes the schema before it from nothing, what the changed one, and the draft that leads from one to the other. */
export const everyChange = async (): Promise<Readonly<Record<Change, Awaited<ReturnType<typeof draftsTo>>>>> => ({
  nothing: await draftsTo(before),
  'a column': await draftsTo({ ...before, ...changes['a column'] }),
  tables: await draftsTo({ ...before, ...changes.tables }),
  'a check': await draftsTo({ ...before, ...changes['a check'] }),
  'a view': await draftsTo({ ...before, ...changes['a view'] }),
})
