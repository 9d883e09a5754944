import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createBackupClock } from './schedule.ts'
import { createBackups, type BackupParts, type Backups } from './service.ts'
import { freeBytes } from './free-room.ts'
import { backupThreads } from './run-backup.ts'

/** Everything about backups. */
export type BackingUp = {
  readonly backups: Backups
  /** Checks the journal's file, and makes backups from now on. */
  readonly begin: () => void
  readonly stop: () => Promise<void>
}

/** What backing up works with. */
export type BackingUpParts = Omit<BackupParts, 'threads' | 'folder' | 'removeFile' | 'renameFile' | 'fileExists' | 'freeBytes'>

/** Joins the backups, their thread and their clock. */
export const startBackingUp = (parts: BackingUpParts): BackingUp => {
  const { log, now, dataDir, timeZone } = parts
  const threads = backupThreads()
  const backups = createBackups({
    ...{ ...parts, threads, folder: join(dataDir, 'backups') },
    removeFile: (file) => rm(file, { recursive: true, force: true }),
    renameFile: rename,
    fileExists: existsSync,
    freeBytes,
  })
  const clock = createBackupClock({ backups, timeZone, log, now, sleep: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }) })
  return {
    backups,
    begin: clock.begin,
    stop: async () => {
      const stopped = clock.stop()
      await threads.close()
      await stopped
    },
  }
}
