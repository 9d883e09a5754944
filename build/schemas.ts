import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { generateDrizzleJson, generateMigration, generateSQLiteDrizzleJson, generateSQLiteMigration, type DrizzleSnapshotJSON, type DrizzleSQLiteSnapshotJSON } from 'drizzle-kit/api'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as copier from '#backend/copier/store/schema.ts'
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
import { isWithoutRowid } from '#backend/db/tables.ts'
import * as prices from '#backend/prices/store/schema.ts'
import * as cloud from '#cloud/store/schema.ts'

/** The exports of a schema's files: tables, views and other declarations. */
export type Schema = Readonly<Record<string, unknown>>
type Drafted = { readonly statements: readonly string[]; readonly snapshot: unknown }
type DeclaredDatabase = {
  readonly schema: Schema
  /** Where the migrations are. */
  readonly migrations: string
  /** The statements from a snapshot to a schema, none meaning the empty database; and the snapshot of that schema. */
  readonly draft: (schema: Schema, from: unknown) => Promise<Drafted>
}

const inRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

// Drizzle-kit names snapshots randomly; there is one of each database, and its history is in git.
const unnamed = { id: '00000000-0000-0000-0000-000000000000', prevId: '00000000-0000-0000-0000-000000000000' }

/** The fields of a snapshot used here; drizzle-kit's own type needs a zod of another version. */
type SqliteSnapshot = {
  readonly tables: Readonly<Record<string, { readonly columns: Readonly<Record<string, unknown>>; readonly checkConstraints: Readonly<Record<string, { readonly value: string }>> }>>
  readonly views: Readonly<Record<string, unknown>>
}
const sqliteSnapshot = async (schema: Schema): Promise<SqliteSnapshot> => ({ ...((await generateSQLiteDrizzleJson(schema)) as SqliteSnapshot), ...unnamed })
const sqliteChanges = (from: SqliteSnapshot, to: SqliteSnapshot): Promise<string[]> => generateSQLiteMigration(from as DrizzleSQLiteSnapshotJSON, to as DrizzleSQLiteSnapshotJSON)

/** A new column includes its CHECK: drizzle-kit would copy the whole table for it. Returns the schema without such checks, and each check by its table and column. */
const withoutChecksOfNewColumns = (from: SqliteSnapshot, to: SqliteSnapshot) => {
  const checks = new Map<string, string>()
  const tables = Object.entries(to.tables).map(([name, table]) => {
    const before = from.tables[name]
    const kept = Object.entries(table.checkConstraints).filter(([check, { value }]) => {
      const added = Object.keys(table.columns).find((column) => check === `${name}_${column}` && before !== undefined && !(column in before.columns))
      if (added !== undefined) checks.set(`${name} ${added}`, value)
      return added === undefined
    })
    return [name, { ...table, checkConstraints: Object.fromEntries(kept) }] as const
  })
  return { checks, to: { ...to, tables: Object.fromEntries(tables) } }
}

const lightChanges = async (from: SqliteSnapshot, to: SqliteSnapshot): Promise<readonly string[]> => {
  const lighter = withoutChecksOfNewColumns(from, to)
  const drafted = await sqliteChanges(from, lighter.to)
  const isCopied = (table: string): boolean => drafted.some((statement) => statement.startsWith(`CREATE TABLE \`__new_${table}\``))
  if ([...lighter.checks.keys()].some((key) => isCopied(key.split(' ')[0] ?? ''))) return sqliteChanges(from, to)
  return drafted.map((statement) => {
    const [, table, column] = /^ALTER TABLE `(\w+)` ADD `(\w+)`/.exec(statement) ?? []
    const check = lighter.checks.get(`${table ?? ''} ${column ?? ''}`)
    return check === undefined ? statement : statement.replace(/;$/, ` CHECK(${check});`)
  })
}

/** A copied table gets the columns that existed; drizzle-kit would read the new ones from it too. */
const copyWhatWas = (statement: string, from: SqliteSnapshot): string => {
  const [, copy = '', columns = '', table = ''] = /^INSERT INTO `(\w+)`\(.*\) SELECT (.*) FROM `(\w+)`;$/.exec(statement) ?? []
  const known = from.tables[table]?.columns
  if (known === undefined) return statement
  const kept = columns.split(', ').filter((column) => column.slice(1, -1) in known).join(', ')
  return `INSERT INTO \`${copy}\`(${kept}) SELECT ${kept} FROM \`${table}\`;`
}

