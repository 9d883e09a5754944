import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Database } from 'better-sqlite3'
import { momentInName } from './backup-names.ts'
import { storeFault } from './fault.ts'
import { sqliteFault } from './sqlite-fault.ts'

type Migration = { readonly version: number; readonly name: string; readonly sql: string; readonly checksum: string }
type Applied = { readonly version: number; readonly name: string; readonly checksum: string }

/** The result of a migration: versions before and after (0 is an empty file), and the path of the copy made before it. */
export type Migrated = { readonly from: number; readonly to: number; readonly backup: string | null }

const readMigrations = (folder: string): readonly Migration[] => {
  const names = readdirSync(folder).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort()
  return names.map((name, index) => {
    if (Number(name.slice(0, 4)) !== index + 1) throw storeFault('internal', `Migrations are not numbered without a gap: ${name}`)
    const sql = readFileSync(path.join(folder, name), 'utf8')
    return { version: index + 1, name, sql, checksum: createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex') }
  })
}

const versionOf = (database: Database): number => database.pragma('user_version', { simple: true }) as number

const checkPast = (database: Database, migrations: readonly Migration[]): void => {
  const applied = database.prepare<[], Applied>('SELECT version, name, checksum FROM schema_migrations ORDER BY version').all()
  for (const { version, name, checksum } of applied) {
    if (migrations[version - 1]?.checksum !== checksum) throw storeFault('migration-changed', `Migration ${name} is not the one that made this journal`)
  }
}

const freeName = (folder: string, stem: string): string => {
  for (let count = 1; ; count += 1) {
    const file = path.join(folder, count === 1 ? `${stem}.db` : `${stem}-${String(count)}.db`)
    if (!existsSync(file)) return file
  }
}

const backUp = (database: Database, folder: string, from: number, to: number): string => {
  if (database.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw storeFault('damaged-database', 'The journal fails its check: it is left as it is')
  mkdirSync(folder, { recursive: true })
  const stem = `${path.parse(database.name).name}-v${String(from)}-before-v${String(to)}`
  // An unfinished copy never has the name of a complete one.
  const part = path.join(folder, `${stem}.db.part`)
  rmSync(part, { force: true })
  database.prepare('VACUUM INTO ?').run(part)
  const file = freeName(folder, `${stem}-${momentInName(statSync(part).mtimeMs)}`)
  renameSync(part, file)
  return file
}

const apply = (database: Database, { version, name, sql, checksum }: Migration): void => {
  database.exec(sql)
  if (database.prepare('PRAGMA foreign_key_check').all().length > 0) throw storeFault('internal', `Migration ${name} breaks references`)
  database.prepare('INSERT INTO schema_migrations (version, name, checksum) VALUES (?, ?, ?)').run(version, name, checksum)
  database.pragma(`user_version = ${String(version)}`)
}

const applyMissing = (database: Database, migrations: readonly Migration[], backupFolder: string | null): Migrated => {
  const from = versionOf(database)
  const to = migrations.length
  if (from > to) throw storeFault('newer-database', `The journal has version ${String(from)}, this program knows versions up to ${String(to)}`)
  if (from > 0) checkPast(database, migrations)
  if (from === to) return { from, to, backup: null }
  const backup = from === 0 || backupFolder === null ? null : backUp(database, backupFolder, from, to)
  database.exec('CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT')
  for (const migration of migrations.slice(from)) database.transaction(apply).immediate(database, migration)
  return { from, to, backup }
}

/**
 * Brings a database to the newest version, each migration in a transaction of its own, after copying an existing one
 * beside it (into no folder: without a copy). Throws `newer-database`, `migration-changed` or `damaged-database` and then leaves everything as it was.
 */
export const migrate = (database: Database, migrationsFolder: string, backupFolder: string | null): Migrated => {
  try {
    // A migration that rebuilds a table would violate its own references; they are checked before its commit.
    database.pragma('foreign_keys = OFF')
    return applyMissing(database, readMigrations(migrationsFolder), backupFolder)
  } catch (error) {
    throw sqliteFault(error)
  } finally {
    database.pragma('foreign_keys = ON')
  }
}
