import { mkdirSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Database, Statement } from 'better-sqlite3'
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { sqliteFault } from './sqlite-fault.ts'

declare const reads: unique symbol
declare const writes: unique symbol

type Connection = { readonly database: Database; readonly orm: BetterSQLite3Database; readonly statements: Map<string, Statement>; readonly cells: Map<string, Statement> }

/** A connection that a reading function takes. It gives no way to write: `query` refuses statements that would. */
export type Reader = Connection & { readonly [reads]: true }

/** The one connection that writes; whatever can be read can be read through it. */
export type Writer = Reader & { readonly [writes]: true }

const wait = 5_000

const connect = (database: Database): Connection => {
  // SQLite's own lower() knows ASCII only; names of accounts are whatever their owner typed.
  database.function('folded', { deterministic: true }, (text: unknown) => String(text).toLowerCase())
  return { database, orm: drizzle(database), statements: new Map(), cells: new Map() }
}

const openFile = (file: string, options: SqliteDatabase.Options): Database => {
  try {
    const database = new SqliteDatabase(file, { timeout: wait, ...options })
    database.pragma('temp_store = MEMORY')
    database.pragma('cache_size = -32000')
    return database
  } catch (error) {
    throw sqliteFault(error)
  }
}

/** Opens the file for writing and makes it where there is none; throws `damaged-database` where it is no database. */
export const openDatabase = (file: string): Database => {
  mkdirSync(path.dirname(file), { recursive: true })
  const database = openFile(file, {})
  try {
    // Readers never wait for the writer, nor it for them.
    database.pragma('journal_mode = WAL')
    // With WAL a commit outlives the program's death; only a power cut may take the last ones, whole, and sync brings them back.
    database.pragma('synchronous = NORMAL')
    database.pragma('foreign_keys = ON')
    return database
  } catch (error) {
    database.close()
    throw sqliteFault(error)
  }
}

/** Takes a migrated database as the writer. */
export const writerOf = (database: Database): Writer => connect(database) as Writer

/** Opens a migrated database for reading only. */
export const openReader = (file: string): Reader => connect(openFile(file, { readonly: true, fileMustExist: true })) as Reader

const prepared = (connection: Connection, sql: string): Statement => {
  const known = connection.statements.get(sql)
  if (known !== undefined) return known
  const statement = connection.database.prepare(sql)
  connection.statements.set(sql, statement)
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

/** Does all of `work` or nothing of it. */
export const atomically = <T>(writer: Writer, work: () => T): T => writer.database.transaction(work).immediate()

/** A prepared question whose rows come as plain arrays, for comparing many of them. */
export const queryCells = <Row extends unknown[], Parameters extends unknown[] = unknown[]>(reader: Reader, sql: string): Pick<Statement<Parameters, Row>, 'all' | 'get' | 'iterate'> => {
  const known = reader.cells.get(sql) ?? reader.database.prepare(sql).raw(true)
  if (!known.readonly) throw new Error('A question must not write')
  reader.cells.set(sql, known)
  return known as Statement<Parameters, Row>
}
