import SqliteDatabase from 'better-sqlite3'
import { isStoreFault, storeFault, type StoreFault, type StoreFaultCode } from './fault.ts'

const codes: readonly (readonly [prefix: string, code: StoreFaultCode])[] = [
  ['SQLITE_NOTADB', 'damaged-database'],
  ['SQLITE_CORRUPT', 'damaged-database'],
  // A file that ends before what its index says is in it.
  ['SQLITE_IOERR_SHORT_READ', 'damaged-database'],
  ['SQLITE_FULL', 'disk-full'],
  // The index of the log is a file too, and its room is taken beforehand.
  ['SQLITE_IOERR_SHMSIZE', 'disk-full'],
  ['SQLITE_IOERR', 'disk-failed'],
  ['SQLITE_CANTOPEN', 'unwritable'],
  ['SQLITE_READONLY', 'unwritable'],
  ['SQLITE_BUSY', 'busy'],
]

/** Whether a table is missing. Statements are written for the migrated schema: of a file that was migrated, another program dropped it. */
export const lacksTable = (error: unknown): boolean => error instanceof SqliteDatabase.SqliteError && error.message.startsWith('no such table: ')

// Errors of the system, and of money that cannot be added up exactly.
const otherCodes: Readonly<Record<string, StoreFaultCode>> = { 'out-of-range': 'out-of-range', ENOSPC: 'disk-full', EDQUOT: 'disk-full', EIO: 'disk-failed', EACCES: 'unwritable', EPERM: 'unwritable', EROFS: 'unwritable' }

/** Gives an error of SQLite or of the system the store's code; one of the store stays as it is. */
export const sqliteFault = (error: unknown): StoreFault => {
  if (isStoreFault(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof SqliteDatabase.SqliteError)) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return storeFault(otherCodes[code] ?? 'internal', message, error)
  }
  const known = codes.find(([prefix]) => error.code.startsWith(prefix))?.[1]
  return storeFault(known ?? (lacksTable(error) ? 'damaged-database' : 'internal'), `${error.code}: ${message}`, error)
}
