import path from 'node:path'
import { backupsIn, type BackupFile } from '../db/backup-names.ts'
import { checked } from '../db/database.ts'

// One that cannot be read says nothing of the older ones.
const isGood = (file: string): boolean => {
  try {
    return checked(file)
  } catch {
    return false
  }
}

/** The newest backup of a file that is whole, each read through until one is; null where there is none, or nobody can look. Takes its time. */
export const newestGoodBackup = (folder: string, of: BackupFile['of']): string | null =>
  backupsIn(folder)
    .filter((one) => one.of === of)
    .map(({ name }) => path.join(folder, name))
    .find(isGood) ?? null
