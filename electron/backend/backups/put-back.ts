import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { momentInName } from '../db/backup-names.ts'
import { checked, deleteSessions } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { syncFile, syncNames } from './sync-disk.ts'

/** The request: a whole backup replaces a damaged journal, made at `at` (UTC ms); `copied` once the copy is beside the journal. */
const restoreRequest = z.object({ backup: z.string().regex(/^journal-[\w-]+\.db$/), at: z.int(), copied: z.boolean() })
type RestoreRequest = z.infer<typeof restoreRequest>

/** The steps of putting a backup in place, in order, at which a test may end the program. */
export type PutBackStep = 'request-read' | 'backup-copied' | 'journal-aside' | 'backup-in-place'

const restoreFileOf = (file: string): string => `${file}.restore.json`
const newOf = (file: string): string => `${file}.restored`
// A journal's WAL belongs to it and to no other file.
const parts = ['-wal', '-shm', ''] as const

const write = (file: string, wanted: RestoreRequest): void => {
  const draft = `${restoreFileOf(file)}.tmp`
  writeFileSync(draft, JSON.stringify(wanted), { mode: 0o600 })
  syncFile(draft)
  renameSync(draft, restoreFileOf(file))
  syncNames(file)
}

const read = (file: string): RestoreRequest | null => {
  try {
    return restoreRequest.parse(JSON.parse(readFileSync(restoreFileOf(file), 'utf8')))
  } catch {
    return null
  }
}

/** The backup that replaces this journal at the next start; null if none does, or the request cannot be read. */
export const requestedBackup = (file: string): string | null => read(file)?.backup ?? null

/** Damaged journals that were set aside in a data folder. */
export const journalsAside = (dataDir: string): readonly string[] => readdirSync(dataDir).filter((name) => /^journal-damaged-[\w-]+\.db$/.test(name)).map((name) => path.join(dataDir, name))

/** Requests that a backup replace this journal at the next start; the last request wins. */
export const requestRestore = (file: string, backup: string, at: number): void => {
  write(file, { backup, at, copied: false })
}

/** A request that was not fulfilled: the name of the backup, or the path of an unreadable request. */
type Dropped = { readonly dropped: string }

/** A fulfilled request: `aside` is the path of the old journal. */
export type PutBack = { readonly aside: string } | Dropped

/** Sets an unreadable request aside: the program starts with the existing journal. */
const setUnreadAside = (file: string): Dropped | null => {
  if (!existsSync(restoreFileOf(file))) return null
  const dropped = `${restoreFileOf(file)}.unreadable`
  renameSync(restoreFileOf(file), dropped)
  rmSync(newOf(file), { force: true })
  return { dropped }
}

/** Copies a backup beside the journal, without its sessions. If that fails, for example on a full disk, the request is dropped. */
const copied = (backup: string, file: string): boolean => {
  try {
    // A rollback journal left by a crash would be applied to this copy.
    rmSync(`${newOf(file)}-journal`, { force: true })
    copyFileSync(backup, newOf(file))
    // A copy made before an update still has its sessions.
    deleteSessions(newOf(file))
    // It was intact when requested, but the disk may have damaged it since.
    if (!checked(newOf(file))) throw storeFault('damaged-database', 'The backup is not whole')
    syncFile(newOf(file))
    return true
  } catch {
    rmSync(newOf(file), { force: true })
    rmSync(restoreFileOf(file))
    return false
  }
}

/**
 * Fulfills a request before the journal is opened and while no one else can open it: the backup takes the journal's
 * place, and the old one is kept beside it. A crash is resumed at the next start. Returns null without a request; if
 * the backup could not be copied, the journal stays.
 */
export const putBack = (file: string, backupFolder: string, passed: (step: PutBackStep) => void = () => undefined): PutBack | null => {
  const wanted = read(file)
  if (wanted === null) return setUnreadAside(file)
  passed('request-read')
  const aside = path.join(path.dirname(file), `journal-damaged-${momentInName(wanted.at)}.db`)
  if (!wanted.copied) {
    if (!copied(path.join(backupFolder, wanted.backup), file)) return { dropped: wanted.backup }
    write(file, { ...wanted, copied: true })
    passed('backup-copied')
  }
  // If the copy is gone, it is already in place.
  if (existsSync(newOf(file))) {
    for (const part of parts) if (existsSync(file + part)) renameSync(file + part, aside + part)
    passed('journal-aside')
    renameSync(newOf(file), file)
    passed('backup-in-place')
  }
  rmSync(restoreFileOf(file))
  syncNames(file)
  return { aside }
}
