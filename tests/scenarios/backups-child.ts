import { join } from 'node:path'
import { killAtBarrier } from '#backend/db/barrier.ts'
import { makeBackup, type BackupStep } from '#backend/backups/make-backup.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { requestRestore } from '#backend/backups/put-back.ts'
import { stageBackup } from '#backend/backups/stage-backup.ts'
import { migrationsFolder } from '../helpers/store.ts'
import type { BackupsOrder } from './backups-order.ts'

// The body of a process that is made to be killed: it makes a backup, restores one, opens the journal, or puts one in the place of a journal.
const { folder, work, killAt, backup, userId, whole = false } = JSON.parse(process.env['BACKUPS_ORDER'] ?? '') as BackupsOrder
const [file, backupFolder] = [join(folder, 'journal.db'), join(folder, 'backups')]
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const open = () => openJournal({ file, migrationsFolder, backupFolder, log: quiet, killAt })

if (work === 'make') makeBackup({ file, folder: backupFolder, name: backup, unlessLike: null }, killAtBarrier<BackupStep>(killAt))
else {
  if (work === 'put-back' && killAt !== undefined) requestRestore(file, backup, Date.UTC(2026, 10, 22))
  const journal = await open()
  if (work === 'restore') {
    const staged = await stageBackup({ backup: join(backupFolder, backup), folder: join(backupFolder, 'staging'), migrationsFolder, at: Date.UTC(2026, 10, 22) })
    await journal.write.restoreJournal({ userId, at: Date.UTC(2026, 10, 22), staged, whole })
  }
  await journal.close()
}
