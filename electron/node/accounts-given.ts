import { basename } from 'node:path'
import { err, ok, type Result } from '#shared/base/result.ts'

/** Whose the rows of a file are that name no account, as the command's user gave it; null where nobody did. */
export type AccountsGiven = { readonly of: (path: string) => string | null; /** As `FILE=NAME`, for this file alone. */ readonly ofAlone: (path: string) => string | null }

/**
 * Reads `NAME`, for all files, and `FILE=NAME`, for one of them by its path, or by its name where no other has it. The
 * error is the file that is not among them, or empty where a name is missing or all files are given two.
 */
export const accountsGiven = (given: readonly string[], paths: readonly string[]): Result<AccountsGiven, string> => {
  const byPath = new Map<string, string>()
  let all: string | null = null
  for (const text of given) {
    const end = text.lastIndexOf('=')
    const name = text.slice(end + 1).trim()
    if (name === '' || (end < 0 && all !== null)) return err('')
    if (end < 0) {
      all = name
      continue
    }
    const file = text.slice(0, end)
    const named = paths.filter((path) => path === file)
    const found = named.length > 0 ? named : paths.filter((path) => basename(path) === file)
    if (new Set(found).size !== 1) return err(file)
    for (const path of found) byPath.set(path, name)
  }
  return ok({ of: (path) => byPath.get(path) ?? all, ofAlone: (path) => byPath.get(path) ?? null })
}
