import { statSync } from 'node:fs'
import path from 'node:path'
import type { Database } from 'better-sqlite3'
import { closeReader, openReader, query } from '../database.ts'
import { storeFault } from '../fault.ts'
import { backupsIn } from './backup-names.ts'

/** Why a start refuses to begin a new journal; the fault's message. */
export type LostBecause = 'missing' | 'empty' | 'no-profiles' | 'log-alone' | 'log-lost'

const bytesIn = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const holdsProfiles = (file: string): boolean => {
  try {
    const reader = openReader(file)
    try {
      return query(reader, 'SELECT 1 FROM profiles LIMIT 1').get() !== undefined
    } finally {
      closeReader(reader)
    }
  } catch {
    // A backup that cannot be read brings nobody back.
    return false
  }
}

const backupsHoldProfiles = (folder: string): boolean => backupsIn(folder).some(({ of, name }) => of === 'journal' && holdsProfiles(path.join(folder, name)))

/** The error for it. */
export const lost = (because: LostBecause): Error => storeFault('lost-journal', because)

/**
 * Throws `lost-journal` where the journal's file is missing or empty while its log or a backup holds rows. Call it before
 * the file is opened: opening would make a new journal, and SQLite deletes the log of an empty file.
 */
export const refuseMissingJournal = (file: string, backupFolder: string): void => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found !== undefined && found.size > 0) return
  if (bytesIn(`${file}-wal`) > 0) throw lost('log-alone')
  if (backupsHoldProfiles(backupFolder)) throw lost(found === undefined ? 'missing' : 'empty')
}

/** Throws `lost-journal` where an opened journal has no profile while a backup has one: the last account's deletion takes it out of every backup first. */
export const refuseEmptiedJournal = (database: Database, backupFolder: string): void => {
  const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'profiles'").get() !== undefined
  if (hasTable && database.prepare('SELECT 1 FROM profiles LIMIT 1').get() !== undefined) return
  if (backupsHoldProfiles(backupFolder)) throw lost('no-profiles')
}
