import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { killAtBarrier, type Barrier, type BarrierName } from '../db/barrier.ts'
import { atomically, openDatabase, writerOf } from '../db/database.ts'
import { emptyFreePages } from '../db/free-pages.ts'
import { watchPlace } from './in-place.ts'
import type { JournalPlace } from './journal.ts'
import { journalServer, type Opened } from './journal-thread.ts'
import { forgetIncoming } from '../imports/queries.ts'
import { migrate, type Migrated } from '../db/migrate.ts'
import { refuseEmptiedJournal, refuseMissingFile } from '../backups/lost-journal.ts'
import { putBack, type PutBack, type PutBackStep } from '../backups/put-back.ts'
import { settleLeftovers } from '../imports/settle-leftovers.ts'
import { deriveLeftovers } from '../fills/stale-batches.ts'
import { requireWholeLog } from './whole-log.ts'
import { checkSignInTables } from '../identity/sign-in-tables.ts'
import { writesOf } from './writes.ts'
import { storeFault } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'

/** What happened before the journal opened: `unsettled` are users whose imports could not be settled, `putBack` the result of a request to replace a damaged journal by a backup. */
export type WriterReport = Migrated & { readonly unsettled: number; readonly putBack: PutBack | null }

/** Locks the journal, brings it up to date, and opens it to write. */
export const openWriter = async ({ file, migrationsFolder, backupFolder, killAt, hook }: JournalPlace): Promise<Opened<WriterReport>> => {
  const barrier = hook === undefined ? killAtBarrier<BarrierName>(killAt) : ((await import(hook)) as { barrier: Barrier }).barrier
  mkdirSync(dirname(file), { recursive: true })
  // Before anything else: no other program may have the file open when a backup replaces it.
  const soleUse = takeSoleUse(file)
  const placed = putBack(file, backupFolder, killAtBarrier<PutBackStep>(killAt))
  refuseMissingFile(file, 'journal', backupFolder)
  requireWholeLog(file)
  const database = openDatabase(file)
  refuseEmptiedJournal(database, backupFolder)
  const migrated = migrate(database, migrationsFolder, backupFolder)
  checkSignInTables(database)
  emptyFreePages(file)
  const taking = { writer: writerOf(database), barrier }
  atomically(taking.writer, () => {
    forgetIncoming(taking.writer)
  })
  const place = watchPlace(taking.writer, backupFolder, Date.now)
  const unsettled = await settleLeftovers(taking)
  await deriveLeftovers(taking)
  return {
    server: journalServer(writesOf(taking), place.require),
    report: { ...migrated, unsettled, putBack: placed },
    close: () => {
      place.close()
      soleUse.giveBack()
    },
  }
}

const wait = 2_000

/**
 * Locks a journal for this program, until it is released or the program ends, however it ends: it is a lock of the
 * operating system on a small database beside the journal. Throws `busy` if another program has it, and `two-names` if
 * the journal has another name (a hard link), under which a second program would find neither lock nor WAL.
 */
const takeSoleUse = (file: string): { readonly giveBack: () => void } => {
  const lock = new SqliteDatabase(`${file}.lock`, { timeout: wait })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw sqliteFault(error)
  }
  if ((statSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1) {
    lock.close()
    throw storeFault('two-names', 'The journal has two names')
  }
  return { giveBack: () => lock.close() }
}
