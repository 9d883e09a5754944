import { join } from 'node:path'
import type { AnswerOf } from '#shared/api/route.ts'
import type { Backup, backupRoutes, BackupTrouble, JournalHolds } from '#shared/api/backups.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import { backupName, backupsIn, type BackupFile, type BackupKind } from '../store/backup-names.ts'
import { isStoreFault } from '../store/fault.ts'
import { createInTurn } from '../store/in-turn.ts'
import type { Journal } from '../store/journal.ts'
import { askBack, wantedBack } from '../store/put-back.ts'
import type { BackupThreads } from '../store/run-backup.ts'
import type { Events } from './events.ts'
import { refuse, type Refused } from './refused.ts'
import { superfluous } from './superfluous-backups.ts'

type Answer<Name extends keyof typeof backupRoutes> = AnswerOf<(typeof backupRoutes)[Name]>

/** Backups of the journal, and what its file's check found. */
export type Backups = {
  /** What the check of the journal's file found. */
  readonly health: () => Answer<'backups'>['health']
  readonly list: (userId: string) => Promise<Answer<'backups'>>
  readonly make: () => Promise<Result<string, Refused>>
  readonly restore: (userId: string, name: string) => Promise<Result<Answer<'restoreBackup'>, Refused>>
  /** Takes a user out of every backup. */
  readonly forget: (userId: string) => Promise<void>
  /** Makes a daily one of each file that is there, unless nothing changed since the last, and removes those that the rule keeps no longer. Keeps what failed, to be shown; false where it failed. */
  readonly makeDaily: () => Promise<boolean>
  readonly files: () => readonly BackupFile[]
  /** Looks the journal's file through; from a damaged one on nothing is written any more. */
  readonly check: () => Promise<void>
  /** Settles once no restore of this user is under way. */
  readonly notRestoring: (userId: string) => Promise<void>
}

/** What backups work with; `now` is UTC ms. */
export type BackupParts = {
  readonly journal: Pick<Journal, 'write' | 'refuseWrites'>
  readonly threads: Omit<BackupThreads, 'close'>
  /** The data folder: the databases lie in it. */
  readonly dataDir: string
  readonly folder: string
  /** By whose days the rule counts, as an IANA name. */
  readonly timeZone: string
  readonly migrationsFolder: string
  readonly mirrors: { readonly end: (userId: string) => Promise<void>; readonly resume: (userId: string) => void }
  /** Runs of sync: none may be half-way while a journal is restored. */
  readonly runs: { readonly running: (userId: string) => unknown; readonly idle: (userId: string) => Promise<void> }
  /** Removes access to accounts that are not connected any more. */
  readonly sweep: (userId: string) => Promise<void>
  /** Removes a file; one that is not there is removed. */
  readonly removeFile: (file: string) => Promise<void>
  readonly fileExists: (file: string) => boolean
  readonly events: Pick<Events, 'push'>
  readonly log: Log
  readonly now: () => number
}

const troubles: Readonly<Record<string, BackupTrouble>> = { 'disk-full': 'disk-full', unwritable: 'unwritable', 'damaged-database': 'damaged' }
const troubleOf = (error: unknown): BackupTrouble => troubles[isStoreFault(error) ? error.code : ''] ?? 'failed'

