import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartFault } from '../start-problem.ts'
import type { Database, Scripts } from './database.ts'

type Migration = { readonly version: number; readonly name: string; readonly sql: string; readonly checksum: string }
type Applied = { readonly version: number; readonly name: string; readonly checksum: string }

// Any number will do that nobody else takes; the letters of the name.
const lockKey = 0x66_69_6c_6c

const readMigrations = (folder: string): readonly Migration[] => {
  const names = readdirSync(folder).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort()
  return names.map((name, index) => {
    if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`Migrations are not numbered without a gap: ${name}`)
    const sql = readFileSync(join(folder, name), 'utf8')
    return { version: index + 1, name, sql, checksum: createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex') }
  })
}

const checkPast = (applied: readonly Applied[], migrations: readonly Migration[]): void => {
  if (applied.length > migrations.length) throw new StartFault({ name: 'database', wanted: 'one that this version of Fillbook Cloud knows', remedy: 'A newer version has changed it: start that one.' })
  for (const { version, name, checksum } of applied) {
    if (migrations[version - 1]?.checksum !== checksum) throw new StartFault({ name: 'database', wanted: 'made by a released version of Fillbook Cloud', remedy: `Migration ${name} is not the one that made it: start the version that did.` })
  }
}

const bringUp = async (scripts: Scripts, migrations: readonly Migration[]): Promise<number> => {
  // Instances that start at once follow each other; the lock goes with the transaction.
  await scripts.rows('SELECT pg_advisory_xact_lock($1)', [lockKey])
  await scripts.run('CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL)')
  const applied = await scripts.rows<Applied>('SELECT version, name, checksum FROM schema_migrations ORDER BY version')
  checkPast(applied, migrations)
  const missing = migrations.slice(applied.length)
  for (const { version, name, sql, checksum } of missing) {
    await scripts.run(sql)
    await scripts.rows('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [version, name, checksum])
  }
  return missing.length
}

/** Brings the database to the newest version, all missing migrations or none, and gives how many there were. Throws a `StartFault` where the database is newer than the service or was made by other migrations, and leaves it as it was. */
export const migrate = (database: Database, folder: string): Promise<number> => database.scripts((scripts) => bringUp(scripts, readMigrations(folder)))
