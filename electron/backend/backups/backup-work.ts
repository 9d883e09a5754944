import type { RestorePreview } from '#shared/api/backups.ts'
import { holdsOf, type FileHolds } from './backup-holds.ts'
import { checked } from '../db/database.ts'
import { forgetInBackup } from './forget-in-backup.ts'
import { makeBackup, type BackupOrder } from './make-backup.ts'
import { previewRestore, type PreviewOrder } from './preview-restore.ts'
import { stageBackup, type StagingOrder } from './stage-backup.ts'

/** What is asked of the thread, and what it answers; each on a thread of its own. */
export type BackupWork = {
  /** Copies a database into the folder; see `makeBackup`. */
  readonly make: (order: BackupOrder) => 'made' | 'unchanged'
  /** Whether SQLite finds a file whole, rows and indexes. */
  readonly check: (order: { readonly file: string }) => boolean
  /** What each file holds of a user, in their order. */
  readonly holds: (order: { readonly files: readonly string[]; readonly userId: string }) => (FileHolds | 'unreadable')[]
  /** What a restore would do; see `previewRestore`. */
  readonly preview: (order: PreviewOrder) => Promise<RestorePreview>
  /** Makes a backup ready to be restored; gives the file. */
  readonly stage: (order: StagingOrder) => Promise<string>
  /** Takes a user out of backups. */
  readonly forget: (order: { readonly files: readonly string[]; readonly userId: string }) => void
}

/** The work itself. */
export const backupWork: BackupWork = {
  make: (order) => makeBackup(order),
  check: ({ file }) => checked(file),
  holds: ({ files, userId }) => files.map((file) => holdsOf(file, userId)),
  preview: previewRestore,
  stage: stageBackup,
  forget: ({ files, userId }) => {
    for (const file of files) forgetInBackup(file, userId)
  },
}