/** Joins the folder of backups, the thread that makes and reads them, and what has to stand still while a journal is restored. */
export const createBackups = (parts: BackupParts): Backups => {
  const { journal, threads, dataDir, folder, timeZone, migrationsFolder, mirrors, runs, sweep, removeFile, fileExists, events, log, now } = parts
  const file = join(dataDir, 'journal.db')
  const inTurn = createInTurn()
  const alone = <T>(work: () => Promise<T>): Promise<T> => inTurn('backups', work)
  const restoring = new Map<string, Promise<unknown>>()
  const known = new Map<string, JournalHolds | null | 'unreadable'>()
  let health: Answer<'backups'>['health'] = 'checking'
  let trouble: { readonly at: number; readonly why: BackupTrouble } | null = null

  const files = (): readonly BackupFile[] => backupsIn(folder)
  const inFolder = (name: string): string => join(folder, name)
  const damaged = (): void => {
    health = 'damaged'
    journal.refuseWrites()
  }
  const failed = (error: unknown): void => {
    trouble = { at: now(), why: troubleOf(error) }
    log.error({ error }, 'A backup failed')
    // What cannot be copied cannot be trusted either.
    if (trouble.why === 'damaged') damaged()
  }

  /** What each backup holds of the user; files do not change, so each is read once. */
  const holdsOf = async (userId: string, all: readonly BackupFile[]): Promise<(name: BackupFile) => JournalHolds | null | 'unreadable'> => {
    const keyOf = ({ name, at, bytes }: BackupFile): string => [userId, name, at, bytes].join('/')
    const unread = all.filter((one) => !known.has(keyOf(one)))
    if (unread.length > 0) {
      const holds = await threads.holds({ files: unread.map(({ name }) => inFolder(name)), userId })
      for (const [index, one] of unread.entries()) known.set(keyOf(one), holds[index] ?? null)
    }
    return (one) => known.get(keyOf(one)) ?? null
  }
  const holdsNow = async (userId: string): Promise<JournalHolds | null> => {
    const [holds = null] = await threads.holds({ files: [file], userId })
    return holds === 'unreadable' ? null : holds
  }
  const told = (holds: JournalHolds | null | 'unreadable', { name, kind, at, bytes }: BackupFile): Backup => ({
    ...{ name, kind, bytes, at: new Date(at).toISOString() },
    // Before an update the journal is checked, and its copy is not.
    checked: kind !== 'before-update',
    holds: holds === 'unreadable' ? null : holds,
    readable: holds !== 'unreadable',
  })

  const removeSuperfluous = async (): Promise<void> => {
    const waiting = wantedBack(file)
    for (const name of superfluous(files(), timeZone)) if (name !== waiting) await removeFile(inFolder(name))
  }
  const makeOne = async (of: BackupFile['of'], kind: Exclude<BackupKind, 'before-update'>, unlessLike: string | null): Promise<string> => {
    // Two of one second: the first keeps its name.
    let at = now()
    while (fileExists(inFolder(backupName(of, at, kind)))) at += 1_000
    const name = backupName(of, at, kind)
    const outcome = await threads.make({ file: join(dataDir, `${of}.db`), folder, name, unlessLike })
    log.info({ name, outcome }, 'A backup was made')
    return name
  }
  const makeKept = async (kind: 'by-hand' | 'before-restore'): Promise<Result<string, Refused>> => {
    try {
      const name = await makeOne('journal', kind, null)
      trouble = null
      return ok(name)
    } catch (error) {
      failed(error)
      const why = troubleOf(error)
      if (why === 'failed') throw error
      return refuse(why === 'disk-full' ? 'disk-full' : why === 'damaged' ? 'journal-damaged' : 'folder-unwritable')
    }
  }

  /** Nothing syncs and nothing is mirrored while the journal is another from one moment to the next. */
  const restoreNow = async (userId: string, name: string): Promise<Result<Answer<'restoreBackup'>, Refused>> => {
    const staging = inFolder('staging')
    const kept = await makeKept('before-restore')
    if (!kept.ok) return kept
    try {
      const staged = await threads.stage({ backup: inFolder(name), folder: staging, migrationsFolder, at: now() })
      await journal.write.restoreJournal({ userId, at: now(), staged })
      log.info({ name, kept: kept.value }, 'A backup was restored')
      return ok({ success: true, when: 'now', holds: (await holdsNow(userId)) ?? nothing, kept: kept.value })
    } catch (error) {
      if (!isStoreFault(error)) throw error
      if (error.code === 'damaged-database' || error.code === 'newer-database' || error.code === 'migration-changed') return refuse('backup-unreadable')
      if (error.code === 'not-found') return refuse('not-found')
      throw error
    } finally {
      await removeFile(staging)
      await removeSuperfluous()
    }
  }
  const standStill = async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    await mirrors.end(userId)
    try {
      while (runs.running(userId) !== null) await runs.idle(userId)
      // From here on a run waits until the journal is what it will be.
      const working = work()
      restoring.set(userId, working)
      return await working
    } finally {
      restoring.delete(userId)
      mirrors.resume(userId)
      for (const type of ['journal-changed', 'finances-changed', 'rules-changed', 'reports-changed'] as const) events.push(userId, { type })
      await sweep(userId).catch((error: unknown) => log.warn({ error }, 'Logins without accounts were not swept'))
    }
  }

  return {
    health: () => health,
    list: async (userId) => {
      const all = files().filter(({ of }) => of === 'journal')
      const holds = await holdsOf(userId, all)
      return {
        now: await holdsNow(userId),
        backups: all.map((one) => told(holds(one), one)),
        folder,
        health,
        trouble: trouble === null ? null : { ...trouble, at: new Date(trouble.at).toISOString() },
        waiting: wantedBack(file),
      }
    },
    make: () => alone(async () => {
      const made = await makeKept('by-hand')
      if (made.ok) await removeSuperfluous()
      return made
    }),
    restore: (userId, name) => alone(async () => {
      const wanted = files().find((one) => one.of === 'journal' && one.name === name)
      if (wanted === undefined) return refuse('not-found')
      const holds = (await holdsOf(userId, [wanted]))(wanted)
      if (holds === 'unreadable') return refuse('backup-unreadable')
      if (holds === null) return refuse('not-found')
      if (health !== 'damaged') return standStill(userId, () => restoreNow(userId, name))
      if (!(await threads.check({ file: inFolder(name) }))) return refuse('backup-unreadable')
      askBack(file, name, now())
      return ok({ success: true, when: 'next-start' })
    }),
    forget: (userId) => alone(async () => {
      known.clear()
      await threads.forget({ files: files().flatMap(({ of, name }) => (of === 'journal' ? inFolder(name) : [])), userId })
    }),
    makeDaily: () => alone(async () => {
      try {
        for (const whose of ['journal', 'copier'] as const) {
          if (!fileExists(join(dataDir, `${whose}.db`))) continue
          await makeOne(whose, 'daily', files().find((one) => one.of === whose && one.kind === 'daily')?.name ?? null)
        }
        trouble = null
        await removeSuperfluous()
        return true
      } catch (error) {
        failed(error)
        return false
      }
    }),
    files,
    check: async () => {
      const isSound = await threads.check({ file })
      if (!isSound) damaged()
      else if (health === 'checking') health = 'sound'
      if (isSound) log.info({}, 'The journal was checked: it is whole')
      else log.error({}, 'The journal is damaged: nothing more is written to it')
    },
    notRestoring: async (userId) => {
      for (let under = restoring.get(userId); under !== undefined; under = restoring.get(userId)) await under.catch(() => undefined)
    },
  }
}

const nothing: JournalHolds = { trades: 0, lastTradeDay: null, accounts: 0 }
