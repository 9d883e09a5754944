import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { rewriteWhole } from './database.ts'

const vacuumNoteOf = (file: string): string => `${file}.vacuum`

/** Writes a mark beside a file that must be vacuumed: its free pages may contain rows of a user who is about to be deleted. */
export const markVacuumDue = (file: string): void => {
  writeFileSync(vacuumNoteOf(file), '', { mode: 0o600 })
}

/**
 * If noted, rewrites a file without its free pages and empties its WAL. If something prevents it (a full disk, a long
 * read), the note stays and the next start retries: the rows themselves are already deleted.
 */
export const emptyFreePages = (file: string): void => {
  if (!existsSync(vacuumNoteOf(file))) return
  try {
    if (rewriteWhole(file)) rmSync(vacuumNoteOf(file), { force: true })
  } catch {
    // The note stays.
  }
}
