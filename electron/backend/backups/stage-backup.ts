import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { checked, openDatabase, writerOf } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { deleteUnfinishedImports } from '../imports/queries.ts'
import { migrate } from '../db/migrate.ts'
import { failUnfinishedNarratives } from '../reports/queries.ts'
import { settleLeftovers } from '../imports/settle-leftovers.ts'
import { deriveLeftovers } from '../fills/stale-batches.ts'

/** Which backup to stage, and when (UTC ms); `folder` is emptied first. */
export type StagingOrder = { readonly backup: string; readonly folder: string; readonly migrationsFolder: string; readonly at: number }

/** Copies a backup aside and brings the copy to the state after a start: migrated, with nothing in progress. Returns its file; throws `damaged-database` if it is damaged. */
export const stageBackup = async ({ backup, folder, migrationsFolder, at }: StagingOrder): Promise<string> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, 'journal.db')
  copyFileSync(backup, file)
  if (!checked(file)) throw storeFault('damaged-database', 'The backup is not whole')
  const database = openDatabase(file)
  try {
    migrate(database, migrationsFolder, folder)
    const context = { writer: writerOf(database), barrier: () => undefined }
    deleteUnfinishedImports(context.writer)
    failUnfinishedNarratives(context.writer, { at })
    await settleLeftovers(context)
    await deriveLeftovers(context)
  } finally {
    database.close()
  }
  return file
}
