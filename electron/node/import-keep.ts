import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sayProblems } from '#backend/host.ts'
import { keepImports } from '#backend/keep-imports.ts'
import { readSettings } from '#backend/settings.ts'
import { keepRefusals, keptText } from './import-words.ts'
import { leave } from './leave.ts'

const migrations = join(fileURLToPath(new URL('../..', import.meta.url)), 'migrations', 'sqlite')

/** What is to be kept, and where. */
export type Keeping = { readonly dataDir: string; readonly paths: readonly string[]; readonly zone: string; readonly account: string | null }

/**
 * Imports files into the journal of a data folder and says in one line what came of it; null where none of them could
 * be read. A folder that cannot take them ends the process: 2 for what its user must choose otherwise, 1 for the rest.
 */
export const keepFiles = async ({ dataDir, paths, zone, account }: Keeping): Promise<string | null> => {
  const settings = readSettings({ env: process.env, dataDir })
  if (!settings.ok) return leave(2, sayProblems(settings.error, keepRefusals.nothing))
  const files = paths.map((path) => ({ name: path, open: () => createReadStream(path) }))
  const kept = await keepImports({ settings: settings.value, migrations, now: () => Date.now(), files, zone, account })
  if (kept.ok) return keptText(resolve(dataDir), kept.value.settled)
  switch (kept.error.code) {
    case 'folder': return leave(1, sayProblems(kept.error.problems, keepRefusals.nothing))
    case 'all-refused': return null
    default: return leave(2, keepRefusals[kept.error.code](resolve(dataDir)))
  }
}
