import { mkdirSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Database, Statement } from 'better-sqlite3'
import { Column, is, type Query } from 'drizzle-orm'
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { marketSessionAt, weekdayAndHour } from '#shared/stats/trade-times.ts'
import { sqliteFault } from './sqlite-fault.ts'

const inside: unique symbol = Symbol('connection')
declare const writes: unique symbol

type Inside = { readonly database: Database; readonly statements: Map<string, Statement>; readonly cells: Map<string, Statement> }

/** A connection for reading: it cannot write, and `query` rejects statements that would. */
export type Reader = { readonly [inside]: Inside; readonly orm: Pick<BetterSQLite3Database, 'select' | 'selectDistinct'> }

type Unbranded = Reader & { readonly database: Database; readonly orm: BetterSQLite3Database }

/** The one connection that writes; it can also read. */
export type Writer = Unbranded & { readonly [writes]: true }

const wait = 5_000

const connect = (database: Database): Unbranded => {
  // SQLite's lower() handles only ASCII, but account names may have any characters.
  database.function('folded', { deterministic: true }, (text: unknown) => String(text).toLowerCase())
  // SQLite knows no time zone except the computer's.
  database.function('local_weekday', { deterministic: true }, (time: unknown, zone: unknown) => weekdayAndHour(Number(time), String(zone)).weekday)
  database.function('local_hour', { deterministic: true }, (time: unknown, zone: unknown) => weekdayAndHour(Number(time), String(zone)).hour)
  database.function('market_session', { deterministic: true }, (time: unknown) => marketSessionAt(Number(time)))
  return { [inside]: { database, statements: new Map(), cells: new Map() }, database, orm: drizzle(database) }
}

const openFile = (file: string, options: SqliteDatabase.Options, pragmas: readonly string[]): Database => {
  let database: Database | undefined
  try {
    database = new SqliteDatabase(file, { timeout: wait, ...options })
    for (const pragma of [...pragmas, 'temp_store = MEMORY', 'cache_size = -32000']) database.pragma(pragma)
    return database
  } catch (error) {
    database?.close()
    throw sqliteFault(error)
  }
}

const durable = [
  // A commit survives a power cut, and is on disk before anything reports it: `whole-log.ts` depends on that.
  'synchronous = FULL',
  'fullfsync = ON',
]

const writing = [
  // Readers and the writer never wait for each other.
  'journal_mode = WAL',
  ...durable,
  'foreign_keys = ON',
]

/** Opens the file for writing, and creates it if missing; throws `damaged-database` if it is not a database. */
export const openDatabase = (file: string): Database => {
  mkdirSync(path.dirname(file), { recursive: true })
  return openFile(file, {}, writing)
}

/** Returns the writer of a migrated database. */
export const writerOf = (database: Database): Writer => connect(database) as Writer

/** Opens a migrated database for reading only. */
export const openReader = (file: string): Reader => connect(openFile(file, { readonly: true, fileMustExist: true }, []))

/** Opens a snapshot of a migrated database, which does not change until it is closed. */
export const openSnapshot = (file: string): Reader => {
  const reader = openReader(file)
  reader[inside].database.exec('BEGIN')
  return reader
}

/** Copies a snapshot of the database into a new or empty file. */
export const copyInto = (reader: Reader, target: string): void => {
  try {
    reader[inside].database.prepare('VACUUM INTO ?').run(target)
  } catch (error) {
    throw sqliteFault(error)
  }
}

