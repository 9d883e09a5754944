import { holdsOf } from './backup-holds.ts'
import { checked } from '../db/database.ts'
import { forgetInBackup } from './forget-in-backup.ts'
import { makeBackup } from './make-backup.ts'
import { previewRestore } from './preview-restore.ts'
import { stageBackup } from './stage-backup.ts'

/** Backup work; each call runs alone on a thread. */
export const backupWork = {
  /** Copies a database into the folder. */
  make: makeBackup,
  /** Whether SQLite finds a file intact, rows and indexes. */
  check: ({ file }: { readonly file: string }) => checked(file),
  /** What each file holds of a user, in the given order. */
  holds: ({ files, userId }: { readonly files: readonly string[]; readonly userId: string }) => files.map((file) => holdsOf(file, userId)),
  /** Previews a restore. */
  preview: previewRestore,
  /** Prepares a backup for a restore; returns the file. */
  stage: stageBackup,
  /** Removes a user from backups. */
  forget: ({ files, userId }: { readonly files: readonly string[]; readonly userId: string }) => {
    for (const file of files) forgetInBackup(file, userId)
  },
}

/** The calls of a backup thread. */
export type BackupWork = typeof backupWork
