import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { Settings } from '../settings.ts'
import type { StartProblem } from '../start-problem.ts'
import { openLog } from '../log.ts'
import { createImports, type ImportFile, type Imported, type ImportOptions } from './imports.ts'
import { startProblemOf } from '../start-fault.ts'
import type { Journal } from '../journal/journal.ts'
import { openJournal } from '../journal/open-journal.ts'

/** Files to keep in the journal of a data folder; `now` is UTC ms. */
export type HeadlessImport = ImportOptions & {
  readonly settings: Settings
  readonly migrations: string
  readonly now: () => number
  readonly files: readonly ImportFile[]
  /** Aborted if a file changed since the user saw its preview. */
  readonly changed: AbortSignal
}

/** Why nothing was kept: the folder cannot be written to, it has several profiles, a file changed, or nobody knows whose the trades of some are. */
export type HeadlessProblem =
  | { readonly code: 'folder'; readonly problems: readonly StartProblem[] }
  | { readonly code: 'several-profiles' }
  | { readonly code: 'account-needed'; readonly files: readonly string[] }
  | { readonly code: 'changed' }

/**
 * Imports files into the journal of the one profile of a data folder, with nothing else of the program running. Where there
 * is none yet, one is made that the first user to sign up takes over. What its user can mend comes back as a problem; a bug throws.
 */
export const importHeadless = async ({ settings, migrations, now, files, changed, ...options }: HeadlessImport): Promise<Result<Imported, HeadlessProblem>> => {
  const { dataDir } = settings
  process.umask(0o077)
  const closing: (() => Promise<unknown>)[] = []
  try {
    const { log, close } = await openLog(join(dataDir, 'logs'), settings.logLevel)
    closing.push(close)
    const journal = await openJournal({ file: join(dataDir, 'journal.db'), migrationsFolder: migrations, backupFolder: join(dataDir, 'backups'), log })
    closing.push(journal.close)
    const [known, ...others] = await journal.read.realProfiles()
    if (others.length > 0) return err({ code: 'several-profiles' })
    const userId = known ?? (await makeProfile(journal, settings.timeZone, now()))
    const imports = createImports({ journal, now })
    const imported = await imports.add(userId, files, options, { signal: changed })
    if (imported.ok) return ok(imported.value)
    return err({ code: 'account-needed', files: imported.error.open.flatMap((place) => files[place]?.name ?? []) })
  } catch (error) {
    if (changed.aborted) return err({ code: 'changed' })
    const problem = startProblemOf(error, settings)
    if (problem === null) throw error
    return err({ code: 'folder', problems: [problem] })
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

const makeProfile = async ({ write }: Journal, timeZone: string, createdAt: number): Promise<string> => {
  const id = randomUUID()
  await write.createProfile({ id, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone, createdAt })
  return id
}
