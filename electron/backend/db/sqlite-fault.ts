import SqliteDatabase from 'better-sqlite3'
import { isStoreFault, storeFault, type StoreFault, type StoreFaultCode } from './fault.ts'

const codes: readonly (readonly [prefix: string, code: StoreFaultCode])[] = [
  ['SQLITE_NOTADB', 'damaged-database'],
  ['SQLITE_CORRUPT', 'damaged-database'],
  // A file that is shorter than its index says.
  ['SQLITE_IOERR_SHORT_READ', 'damaged-database'],
  ['SQLITE_FULL', 'disk-full'],
  // The WAL's index is a file too, and its space is reserved in advance.
  ['SQLITE_IOERR_SHMSIZE', 'disk-full'],
  ['SQLITE_IOERR', 'disk-failed'],
  ['SQLITE_CANTOPEN', 'unwritable'],
  ['SQLITE_READONLY', 'unwritable'],
  ['SQLITE_BUSY', 'busy'],
]

/** Whether a table is missing. Statements are written for the migrated schema, so another program dropped it. */
export const lacksTable = (error: unknown): boolean => error instanceof SqliteDatabase.SqliteError && error.message.startsWith('no such table: ')

// Errors of the system, and of sums of money that cannot be exact.
const otherCodes: Readonly<Record<string, StoreFaultCode>> = { 'out-of-range': 'out-of-range', ENOSPC: 'disk-full', EDQUOT: 'disk-full', EIO: 'disk-failed', EACCES: 'unwritable', EPERM: 'unwritable', EROFS: 'unwritable' }

/** Maps an error of SQLite or the system to the store's code; an error of the store stays as it is. */
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
