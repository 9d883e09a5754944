import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sayProblems } from '#backend/start-problem.ts'
import { keepImports } from '#backend/imports/keep-imports.ts'
import { readSettings } from '#backend/settings.ts'
import type { FormatHints } from '#shared/imports/file-format.ts'
import type { ImportFormat } from '#shared/imports/mapped-format.ts'
import { keepRefusals, keptText, refusals } from './import-words.ts'
import { readHashed } from './read-hashed.ts'

const migrations = join(fileURLToPath(new URL('../..', import.meta.url)), 'migrations', 'sqlite')

/** What to keep, and where; `digest` is that of the file when the report read it. */
export type Keeping = { readonly dataDir: string; readonly files: readonly { readonly path: string; readonly digest: string | null; readonly account: string | null; readonly dates: FormatHints['dates'] }[]; readonly zone: string; readonly formats?: readonly ImportFormat[] }

/** The result of keeping files: one line to print, or the exit code and line for a folder that cannot take them. */
export type Kept = { readonly line: string } | { readonly exitCode: 1 | 2; readonly refusal: string }

/** Imports files into the journal of a data folder; a refusal has exit code 2 if the user must choose something else, otherwise 1. */
export const keepFiles = async ({ dataDir, files: given, zone, formats = [] }: Keeping): Promise<Kept> => {
  const settings = readSettings({ env: process.env, dataDir })
  if (!settings.ok) return { exitCode: 2, refusal: sayProblems(settings.error, keepRefusals.nothing) }
  const changed = new AbortController()
  const files = given.map(({ path, digest, account, dates }) => ({ name: path, account, dates, formats, open: () => readHashed(path, (now) => {
    if (now === null || now !== digest) changed.abort()
  }) }))
  const kept = await keepImports({ settings: settings.value, migrations, now: () => Date.now(), files, zone, account: null, changed: changed.signal })
  if (kept.ok) return { line: keptText(resolve(dataDir), kept.value.settled) }
  switch (kept.error.code) {
    case 'folder': return { exitCode: 1, refusal: sayProblems(kept.error.problems, keepRefusals.nothing) }
    case 'changed': return { exitCode: 1, refusal: `${keepRefusals.nothing} ${keepRefusals.changed}` }
    case 'account-needed': return { exitCode: 2, refusal: `${keepRefusals.nothing} ${refusals.whose(kept.error.files)}` }
    default: return { exitCode: 2, refusal: keepRefusals[kept.error.code](resolve(dataDir)) }
  }
}
