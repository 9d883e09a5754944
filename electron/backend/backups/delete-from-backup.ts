import { rmSync, statSync, utimesSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { deleteUser as forgetInCopier } from '../copier/store/groups.ts'
import { checked, openPlainly, writerOf } from '../db/database.ts'
import { deleteUser } from '../db/delete-user.ts'
import { lacksTable, sqliteFault } from '../db/sqlite-fault.ts'

// Raw SQL: the file may be of any version, and of the journal or of the copier.
const strike = (database: Database, userId: string): void => {
  const writer = writerOf(database)
  const has = (table: string): boolean => database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
  if (has('profiles')) database.transaction(() => { deleteUser(writer, { userId }) }).immediate()
  if (has('groups')) forgetInCopier(writer, userId)
  database.exec('VACUUM')
}

/** Whether a file cannot be changed because it is damaged, and not because the disk is full, another program has it open, an earlier version had fewer tables, or the like. */
const isDamaged = (file: string, error: unknown): boolean => {
  if (lacksTable(error)) return false
  const { code } = sqliteFault(error)
  return code === 'damaged-database' || (code === 'internal' && !checked(file))
}

/**
 * Removes a user from a backup of the journal or the copier's file, of any version, down to the last byte; keeps its
 * date. Deletes a damaged file, because the user was promised to be gone. Any other failure throws, so that it can be
 * retried.
 */
export const deleteFromBackup = (file: string, userId: string): void => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return
  try {
    const database = openPlainly(file)
    try {
      strike(database, userId)
    } finally {
      database.close()
    }
    utimesSync(file, found.atime, found.mtime)
  } catch (error) {
    if (!isDamaged(file, error)) throw sqliteFault(error)
    for (const part of ['-wal', '-shm', '-journal', '']) rmSync(file + part, { force: true })
  }
}
