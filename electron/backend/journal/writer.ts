import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs'
import path, { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { refuseEmptiedJournal, refuseMissingFile } from '../db/lost-journal.ts'
import { makeBackup } from '../backups/make-backup.ts'
import { putBack, type PutBack, type PutBackStep } from '../backups/put-back.ts'
import { backupName } from '../db/backup-names.ts'
import { type Barrier, type BarrierName, killAtBarrier } from '../db/barrier.ts'
import { atomically, openDatabase, type Writer, writerOf } from '../db/database.ts'
import { isStoreFault, storeFault } from '../db/fault.ts'
import { emptyFreePages } from '../db/free-pages.ts'
import { migrate, type Migrated } from '../db/migrate.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { deriveLeftovers } from '../fills/stale-batches.ts'
import { checkSignInTables } from '../identity/sign-in-tables.ts'
import { deleteUnfinishedImports } from '../imports/queries.ts'
import { settleLeftovers } from '../imports/settle-leftovers.ts'
import { journalServer, type Opened } from './journal-thread.ts'
import type { JournalPaths } from './journal.ts'
import { frameHeaderBytes, logHeaderBytes, requireWholeLog } from './whole-log.ts'
import { writesOf } from './writes.ts'

const identityOf = (file: string): string | null => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${String(found.dev)} ${String(found.ino)}`
}

// Committed data is in the WAL until the checkpoint, and without its lock another program would open the journal too.
const besides = ['-wal', '-shm', '.lock'] as const

type Counts = { readonly log: number; readonly checkpointed: number }

// Read it through SQLite: closing the index file in this process would drop SQLite's locks, which belong to the process.
const countsOf = ({ database }: Writer): Counts | undefined => (database.pragma('wal_checkpoint(NOOP)') as Counts[])[0]

/** Whether a WAL has a valid header, and is long enough for this many frames. */
const holds = (log: string, frames: number, frameBytes: number): boolean => {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < logHeaderBytes + frames * frameBytes) return false
  const opened = openSync(log, 'r')
  try {
    const head = Buffer.alloc(4)
    readSync(opened, head, 0, head.length, 0)
    // Writing to an emptied WAL leaves a hole before the new data.
    return head.readUInt32BE() !== 0
  } finally {
    closeSync(opened)
  }
}

/**
 * Watches the path of an open journal. The system keeps writing to a file that was moved or deleted, and deletes all of
 * it with the last connection; until then it can be copied.
 */
const watchPlace = (writer: Writer, backupFolder: string, now: () => number) => {
  const file = writer.database.name
  const opened = identityOf(file)
  const frameBytes = frameHeaderBytes + (writer.database.pragma('page_size', { simple: true }) as number)
  const openedBesides = besides.map((part) => identityOf(file + part))
  let isKept = false
  const keep = (): void => {
    let at = now()
    while (existsSync(path.join(backupFolder, backupName('journal', at, 'by-hand')))) at += 1_000
    makeBackup({ file, folder: backupFolder, name: backupName('journal', at, 'by-hand'), unlessLike: null, open: writer })
    // A killed program leaves its WAL, which would be applied to whatever file is in the journal's place.
    writer.database.pragma('wal_checkpoint(TRUNCATE)')
  }
  const hasLostItsName = (): boolean => identityOf(file) !== opened
  const isMoved = (): boolean => {
    const moved = hasLostItsName() || besides.some((part, index) => identityOf(file + part) !== openedBesides[index])
    if (moved && !isKept) keep()
    isKept = moved
    return moved
  }
  const owed = (): number => {
    const counts = countsOf(writer)
    return counts === undefined || counts.log <= counts.checkpointed ? 0 : counts.log
  }
  /** A regular checkpoint copies the WAL to the file first, and notes that in its index before it truncates the WAL: what was committed before and is missing afterward was lost. */
  const hasLostItsLog = (): boolean => {
    const frames = owed()
    return frames > 0 && !holds(`${file}-wal`, frames, frameBytes) && owed() === frames
  }
  return {
    /**
     * If a file of the journal was moved, deleted or replaced, backs up everything in it and throws `journal-moved`, or
     * the error that prevented the backup. Throws `damaged-database` if its WAL was emptied or truncated in place.
     */
    require: (): void => {
      if (isMoved()) throw storeFault('journal-moved', 'The journal was moved, deleted or replaced')
      if (hasLostItsLog()) throw storeFault('damaged-database', 'The WAL was truncated while the journal was open: commits that were not checkpointed are lost')
    },
    /** Closes the journal; if it was moved since the last write, backs it up too. */
    close: (): void => {
      const holds = (look: () => boolean): boolean => {
        try {
          return look()
        } catch {
          // Nothing more can be done.
          return false
        }
      }
      const kept = holds(isMoved)
      if (!kept && !holds(hasLostItsLog)) optimize(writer)
      const leavesLog = kept && hasLostItsName()
      writer.database.close()
      // SQLite leaves the WAL of a moved file behind, and would apply it to the file of that name at the next start.
      if (leavesLog) for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true })
    },
  }
}

const optimize = ({ database }: Writer): void => {
  try {
    database.pragma('optimize')
  } catch {
    // This only speeds up the next start's queries, and a damaged journal rejects it.
  }
}

/** What happened before the journal opened: `unsettled` are users whose imports could not be settled, `putBack` the result of a request to replace a damaged journal by a backup. */
export type WriterReport = Migrated & { readonly unsettled: number; readonly putBack: PutBack | null }

/** Locks the journal, brings it up to date, and opens it to write. */
export const openWriter = async ({ file, migrationsFolder, backupFolder, killAt, hook }: JournalPaths): Promise<Opened<WriterReport>> => {
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
  const context = { writer: writerOf(database), barrier }
  atomically(context.writer, () => {
    deleteUnfinishedImports(context.writer)
  })
  const place = watchPlace(context.writer, backupFolder, Date.now)
  const unsettled = await settleLeftovers(context)
  await deriveLeftovers(context)
  return {
    server: journalServer(writesOf(context), place.require),
    report: { ...migrated, unsettled, putBack: placed },
    close: () => {
      place.close()
      soleUse.giveBack()
    },
  }
}

const wait = 2_000

const lockFile = (name: string): SqliteDatabase.Database => {
  const lock = new SqliteDatabase(name, { timeout: wait })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw sqliteFault(error)
  }
}

/** As `lockFile`, whatever is in the file: it never holds anything of ours, so foreign content is no damage of the journal. */
const lockEmptied = (name: string): SqliteDatabase.Database => {
  try {
    return lockFile(name)
  } catch (error) {
    if (!isStoreFault(error) || error.code !== 'damaged-database') throw error
    truncateSync(name)
    return lockFile(name)
  }
}

/**
 * Locks a journal for this program, until it is released or the program ends, however it ends: it is a lock of the
 * operating system on a small database beside the journal. Throws `busy` if another program has it, and `two-names` if
 * the journal has another name (a hard link), under which a second program would find neither lock nor WAL.
 */
const takeSoleUse = (file: string): { readonly giveBack: () => void } => {
  const lock = lockEmptied(`${file}.lock`)
  if ((statSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1) {
    lock.close()
    throw storeFault('two-names', 'The journal has two names')
  }
  return { giveBack: () => lock.close() }
}
