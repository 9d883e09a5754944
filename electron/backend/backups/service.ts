import { existsSync, statfsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AnswerOf } from '#shared/api/route.ts'
import type { Backup, backupRoutes, BackupTrouble, JournalHolds } from '#shared/api/backups.ts'
import type { ProblemCode } from '#shared/api/problems.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { keptByRule } from '#shared/backups/keep-rule.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { backupName, backupsIn, markOf, type BackupFile, type BackupKind } from '../db/backup-names.ts'
import type { FileHolds } from './backup-holds.ts'
import { isStoreFault, storeFault } from '../db/fault.ts'
import { createKeyedMutex } from '../mutex.ts'
import type { Journal } from '../journal/journal.ts'
import { deleteUnfinished } from './make-backup.ts'
import { requestRestore, journalsAside, requestedBackup } from './put-back.ts'
import type { BackupThreads } from './run-backup.ts'
import type { Events } from '../events.ts'

type Answer<Name extends keyof typeof backupRoutes> = AnswerOf<(typeof backupRoutes)[Name]>

/** Dependencies of backups; `now` is UTC ms. */
type Deps = {
  readonly journal: Pick<Journal, 'write' | 'refuseWrites'>
  readonly threads: Omit<BackupThreads, 'close'>
  /** The data folder with the databases. */
  readonly dataDir: string
  readonly folder: string
  /** The IANA zone of the rule's calendar days. */
  readonly timeZone: string
  readonly migrationsFolder: string
  readonly mirrors: { readonly end: (userId: string) => Promise<void>; readonly resume: (userId: string) => void }
  /** Sync runs: none may be in progress while a journal is restored. */
  readonly runs: { readonly running: (userId: string) => unknown; readonly idle: (userId: string) => Promise<void> }
  /** Deletes the tokens of accounts that are no longer connected. */
  readonly sweep: (userId: string) => Promise<void>
  /** Removes a file; succeeds if it does not exist. */
  readonly removeFile?: (file: string) => Promise<void>
  readonly renameFile?: (from: string, to: string) => Promise<void>
  readonly fileExists?: (file: string) => boolean
  /** Bytes that may still be written to a folder's disk; null if unknown. */
  readonly freeBytes?: (folder: string) => number | null
  readonly events: Pick<Events, 'push'>
  readonly log: Log
  readonly now: () => number
}

// Each try copies the journal; if it changes during all of them, it never stops changing.
const mostTries = 10

const remove = (file: string): Promise<void> => rm(file, { recursive: true, force: true })

// A user who waits longer than this for a dialog is better off without the figures.
const longestPreviewMs = 15_000

const troubles: Readonly<Record<string, BackupTrouble>> = { 'disk-full': 'disk-full', unwritable: 'unwritable', busy: 'busy', 'damaged-database': 'damaged' }
const refusals: Readonly<Record<Exclude<BackupTrouble, 'busy'>, ProblemCode>> = { 'disk-full': 'disk-full', unwritable: 'folder-unwritable', damaged: 'journal-damaged', failed: 'backup-failed' }
const troubleOf = (error: unknown): BackupTrouble => troubles[isStoreFault(error) ? error.code : ''] ?? 'failed'

/** Backups of the journal, and the result of the check of its file. */
export type Backups = ReturnType<typeof createBackups>

