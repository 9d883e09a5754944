import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'

const migrationsFolder = new URL('../../migrations/sqlite/', import.meta.url).pathname

let migrated: Buffer | null = null

/** A journal as the migrations leave it, made once for all tests of a process. */
export const emptyJournal = (): Buffer => (migrated ??= makeJournal())

const makeJournal = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-store-'))
  const file = join(folder, 'journal.db')
  const database = openDatabase(file)
  migrate(database, migrationsFolder, join(folder, 'backups'))
  database.close()
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true, force: true })
  return bytes
}