/** Whether SQLite finds every row and index of a file intact. `quick_check` would miss an index that contradicts its table. False also if it is not a database. */
export const checked = (file: string): boolean => {
  let database: Database | undefined
  try {
    database = openFile(file, { readonly: true, fileMustExist: true }, [])
    return database.pragma('integrity_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (sqliteFault(error).code === 'damaged-database') return false
    throw sqliteFault(error)
  } finally {
    database?.close()
  }
}

/** Rewrites a database in place, so that nothing deleted remains in it or in its WAL. Others may have it open, but not write. False if a reader kept the WAL from being emptied. */
export const rewriteWhole = (file: string): boolean => {
  const database = openFile(file, { fileMustExist: true }, durable)
  try {
    // Large journals would not fit into memory.
    database.pragma('temp_store = FILE')
    database.exec('VACUUM')
    const [emptied] = database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
    return emptied?.busy === 0
  } finally {
    database.close()
  }
}

/** Opens a file that no one else has open, to change it once. Deleted rows leave no trace. */
export const openPlainly = (file: string): Database => openFile(file, { fileMustExist: true }, ['secure_delete = ON'])

/** Deletes sessions and pending consents from a copy: what ended since must not come back with it. Returns the pages that this emptied, from 1, and their size in bytes. */
export const deleteSessions = (file: string): { readonly emptied: ReadonlySet<number>; readonly pageBytes: number } => {
  const database = openPlainly(file)
  try {
    const roots = database.prepare("SELECT type, name, rootpage FROM sqlite_schema WHERE tbl_name IN ('sessions', 'oauth_states') AND rootpage > 0").all() as { type: string; name: string; rootpage: number }[]
    for (const { type, name } of roots) if (type === 'table') database.exec(`DELETE FROM ${name}`)
    return { emptied: new Set(roots.map(({ rootpage }) => rootpage)), pageBytes: database.pragma('page_size', { simple: true }) as number }
  } catch (error) {
    throw sqliteFault(error)
  } finally {
    database.close()
  }
}

/** The file of a connection; null of a database in memory. */
export const fileOf = (reader: Reader): string | null => (reader[inside].database.memory ? null : reader[inside].database.name)

/** Closes a read-only connection. */
export const closeReader = (reader: Reader): void => {
  reader[inside].database.close()
}

const prepared = (reader: Reader, sql: string): Statement => {
  const { database, statements } = reader[inside]
  const known = statements.get(sql)
  if (known !== undefined) return known
  const statement = database.prepare(sql)
  statements.set(sql, statement)
  return statement
}

/** A prepared query, cached on the connection; throws if the statement would write. */
export const query = <Row, Parameters extends unknown[] = unknown[]>(reader: Reader, sql: string): Pick<Statement<Parameters, Row>, 'all' | 'get' | 'iterate'> => {
  const statement = prepared(reader, sql)
  if (!statement.readonly) throw new Error('A query must not write')
  return statement as Statement<Parameters, Row>
}

/** A prepared change, cached on the connection. */
export const change = <Parameters extends unknown[] = unknown[]>(writer: Writer, sql: string): Pick<Statement<Parameters>, 'run'> => prepared(writer, sql) as Statement<Parameters>

/** Runs all queries of `work` on one snapshot of the database. */
export const consistently = <T>(reader: Reader, work: () => T): T => reader[inside].database.transaction(work).deferred()

/** Runs `work` as a whole or not at all. */
export const atomically = <T>(writer: Writer, work: () => T): T => writer.database.transaction(work).immediate()

/** Builds a value once for each connection, such as a query of drizzle's that runs for each of many rows: preparing it takes longer than running it. */
export const perConnection = <Connection extends Reader, Value extends object>(build: (connection: Connection) => Value): ((connection: Connection) => Value) => {
  const built = new WeakMap<Inside, Value>()
  return (connection) => {
    const value = built.get(connection[inside]) ?? build(connection)
    built.set(connection[inside], value)
    return value
  }
}

/** A prepared query that returns rows as plain arrays, to compare many of them. */
export const queryCells = <Row extends unknown[], Parameters extends unknown[] = unknown[]>(reader: Reader, sql: string): Pick<Statement<Parameters, Row>, 'all' | 'get' | 'iterate'> => {
  const { database, cells } = reader[inside]
  const known = cells.get(sql) ?? database.prepare(sql).raw(true)
  if (!known.readonly) throw new Error('A query must not write')
  cells.set(sql, known)
  return known as Statement<Parameters, Row>
}

/** A drizzle query without nested rows. */
type Built<Row> = { readonly toSQL: () => Query; readonly all: () => Row[]; readonly _: { readonly selectedFields: Readonly<Record<string, unknown>> } }

/** Reads the rows of a query one by one: drizzle itself returns all at once, and a journal may have a million fills. */
export function* eachRow<Row>(reader: Reader, built: Built<Row>): Generator<Row> {
  const fields = Object.entries(built._.selectedFields).map(([name, field]) => ({ name, column: is(field, Column) && field.mapFromDriverValue !== Column.prototype.mapFromDriverValue ? field : null }))
  for (const cells of eachCells(reader, built)) {
    const row: Record<string, unknown> = {}
    let at = 0
    for (const { name, column } of fields) {
      const cell = cells[at]
      row[name] = cell === null || column === null ? cell : column.mapFromDriverValue(cell)
      at += 1
    }
    yield row as Row
  }
}

/** The same as plain arrays of what SQLite stores, in the order of the selected fields: for a million rows the objects take longer than SQLite. */
export const eachCells = <Cells extends unknown[]>(reader: Reader, built: Pick<Built<unknown>, 'toSQL'>): IterableIterator<Cells> => {
  const { sql, params } = built.toSQL()
  return queryCells<Cells>(reader, sql).iterate(...params)
}