/** Wires the backup folder, the threads that make and read backups, and what must pause during a restore. */
export const createBackups = (deps: Deps) => {
  const { journal, threads, dataDir, folder, timeZone, migrationsFolder, mirrors, runs, sweep, events, log, now } = deps
  const { removeFile = remove, renameFile = rename, fileExists = existsSync, freeBytes = freeBytesOf } = deps
  const file = join(dataDir, 'journal.db')
  const runExclusive = createKeyedMutex()
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => runExclusive('backups', work)
  const restoring = new Map<string, Promise<unknown>>()
  const knownHolds = new Map<string, FileHolds | 'unreadable'>()
  let health: Answer<'backups'>['health'] = 'checking'
  const troublesOf = new Map<BackupFile['of'], { readonly at: number; readonly why: BackupTrouble }>()

  const files = (): readonly BackupFile[] => backupsIn(folder)
  const inFolder = (name: string): string => join(folder, name)
  const stagingFolder = inFolder('staging')
  const comparingFolder = inFolder('comparing')
  const markDamaged = (): void => {
    health = 'damaged'
    journal.refuseWrites()
  }
  const check = async (): Promise<void> => {
    const isSound = await threads.check({ file })
    if (!isSound) markDamaged()
    else if (health === 'checking') health = 'sound'
    if (isSound) log.info({}, 'journal was checked: it is intact')
    else log.error({}, 'journal is damaged: nothing more is written to it')
  }
  /**
   * Saves a failure for the screens, and returns its reason. Damage may be the copy's, or of the copier's file: only a
   * check of the journal's own file decides. An index that contradicts its table fails a copy with a constraint error, so
   * an unnamed failure leads to that check too.
   */
  const recordFailure = async (of: BackupFile['of'], error: unknown): Promise<BackupTrouble> => {
    log.error({ error, of }, 'backup failed')
    const found = troubleOf(error)
    const isClosing = isStoreFault(error) && error.code === 'journal-closed'
    if ((found === 'damaged' || found === 'failed') && of === 'journal' && !isClosing) await check().catch((unchecked: unknown) => { log.error({ error: unchecked }, 'journal could not be checked') })
    const nameless = of === 'journal' && health === 'damaged' ? 'damaged' : 'failed'
    const why = found === 'damaged' || found === 'failed' ? nameless : found
    troublesOf.set(of, { at: now(), why })
    return why
  }
  const tidy = async (): Promise<void> => {
    deleteUnfinished(folder)
    await removeFile(stagingFolder)
    await removeFile(comparingFolder)
  }

  /** What each backup has of the user; files do not change, so each is read once. */
  const holdsOf = async (userId: string, all: readonly BackupFile[]): Promise<(name: BackupFile) => FileHolds | 'unreadable'> => {
    const keyOf = ({ name, at, bytes }: BackupFile): string => [userId, name, at, bytes].join('/')
    const unread = all.filter((one) => !knownHolds.has(keyOf(one)))
    if (unread.length > 0) {
      const holds = await threads.holds({ files: unread.map(({ name }) => inFolder(name)), userId })
      for (const [index, one] of unread.entries()) knownHolds.set(keyOf(one), holds[index] ?? 'unreadable')
    }
    return (one) => knownHolds.get(keyOf(one)) ?? 'unreadable'
  }
  /** A backup that holds something of the user. */
  const restorable = async (userId: string, name: string): Promise<Result<BackupFile, Refused>> => {
    const wanted = files().find((one) => one.of === 'journal' && one.name === name)
    if (wanted === undefined) return refuse('not-found')
    const holds = (await holdsOf(userId, [wanted]))(wanted)
    if (holds === 'unreadable') return refuse('backup-unreadable')
    return holds.own === null ? refuse('not-found') : ok(wanted)
  }
  const holdsNow = async (userId: string): Promise<JournalHolds | null> => {
    const [holds = 'unreadable'] = await threads.holds({ files: [file], userId })
    return holds === 'unreadable' ? null : holds.own
  }
  const backupOf = (userId: string, holds: FileHolds | 'unreadable', { name, kind, at, bytes, by }: BackupFile): Backup => ({
    name, kind, bytes, at: new Date(at).toISOString(), restoreNeeds: restoreNeeds(bytes),
    // Before an update the journal is checked, but its copy is not.
    checked: kind !== 'before-update',
    holds: holds === 'unreadable' ? null : holds.own,
    readable: holds !== 'unreadable',
    by: by === null ? null : by === markOf(userId) ? 'you' : 'another',
    others: holds === 'unreadable' ? null : holds.others,
  })

  /** If both files failed, the journal's failure is shown. */
  const shownTrouble = (): Answer<'backups'>['trouble'] => {
    const of = (['journal', 'copier'] as const).find((database) => troublesOf.has(database))
    const trouble = of && troublesOf.get(of)
    return of === undefined || trouble === undefined ? null : { of, why: trouble.why, at: new Date(trouble.at).toISOString() }
  }

  const removeSuperfluous = async (): Promise<void> => {
    const waiting = requestedBackup(file)
    for (const name of superfluous(files(), timeZone, now())) if (name !== waiting) await removeFile(inFolder(name))
  }
  /** Bytes needed for a copy of a file, and bytes free; null if unknown. */
  const roomFor = (copied: string): { readonly needed: number; readonly free: number } | null => {
    const free = freeBytes(folder)
    return free === null ? null : { needed: bytesOf(copied) + spareBytes, free }
  }
  // A restore stages a copy, backs up the current journal, and writes the copy again into the journal's WAL.
  const restoreNeeds = (bytes: number): number => (health === 'damaged' ? bytes : 2 * bytes + bytesOf(file)) + spareBytes
  /** An unused name: of two backups in the same second the first keeps its own. */
  const freeName = (of: BackupFile['of'], since: number, kind: Exclude<BackupKind, 'before-update'>, by: string | null): string => {
    let at = since
    while (fileExists(inFolder(backupName(of, at, kind, by)))) at += 1_000
    return backupName(of, at, kind, by)
  }
  /** A name that sorts after all others of its kind, except those from a clock that was ahead: the newest must be the last to be deleted. */
  const nameNow = (of: BackupFile['of'], kind: Exclude<BackupKind, 'before-update'>, by: string | null): string => {
    const last = files().find((one) => one.of === of && one.kind === kind && one.by === by && !isDatedAhead(one.at, now()))
    return freeName(of, Math.max(now(), (last?.at ?? 0) + 1_000), kind, by)
  }
  const makeOne = async (of: BackupFile['of'], kind: Exclude<BackupKind, 'before-update'>, { unlessLike = null, by = null }: { readonly unlessLike?: string | null; readonly by?: string | null }): Promise<string> => {
    // Fails if the journal's file was moved: a copy by file name would copy another file, or none.
    if (of === 'journal') await journal.write.changesSoFar()
    const room = roomFor(join(dataDir, `${of}.db`))
    if (room !== null && room.free < room.needed) throw storeFault('disk-full', `A backup takes ${String(room.needed)} bytes, and ${String(room.free)} are free`)
    const name = nameNow(of, kind, by)
    const outcome = await threads.make({ file: join(dataDir, `${of}.db`), folder, name, unlessLike })
    log.info({ name }, outcome === 'made' ? 'A backup was made' : 'Nothing changed since the last backup')
    return name
  }
  /** Makes a backup that the user asked for, or a refusal. */
  const tryMake = async (userId: string, kind: 'by-hand' | 'before-restore'): Promise<Result<string, Refused>> => {
    try {
      const name = await makeOne('journal', kind, { by: markOf(userId) })
      troublesOf.delete('journal')
      return ok(name)
    } catch (error) {
      if (isStoreFault(error) && error.code === 'journal-moved') throw error
      const why = await recordFailure('journal', error)
      if (why === 'busy') throw error
      return refuse(refusals[why])
    }
  }

  /** The same, followed by the removal of superfluous backups. */
  const makeForUser = (userId: string, kind: 'by-hand' | 'before-restore'): Promise<Result<string, Refused>> =>
    oneAtATime(async () => {
      const made = await tryMake(userId, kind)
      if (made.ok) await removeSuperfluous()
      return made
    })

  /** Backs up the journal and replaces it by the staged one; if something is written in between, retries with a new backup. */
  const swap = async (userId: string, staged: string, whole: boolean): Promise<Result<string, Refused>> => {
    for (let tries = 1; ; tries += 1) {
      const unchangedSince = await journal.write.changesSoFar()
      const kept = await tryMake(userId, 'before-restore')
      if (!kept.ok) return kept
      try {
        await journal.write.restoreJournal({ userId, at: now(), staged, whole, unchangedSince })
        return kept
      } catch (error) {
        if (!isStoreFault(error) || error.code !== 'busy' || tries === mostTries) throw error
        await removeFile(inFolder(kept.value))
      }
    }
  }
  /** Restores a backup into the running program; run it in `withPaused`. */
  const restoreNow = async (userId: string, name: string, whole: boolean): Promise<Result<Answer<'restoreBackup'>, Refused>> => {
    try {
      const staged = await threads.stage({ backup: inFolder(name), folder: stagingFolder, migrationsFolder, at: now() })
      const kept = await swap(userId, staged, whole)
      if (!kept.ok) return kept
      log.info({ name, whole, kept: kept.value }, 'backup was restored')
      return ok({ success: true, when: 'now', holds: (await holdsNow(userId)) ?? noHolds, kept: kept.value })
    } catch (error) {
      if (!isStoreFault(error)) throw error
      if (error.code === 'damaged-database' || error.code === 'newer-database' || error.code === 'migration-changed') return refuse('backup-unreadable')
      if (error.code === 'not-found') return refuse('not-found')
      throw error
    } finally {
      await removeFile(stagingFolder)
      await removeSuperfluous()
    }
  }
  /** Runs `work` while the user's syncing and mirroring pause, then notifies the user's pages. */
  const withPaused = async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    await mirrors.end(userId)
    try {
      while (runs.running(userId) !== null) await runs.idle(userId)
      // From here on a run waits until the restore is done.
      const working = Promise.resolve().then(work)
      restoring.set(userId, working)
      return await working
    } finally {
      restoring.delete(userId)
      mirrors.resume(userId)
      for (const type of ['journal-changed', 'finances-changed', 'rules-changed', 'reports-changed'] as const) events.push(userId, { type })
      await sweep(userId).catch((error: unknown) => log.warn({ error }, 'sweeping logins without accounts failed'))
    }
  }

  return {
    /** The result of the check of the journal's file. */
    health: (): Answer<'backups'>['health'] => health,
    list: (userId: string): Promise<Answer<'backups'>> => oneAtATime(async () => {
      const all = files().filter(({ of }) => of === 'journal')
      const holds = await holdsOf(userId, all)
      return {
        now: await holdsNow(userId),
        backups: all.map((one) => backupOf(userId, holds(one), one)),
        folder,
        health,
        trouble: shownTrouble(),
        room: roomFor(file),
        waiting: requestedBackup(file),
      }
    }),
    make: (userId: string): Promise<Result<string, Refused>> => makeForUser(userId, 'by-hand'),
    /** Backs up the journal before something that the user may want to undo. */
    makeBefore: (userId: string): Promise<Result<string, Refused>> => makeForUser(userId, 'before-restore'),
    /** Previews a restore; null if that takes too long to compute. */
    preview: (userId: string, name: string): Promise<Result<Answer<'previewRestore'>, Refused>> => runExclusive('preview', async () => {
      const wanted = await restorable(userId, name)
      if (!wanted.ok) return wanted
      try {
        const order = { backup: inFolder(name), file, folder: comparingFolder, migrationsFolder, userId, at: now() }
        return ok({ preview: await threads.preview(order, AbortSignal.timeout(longestPreviewMs)) })
      } catch (error) {
        if (!isStoreFault(error)) throw error
        // The restore itself reports what is wrong with the file.
        log.warn({ name, error }, 'preview of a restore failed')
        return ok({ preview: null })
      } finally {
        await removeFile(comparingFolder)
      }
    }),
    /** Restores a backup; with `whole` removes what was added since. */
    restore: (userId: string, name: string, whole = false): Promise<Result<Answer<'restoreBackup'>, Refused>> => oneAtATime(async () => {
      const found = await restorable(userId, name)
      if (!found.ok) return found
      const wanted = found.value
      const free = freeBytes(folder)
      if (free !== null && free < restoreNeeds(wanted.bytes)) return refuse('disk-full')
      if (health !== 'damaged') return withPaused(userId, () => restoreNow(userId, name, whole))
      if (!(await threads.check({ file: inFolder(name) }))) return refuse('backup-unreadable')
      requestRestore(file, name, now())
      return ok({ success: true, when: 'next-start' })
    }),
    /** Removes a user from every backup, and from journals set aside; `andThen` finishes before another backup begins. Rejects if a file could not be changed. */
    forget: (userId: string, andThen: () => Promise<void>): Promise<void> => oneAtATime(async () => {
      knownHolds.clear()
      await tidy()
      await threads.forget({ files: [...files().map(({ name }) => inFolder(name)), ...journalsAside(dataDir)], userId })
      // A backup that the user requested holds other profiles too: it stays, without an owner.
      const own = files().filter(({ by }) => by === markOf(userId))
      for (const { name, of, at, kind } of own) if (kind !== 'before-update') await renameFile(inFolder(name), inFolder(freeName(of, at, kind, null)))
      await andThen()
    }),
    /** Makes today's daily backup of each existing file, unless nothing changed since the last, and removes those beyond the rule. Stores a failure for the screens; false if anything failed. */
    makeDaily: (): Promise<boolean> => oneAtATime(async () => {
      const today = localDate(now(), timeZone)
      let failures = 0
      const orRecord = (of: BackupFile['of'], work: () => Promise<unknown>): Promise<unknown> =>
        work().catch(async (error: unknown) => {
          failures += 1
          await recordFailure(of, error)
        })
      for (const database of ['copier', 'journal'] as const) {
        const daily = files().filter(({ of, kind }) => of === database && kind === 'daily')
        const isThere = daily.some(({ at }) => localDate(at, timeZone) === today)
        if (!isThere && fileExists(join(dataDir, `${database}.db`))) await orRecord(database, () => makeOne(database, 'daily', { unlessLike: daily[0]?.name ?? null }))
      }
      await orRecord('journal', removeSuperfluous)
      if (failures === 0) troublesOf.clear()
      return failures === 0
    }),
    /** A read found damage in the journal: nothing more is written to it. */
    metDamage: markDamaged,
    /** Deletes unfinished backups and checks the journal's file; a damaged one is no longer written to. */
    check: async (): Promise<void> => {
      await oneAtATime(tidy)
      await check()
    },
    /** Settles once no restore of this user is running. */
    notRestoring: async (userId: string): Promise<void> => {
      for (let under = restoring.get(userId); under !== undefined; under = restoring.get(userId)) await under.catch(() => undefined)
    },
  }
}

