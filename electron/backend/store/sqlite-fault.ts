import SqliteDatabase from 'better-sqlite3'
import { isStoreFault, storeFault, type StoreFault, type StoreFaultCode } from './fault.ts'

const codes: readonly (readonly [prefix: string, code: StoreFaultCode])[] = [
  ['SQLITE_NOTADB', 'damaged-database'],
  ['SQLITE_CORRUPT', 'damaged-database'],
  ['SQLITE_FULL', 'disk-full'],
  ['SQLITE_CANTOPEN', 'unwritable'],
  ['SQLITE_READONLY', 'unwritable'],
  ['SQLITE_BUSY', 'busy'],
]

/** Gives an error of SQLite the store's code; one of the store stays as it is. */
export const sqliteFault = (error: unknown): StoreFault => {
  if (isStoreFault(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof SqliteDatabase.SqliteError)) return storeFault('internal', message, error)
  const known = codes.find(([prefix]) => error.code.startsWith(prefix))
  return storeFault(known?.[1] ?? 'internal', `${error.code}: ${message}`, error)
}
