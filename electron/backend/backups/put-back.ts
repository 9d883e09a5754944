import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { momentInName } from '../db/backup-names.ts'
import { checked, withoutVisits } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { syncFile, syncNames } from './sync-disk.ts'

/** What was asked for: a whole backup in the place of a damaged journal, at `at` (UTC ms); `copied` once it lies beside it. */
const wish = z.object({ backup: z.string().regex(/^journal-[\w-]+\.db$/), at: z.int(), copied: z.boolean() })
type Wish = z.infer<typeof wish>

/** Moments of putting a backup in its place, in their order, at which a test may end the program. */
export type PutBackStep = 'wish-read' | 'backup-copied' | 'journal-aside' | 'backup-in-place'

const wishOf = (file: string): string => `${file}.restore.json`
const newOf = (file: string): string => `${file}.restored`
// The log of a journal belongs to it, and to no other file.
const parts = ['-wal', '-shm', ''] as const

const write = (file: string, wanted: Wish): void => {
  const draft = `${wishOf(file)}.tmp`
  writeFileSync(draft, JSON.stringify(wanted), { mode: 0o600 })
  syncFile(draft)
  renameSync(draft, wishOf(file))
  syncNames(file)
}

const read = (file: string): Wish | null => {
  try {
    return wish.parse(JSON.parse(readFileSync(wishOf(file), 'utf8')))
  } catch {
    return null
  }
}

/** Which backup takes the place of this journal at the next start; null where none does, or what was asked for cannot be read. */
export const wantedBack = (file: string): string | null => read(file)?.backup ?? null

/** Damaged journals that lie aside in a data folder. */
export const journalsAside = (dataDir: string): readonly string[] => readdirSync(dataDir).filter((name) => /^journal-damaged-[\w-]+\.db$/.test(name)).map((name) => path.join(dataDir, name))

/** Lets a backup take the place of this journal at the next start; the last one asked for does. */
export const askBack = (file: string, backup: string, at: number): void => {
  write(file, { backup, at, copied: false })
}

/** What was asked for and is not done: the name of a backup, or where a wish lies that cannot be read. */
type Dropped = { readonly dropped: string }

/** What was done: `aside` is where the old journal lies. */
export type PutBack = { readonly aside: string } | Dropped

/** Lets a wish that cannot be read lie aside: the program starts with the journal that is there. */
const dropUnread = (file: string): Dropped | null => {
  if (!existsSync(wishOf(file))) return null
  const dropped = `${wishOf(file)}.unreadable`
  renameSync(wishOf(file), dropped)
  rmSync(newOf(file), { force: true })
  return { dropped }
}

/** Copies a backup beside the journal, without a word of who was signed in; where that cannot be done, as on a full disk, nobody asked for it any more. */
const copied = (backup: string, file: string): boolean => {
  try {
    // What a program that died in the midst of it left there would be played back into this copy.
    rmSync(`${newOf(file)}-journal`, { force: true })
    copyFileSync(backup, newOf(file))
    // A copy that was made before an update has them.
    withoutVisits(newOf(file))
    // It was whole when it was asked for; the disk may have damaged it since.
    if (!checked(newOf(file))) throw storeFault('damaged-database', 'The backup is not whole')
    syncFile(newOf(file))
    return true
  } catch {
    rmSync(newOf(file), { force: true })
    rmSync(wishOf(file))
    return false
  }
}

/**
 * Does what was asked for, before the journal is opened and while nobody else can: the backup takes its place, and what was
 * there is kept beside it. A program that dies in the midst of it goes on at the next start. Gives null where nothing was asked for; where the backup could not be copied the journal stays.
 */
export const putBack = (file: string, backupFolder: string, passed: (step: PutBackStep) => void = () => undefined): PutBack | null => {
  const wanted = read(file)
  if (wanted === null) return dropUnread(file)
  passed('wish-read')
  const aside = path.join(path.dirname(file), `journal-damaged-${momentInName(wanted.at)}.db`)
  if (!wanted.copied) {
    if (!copied(path.join(backupFolder, wanted.backup), file)) return { dropped: wanted.backup }
    write(file, { ...wanted, copied: true })
    passed('backup-copied')
  }
  // If the copy is gone, it is in its place already.
  if (existsSync(newOf(file))) {
    for (const part of parts) if (existsSync(file + part)) renameSync(file + part, aside + part)
    passed('journal-aside')
    renameSync(newOf(file), file)
    passed('backup-in-place')
  }
  rmSync(wishOf(file))
  syncNames(file)
  return { aside }
}