const noHolds: JournalHolds = { pairs: 0, lastTradeDay: null, accounts: 0 }

/** Bytes to keep free beside a copy, so that the journal itself can still be written. */
export const spareBytes = 32_000_000

/** The most bytes that a copy of a database takes: its file and its WAL. */
export const bytesOf = (file: string): number => [file, `${file}-wal`].reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Bytes that this user may still write to an existing or future folder's disk; null if the system does not say. */
export const freeBytesOf = (folder: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch (error) {
    const above = dirname(folder)
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' && above !== folder ? freeBytesOf(above) : null
  }
}

/** How many backups of each kind and profile are kept, beyond the daily ones. */
const keptApart = 3

// Backups requested within the same second are dated some seconds ahead.
const aheadMs = 3_600_000

/** Whether a backup's date is from a clock ahead of `now` (UTC ms). */
const isDatedAhead = (at: number, now: number): boolean => at > now + aheadMs

// A user who restores several backups in a row is searching for something, over some days.
const apartMs = 31 * 86_400_000

/** Of a profile's requested copies, newest first, the last three; before a restore also the first of several, as long as any of them is kept. */
const keptOfKind = (files: readonly BackupFile[]): ReadonlySet<BackupFile> => {
  const kept = new Set(files.slice(0, keptApart))
  let isOfKept = false
  for (const [index, file] of files.entries()) {
    isOfKept ||= file.kind === 'before-restore' && kept.has(file)
    const older = files[index + 1]
    if (older !== undefined && file.at - older.at <= apartMs) continue
    if (isOfKept) kept.add(file)
    isOfKept = false
  }
  return kept
}

