import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { sqliteFault } from './sqlite-fault.ts'

const ofSqlite = (code: string): string => sqliteFault(new SqliteDatabase.SqliteError('disk I/O error', code)).code

test('a disk error differs from damage and from a full disk', () => {
  expect(['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_READ'].map(ofSqlite)).toEqual(['disk-failed', 'disk-failed', 'disk-failed'])
  expect(['SQLITE_IOERR_SHORT_READ', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_FULL'].map(ofSqlite)).toEqual(['damaged-database', 'disk-full', 'disk-full'])
  expect(['EIO', 'EDQUOT'].map((code) => sqliteFault(Object.assign(new Error('write'), { code })).code)).toEqual(['disk-failed', 'disk-full'])
})

test('a sum that cannot be kept exactly is out of range', () => {
  expect(() => amountOf(2 ** 53)).toThrow(expect.toSatisfy((error: unknown) => sqliteFault(error).code === 'out-of-range'))
})