const isView = (statement: string): boolean => /^(CREATE|DROP) VIEW/.test(statement)
const isAdded = (statement: string): boolean => /^(CREATE (TABLE|INDEX|UNIQUE INDEX) `(?!__new_)|ALTER TABLE \S+ ADD )/.test(statement)

const draftSqlite = async (schema: Schema, from: unknown): Promise<Drafted> => {
  const [before, snapshot] = [(from ?? (await sqliteSnapshot({}))) as SqliteSnapshot, await sqliteSnapshot(schema)]
  const drafted = await lightChanges(before, snapshot)
  const byKey = new Set(Object.values(schema).flatMap((one) => (is(one, SQLiteTable) && isWithoutRowid(one) ? [getTableName(one)] : [])))
  const statements = drafted
    // The program turns foreign keys off while it migrates; within its transaction this would do nothing.
    .filter((statement) => !isView(statement) && !statement.startsWith('PRAGMA foreign_keys'))
    .map((statement) => {
      const table = /^CREATE TABLE `(?:__new_)?(\w+)`/.exec(statement)?.[1]
      return table === undefined ? copyWhatWas(statement, before) : statement.trimEnd().replace(/\);$/, `) STRICT${byKey.has(table) ? ', WITHOUT ROWID' : ''};`)
    })
  if (drafted.every(isAdded)) return { statements, snapshot }
  // SQLite cannot drop a table that a view uses.
  const made = (await sqliteChanges(await sqliteSnapshot({}), snapshot)).filter(isView)
  return { statements: [...Object.keys(before.views).map((view) => `DROP VIEW \`${view}\`;`), ...statements, ...made], snapshot }
}

const postgresSnapshot = (schema: Schema): object => ({ ...(generateDrizzleJson(schema) as object), ...unnamed })

const draftPostgres = async (schema: Schema, from: unknown): Promise<Drafted> => {
  const snapshot = postgresSnapshot(schema)
  const drafted = await generateMigration((from ?? postgresSnapshot({})) as DrizzleSnapshotJSON, snapshot as DrizzleSnapshotJSON)
  // Policies apply to a table's owner only if they are forced.
  return { statements: drafted.map((statement) => statement.replace(/ENABLE ROW LEVEL SECURITY;$/, 'ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;')), snapshot }
}

/** The databases whose schema drizzle declares. */
export const databases = {
  journal: { schema: { ...people, ...brokerage, ...history, ...imports, ...journal, ...mirror, ...ownData, ...reports, ...rights, ...rules }, migrations: inRoot('migrations/sqlite'), draft: draftSqlite },
  copier: { schema: copier, migrations: inRoot('migrations/copier'), draft: draftSqlite },
  prices: { schema: prices, migrations: inRoot('migrations/prices'), draft: draftSqlite },
  cloud: { schema: cloud, migrations: inRoot('migrations/postgres'), draft: draftPostgres },
} as const satisfies Record<string, DeclaredDatabase>
export type DatabaseName = keyof typeof databases

/** The snapshot of a schema when its newest migration was drafted. */
export const snapshotFile = (name: DatabaseName): string => inRoot(`build/snapshots/${name}.json`)

const lastSnapshot = (name: DatabaseName): unknown => JSON.parse(readFileSync(snapshotFile(name), 'utf8'))

/** The statements from the newest migration to the schema, and the schema's snapshot. */
export const draftNext = (name: DatabaseName): Promise<Drafted> => databases[name].draft(databases[name].schema, lastSnapshot(name))

/** For each database, the statements that build its schema from nothing, what its next migration would be, and whether the last snapshot is the schema's. */
export const everyDraft = async () => {
  const of = async (name: DatabaseName) => {
    const { statements, snapshot } = await draftNext(name)
    const { draft, schema } = databases[name]
    return { whole: (await draft(schema, undefined)).statements, next: statements, isLast: isDeepStrictEqual(JSON.parse(JSON.stringify(snapshot)), lastSnapshot(name)) }
  }
  return { journal: await of('journal'), copier: await of('copier'), prices: await of('prices'), cloud: await of('cloud') } satisfies Record<DatabaseName, unknown>
}