/**
 * The names that the rule does not keep: of daily backups all except those of `keptByRule`; of those that a profile
 * requested, and of those before an update, all except the last three of each kind. In a series of restores, each
 * within a month of the previous, the copy before the first is kept as long as one of the others. Backups dated ahead
 * of `now` (UTC ms) are kept by the same rule separately, so that they do not push out newer ones.
 */
export const superfluous = (files: readonly BackupFile[], timeZone: string, now: number): readonly string[] =>
  (['journal', 'copier'] as const).flatMap((database) =>
    [true, false].flatMap((ahead) => {
      const own = files.filter(({ of, at }) => of === database && isDatedAhead(at, now) === ahead)
      const daily = own.filter(({ kind }) => kind === 'daily')
      const kept = keptByRule(daily.map(({ name, at }) => ({ name, day: localDate(at, timeZone) })))
      const apart = (['by-hand', 'before-restore', 'before-update'] as const).flatMap((kind) => {
        const ofKind = Map.groupBy(own.filter((one) => one.kind === kind), ({ by }) => by)
        return [...ofKind.values()].flatMap((files) => {
          const stay = keptOfKind(files)
          return files.filter((one) => !stay.has(one))
        })
      })
      return [...daily.filter(({ name }) => !kept.has(name)), ...apart].map(({ name }) => name)
    }),
  )
