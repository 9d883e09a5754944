import path from 'node:path'
import { backupsIn, type BackupFile } from '../db/backup-names.ts'
import { checked } from '../db/database.ts'

// An unreadable backup says nothing about older ones.
const isGood = (file: string): boolean => {
  try {
    return checked(file)
  } catch {
    return false
  }
}

/** The newest intact backup of a file, verifying each until one passes; null if there is none, or the folder cannot be read. Slow. */
export const newestGoodBackup = (folder: string, of: BackupFile['of']): string | null =>
  backupsIn(folder)
    .filter((one) => one.of === of)
    .map(({ name }) => path.join(folder, name))
    .find(isGood) ?? null
