import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { backupName } from '../db/backup-names.ts'
import { makeBackup } from '../backups/make-backup.ts'
import type { Writer } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { frameHeaderBytes, logHeaderBytes } from './whole-log.ts'

const identityOf = (file: string): string | null => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${String(found.dev)} ${String(found.ino)}`
}

// What was committed lies in the log until it is folded in, and without its lock another program takes the journal too.
const besides = ['-wal', '-shm', '.lock'] as const

type Counts = { readonly log: number; readonly checkpointed: number }

// By SQLite itself: closing the index would release its locks, which belong to the process.
const countsOf = ({ database }: Writer): Counts | undefined => (database.pragma('wal_checkpoint(NOOP)') as Counts[])[0]

/** Whether a log begins as one, and is long enough for so many frames. */
const holds = (log: string, frames: number, frameBytes: number): boolean => {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < logHeaderBytes + frames * frameBytes) return false
  const opened = openSync(log, 'r')
  try {
    const head = Buffer.alloc(4)
    readSync(opened, head, 0, head.length, 0)
    // What is written into an emptied log leaves a hole before it.
    return head.readUInt32BE() !== 0
  } finally {
    closeSync(opened)
  }
}

/**
 * Watches the name of an open journal. The system lets go on writing to a file that has lost its name, and takes all of it
 * away with the last connection; but as long as that is open it can be copied.
 */
export const watchPlace = (writer: Writer, backupFolder: string, now: () => number) => {
  const file = writer.database.name
  const opened = identityOf(file)
  const frameBytes = frameHeaderBytes + (writer.database.pragma('page_size', { simple: true }) as number)
  const openedBesides = besides.map((part) => identityOf(file + part))
  let isKept = false
  const keep = (): void => {
    let at = now()
    while (existsSync(path.join(backupFolder, backupName('journal', at, 'by-hand')))) at += 1_000
    makeBackup({ file, folder: backupFolder, name: backupName('journal', at, 'by-hand'), unlessLike: null, open: writer })
    // A program that is killed leaves its log, which would be played into whatever stands in the journal's place.
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
  /** Whoever empties a log by right folds it in first, and then says so in its index before the log is cut: what is owed before and after is missing. */
  const hasLostItsLog = (): boolean => {
    const frames = owed()
    return frames > 0 && !holds(`${file}-wal`, frames, frameBytes) && owed() === frames
  }
  return {
    /**
     * Throws `journal-moved` where a file of it was moved, deleted or replaced, once all that it holds is kept as a backup; or what kept it
     * from that. Throws `damaged-database` where its log was emptied or cut in place.
     */
    require: (): void => {
      if (isMoved()) throw storeFault('journal-moved', 'The journal was moved, deleted or replaced')
      if (hasLostItsLog()) throw storeFault('damaged-database', 'The log of the journal was emptied while it was open: what was not yet folded in is lost')
    },
    /** Closes the journal; where it lost its name since the last write, that is kept too. */
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
      // SQLite leaves the log of a file without a name, and would play it into whatever has the name at the next start.
      if (leavesLog) for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true })
    },
  }
}

const optimize = ({ database }: Writer): void => {
  try {
    database.pragma('optimize')
  } catch {
    // It only makes the next start's questions faster, and a damaged journal refuses it.
  }
}
