import { mkdirSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Database, Statement } from 'better-sqlite3'
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { marketSessionAt, weekdayAndHour } from '#shared/stats/trade-times.ts'
import { sqliteFault } from './sqlite-fault.ts'

const inside: unique symbol = Symbol('connection')
declare const writes: unique symbol

type Inside = { readonly database: Database; readonly statements: Map<string, Statement>; readonly cells: Map<string, Statement> }

/** A connection as a reading function takes it: it gives no way to write, and `query` refuses statements that would. */
export type Reader = { readonly [inside]: Inside; readonly orm: Pick<BetterSQLite3Database, 'select'> }

type Unbranded = Reader & { readonly database: Database; readonly orm: BetterSQLite3Database }

/** The one connection that writes; whatever can be read can be read through it. */
export type Writer = Unbranded & { readonly [writes]: true }

const wait = 5_000

const connect = (database: Database): Unbranded => {
  // SQLite's own lower() knows ASCII only; names of accounts are whatever their owner typed.
  database.function('folded', { deterministic: true }, (text: unknown) => String(text).toLowerCase())
  // SQLite knows no zones but its computer's.
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
  // A commit outlives a power cut, and lies on the disk before anything says that it was made: `whole-log.ts` rests on that.
  'synchronous = FULL',
  'fullfsync = ON',
]

const writing = [
  // Readers never wait for the writer, nor it for them.
  'journal_mode = WAL',
  ...durable,
  'foreign_keys = ON',
]

/** Opens the file for writing and makes it where there is none; throws `damaged-database` where it is no database. */
export const openDatabase = (file: string): Database => {
  mkdirSync(path.dirname(file), { recursive: true })
  return openFile(file, {}, writing)
}

/** Takes a migrated database as the writer. */
export const writerOf = (database: Database): Writer => connect(database) as Writer

/** Opens a migrated database for reading only. */
export const openReader = (file: string): Reader => connect(openFile(file, { readonly: true, fileMustExist: true }, []))

/** Opens a migrated database for reading one state of it, whatever is written meanwhile, until it is closed. */
export const openSnapshot = (file: string): Reader => {
  const reader = openReader(file)
  reader[inside].database.exec('BEGIN')
  return reader
}

/** Copies one state of the database into a new file, or an empty one, whatever is written meanwhile. */
export const copyInto = (reader: Reader, target: string): void => {
  try {
    reader[inside].database.prepare('VACUUM INTO ?').run(target)
  } catch (error) {
    throw sqliteFault(error)
  }
}

/** Whether SQLite finds every row and every index of a file whole. `quick_check` would pass over an index that contradicts its table. False also where it is no database. */
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

/** Rewrites a database in place, so that nothing of what was deleted is left in it or in its log. Others may have it open, but not write. False where a reader kept the log from being emptied. */
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

/** Opens a file that nobody else has open, to change it once. What is struck from it leaves no trace. */
export const openPlainly = (file: string): Database => openFile(file, { fileMustExist: true }, ['secure_delete = ON'])

/** Strikes from a copy who was signed in and which consents were under way: what was ended since must not come back with it. Gives the pages that are empty by that, from 1, and their size in bytes. */
export const withoutVisits = (file: string): { readonly emptied: ReadonlySet<number>; readonly pageBytes: number } => {
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

/** Closes a connection that only read. */
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

/** A prepared question, kept with the connection; throws where the statement would write. */
export const query = <Row, Parameters extends unknown[] = unknown[]>(reader: Reader, sql: string): Pick<Statement<Parameters, Row>, 'all' | 'get' | 'iterate'> => {
  const statement = prepared(reader, sql)
  if (!statement.readonly) throw new Error('A question must not write')
  return statement as Statement<Parameters, Row>
}

/** A prepared change, kept with the connection. */
export const change = <Parameters extends unknown[] = unknown[]>(writer: Writer, sql: string): Pick<Statement<Parameters>, 'run'> => prepared(writer, sql) as Statement<Parameters>

/** Lets all questions of `work` see one state of the database. */
export const consistently = <T>(reader: Reader, work: () => T): T => reader[inside].database.transaction(work).deferred()

/** Does all of `work` or nothing of it. */
export const atomically = <T>(writer: Writer, work: () => T): T => writer.database.transaction(work).immediate()

/** A prepared question whose rows come as plain arrays, for comparing many of them. */
export const queryCells = <Row extends unknown[], Parameters extends unknown[] = unknown[]>(reader: Reader, sql: string): Pick<Statement<Parameters, Row>, 'all' | 'get' | 'iterate'> => {
  const { database, cells } = reader[inside]
  const known = cells.get(sql) ?? database.prepare(sql).raw(true)
  if (!known.readonly) throw new Error('A question must not write')
  cells.set(sql, known)
  return known as Statement<Parameters, Row>
}
