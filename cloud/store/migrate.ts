import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartFault } from '../start-problem.ts'
import type { Database, Scripts } from './database.ts'

type Migration = {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** From which migration on an older service may run, and start, beside this one. */
  readonly beside: number
}
type Applied = { readonly version: number; readonly name: string; readonly checksum: string; readonly beside: number | null }

// Any number that no one else uses; the letters of the name.
const lockKey = 0x66_69_6c_6c
// A change of a table blocks every call on that table: it gives up soon, and retries.
const lockTimeoutMs = 500
const pauseMs = 500
const standardPatienceMs = 300_000

const readMigrations = (folder: string): readonly Migration[] => {
  const names = readdirSync(folder).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort()
  return names.map((name, index) => {
    if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`Migrations are not numbered without a gap: ${name}`)
    const [, beside, sql] = /^-- beside: (\d+)\n(.*)$/s.exec(readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')) ?? []
    if (beside === undefined || sql === undefined || Number(beside) < 1 || Number(beside) > index + 1) throw new Error(`Migration ${name} does not begin with '-- beside: N', N from 1 to its own number`)
    return { version: index + 1, name, sql, checksum: createHash('sha256').update(sql).digest('hex'), beside: Number(beside) }
  })
}

const checkPast = (applied: readonly Applied[], migrations: readonly Migration[]): void => {
  const unheardOf = applied.filter(({ version }) => version > migrations.length)
  if (unheardOf.some(({ beside }) => beside === null || beside > migrations.length)) throw new StartFault({ name: 'database', wanted: 'one that this version of Fillbook Cloud knows', remedy: 'A newer version has changed it: start that one.' })
  for (const { version, name, checksum } of applied.slice(0, migrations.length)) {
    if (migrations[version - 1]?.checksum !== checksum) throw new StartFault({ name: 'database', wanted: 'made by a released version of Fillbook Cloud', remedy: `Migration ${name} is not the one that made it: start the version that did.` })
  }
}

const applyMissing = async (scripts: Scripts, migrations: readonly Migration[]): Promise<number> => {
  // Instances that start at once wait for each other; the lock ends with the transaction.
  await scripts.rows('SELECT pg_advisory_xact_lock($1)', [lockKey])
  await scripts.run('CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL)')
  await scripts.run('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS beside integer')
  const applied = await scripts.rows<Applied>('SELECT version, name, checksum, beside FROM schema_migrations ORDER BY version')
  checkPast(applied, migrations)
  const missing = migrations.slice(applied.length)
  await scripts.run(`SET LOCAL lock_timeout = ${String(lockTimeoutMs)}`)
  for (const { version, name, sql, checksum, beside } of missing) {
    await scripts.run(sql)
    await scripts.rows('INSERT INTO schema_migrations (version, name, checksum, beside) VALUES ($1, $2, $3, $4)', [version, name, checksum, beside])
  }
  return missing.length
}

const isLockWait = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')

/**
 * Migrates the database to the newest version, all missing migrations or none, and returns their number. Other
 * instances continue meanwhile: waits for their locks for `patienceMs`, without blocking them in turn. Throws a
 * `StartFault` and changes nothing if the database is newer than the service and does not allow it, was made by other
 * migrations, or was never free.
 */
export const migrate = async (database: Database, folder: string, patienceMs = standardPatienceMs): Promise<number> => {
  const migrations = readMigrations(folder)
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await database.scripts((scripts) => applyMissing(scripts, migrations))
    } catch (error) {
      if (!isLockWait(error)) throw error
      if (performance.now() > deadline) throw new StartFault({ name: 'database', wanted: 'free for a moment, so that its tables can be changed', remedy: 'Something uses it without a pause: see pg_stat_activity for what runs long.' }, { cause: error })
      await pause(pauseMs)
    }
  }
}
