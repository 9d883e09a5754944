import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { openReader, type Reader } from '#backend/db/database.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { makeLargeJournal } from '../helpers/large-journal.ts'
import { scale } from './row.ts'

/** Whose the journals are. */
export const benchUser = 'bench'

const made = 11_500 * scale
const migrationsFolder = fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url))
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Journals of about 10,000, 100,000 and 1,000,000 trades in view, with all that their users' calls left in them: the smallest is made by
 * these calls, the others hold its fill pairs, trades and what was said of them ten and a hundred times over, each a few seconds later than the one before.
 */
export const openLargeJournals = async (folder: string): Promise<readonly [Reader, Reader, Reader]> => {
  const small = await makeSmall(join(folder, 'small'))
  const [medium, large] = [await multiplied(small, join(folder, 'medium'), 10), await multiplied(small, join(folder, 'large'), 100)]
  return [openReader(small), openReader(medium), openReader(large)]
}

/** Makes a journal of about 10,000 trades in a folder, by the calls of its user; gives its file. */
export const makeSmall = async (folder: string): Promise<string> => {
  const file = join(folder, 'journal.db')
  const journal = await openJournal({ file, migrationsFolder, backupFolder: join(folder, 'backups'), log: quiet })
  await journal.write.createProfile({ id: benchUser, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: Date.now() })
  await journal.close()
  await makeLargeJournal({ file, picturesFolder: join(folder, 'pictures'), userId: benchUser }, made)
  return file
}

type Index = { readonly name: string; readonly sql: string }

/** What a row of the copy numbered `@copy` has in other words than the first. */
const changed: Readonly<Record<string, string>> = {
  ref: 'NULL',
  id: "id || '~' || @copy",
  trade_id: "trade_id || '~' || @copy",
  pair_id: "pair_id || '~' || @copy",
  entry_time: 'entry_time + 7013 * @copy',
  exit_time: 'exit_time + 7013 * @copy',
}

/** Makes a journal in `folder` that holds the trades of another so many times over, each a few seconds later than the one before; gives its file. */
export const multiplied = async (from: string, folder: string, times: number): Promise<string> => {
  await mkdir(folder)
  const file = join(folder, 'journal.db')
  await copyFile(from, file)
  const database = new Sqlite(file)
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -1000000']) database.pragma(pragma)
  database.transaction(() => {
    const tables = ['fill_pairs', 'trades', 'pair_edits', 'shown_notes']
    // Many rows are indexed faster at once than one by one.
    const indices = database.prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (${tables.map(() => '?').join(', ')})`).all(...tables) as Index[]
    for (const { name } of indices) database.exec(`DROP INDEX ${name}`)
    for (const table of tables) {
      const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
      database.exec(`CREATE TEMP TABLE first_${table} AS SELECT * FROM ${table}`)
      const copy = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((column) => changed[column] ?? column).join(', ')} FROM first_${table} WHERE @copy > 0`)
      for (let number = 1; number < times; number += 1) copy.run({ copy: number })
    }
    for (const { sql } of indices) database.exec(sql)
  })()
  database.pragma('journal_mode = WAL')
  database.close()
  return file
}
