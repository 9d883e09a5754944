import { holdsOf } from './backup-holds.ts'
import { checked } from '../db/database.ts'
import { forgetInBackup } from './forget-in-backup.ts'
import { makeBackup } from './make-backup.ts'
import { previewRestore } from './preview-restore.ts'
import { stageBackup } from './stage-backup.ts'

/** The work on backups, each piece of which takes a thread. */
export const backupWork = {
  /** Copies a database into the folder. */
  make: makeBackup,
  /** Whether SQLite finds a file whole, rows and indexes. */
  check: ({ file }: { readonly file: string }) => checked(file),
  /** What each file holds of a user, in their order. */
  holds: ({ files, userId }: { readonly files: readonly string[]; readonly userId: string }) => files.map((file) => holdsOf(file, userId)),
  /** What a restore would do. */
  preview: previewRestore,
  /** Makes a backup ready to be restored; gives the file. */
  stage: stageBackup,
  /** Takes a user out of backups. */
  forget: ({ files, userId }: { readonly files: readonly string[]; readonly userId: string }) => {
    for (const file of files) forgetInBackup(file, userId)
  },
}

/** What can be asked of a thread of backups. */
export type BackupWork = typeof backupWork
