import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { rewriteWhole } from './database.ts'

const debtOf = (file: string): string => `${file}.vacuum`

/** Notes beside a file that its free pages may hold rows of a user who is about to be deleted. */
export const oweFreePages = (file: string): void => {
  writeFileSync(debtOf(file), '', { mode: 0o600 })
}

/**
 * Rewrites a file without its free pages, and empties its log, where that is owed. What keeps it from that (a full disk, a
 * long read) leaves the note, and the next start tries again: the rows themselves are gone already.
 */
export const emptyFreePages = (file: string): void => {
  if (!existsSync(debtOf(file))) return
  try {
    if (rewriteWhole(file)) rmSync(debtOf(file), { force: true })
  } catch {
    // The note stays.
  }
}
