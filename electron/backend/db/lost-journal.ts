import { statSync } from 'node:fs'
import path from 'node:path'
import type { Database } from 'better-sqlite3'
import { closeReader, openReader, query } from './database.ts'
import { storeFault } from './fault.ts'
import { backupsIn, type BackupFile } from './backup-names.ts'

/** Why a start refuses to begin a new journal; the fault's message. */
export type LostBecause = 'missing' | 'empty' | 'no-profiles' | 'log-alone' | 'log-lost'

const bytesIn = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

// A journal without profiles belongs to no one; a copier without groups has nothing to do. Raw SQL in this file: the files are of every version.
const firstRowSql = { journal: 'SELECT 1 FROM profiles LIMIT 1', copier: 'SELECT 1 FROM groups LIMIT 1' } as const satisfies Record<BackupFile['of'], string>

const holdsRows = (file: string, of: BackupFile['of']): boolean => {
  try {
    const reader = openReader(file)
    try {
      return query(reader, firstRowSql[of]).get() !== undefined
    } finally {
      closeReader(reader)
    }
  } catch {
    // An unreadable backup cannot restore anyone.
    return false
  }
}

const backupsHoldRows = (folder: string, wanted: BackupFile['of']): boolean => backupsIn(folder).some(({ of, name }) => of === wanted && holdsRows(path.join(folder, name), of))

/** The error for a lost journal. */
export const lost = (because: LostBecause): Error => storeFault('lost-journal', because)

/**
 * Throws `lost-journal` if a file, the journal or the copier's, is missing or empty while its WAL or a backup has rows.
 * Call it before the file is opened: opening would create a new one, and SQLite deletes the WAL of an empty file.
 */
export const refuseMissingFile = (file: string, of: BackupFile['of'], backupFolder: string): void => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found !== undefined && found.size > 0) return
  if (bytesIn(`${file}-wal`) > 0) throw lost('log-alone')
  if (backupsHoldRows(backupFolder, of)) throw lost(found === undefined ? 'missing' : 'empty')
}

/** Throws `lost-journal` if an opened journal has no profile while a backup has one. Deleting the last account would first have removed it from every backup. */
export const refuseEmptiedJournal = (database: Database, backupFolder: string): void => {
  const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'profiles'").get() !== undefined
  if (hasTable && database.prepare('SELECT 1 FROM profiles LIMIT 1').get() !== undefined) return
  if (backupsHoldRows(backupFolder, 'journal')) throw lost('no-profiles')
}
