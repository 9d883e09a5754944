import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { migrate } from '#cloud/store/migrate.ts'
import type { Database } from '#cloud/store/database.ts'
import { openDatabase } from '#cloud/store/open-database.ts'
import { runCloud, startCloud } from '../helpers/cloud.ts'
import { asAdministrator, queryRows, sharedPostgres } from '../helpers/postgres.ts'
import type { PostgresServer } from '../helpers/postgres.ts'
import { callerAt } from './caller.ts'
import { pair } from './samples.ts'

const migrations = fileURLToPath(new URL('../../migrations/postgres', import.meta.url))
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const patience = { timeout: 60_000, interval: 20 }

let server: PostgresServer
let known: number
beforeAll(async () => {
  server = await sharedPostgres()
  known = (await readdir(migrations)).length
})
afterAll(() => server.stop())

/** The migrations of a version to come: those of this one, and one more. */
const laterVersion = async (sql: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(migrations, folder, { recursive: true })
  await writeFile(join(folder, `${String(known + 1).padStart(4, '0')}-later.sql`), sql)
  return folder
}
const open = async (url: string): Promise<Database> => {
  const database = await openDatabase({ kind: 'server', url, poolSize: 2 }, silent)
  onTestFinished(() => database.close())
  return database
}
const added = 'ALTER TABLE records ADD COLUMN color text;'

test('every migration states with which older one it is compatible, and one that does not is refused', async () => {
  for (const [index, name] of (await readdir(migrations)).sort().entries()) {
    const beside = Number(/^-- beside: (\d+)\n/.exec(await readFile(join(migrations, name), 'utf8'))?.[1])
    expect(beside, name).toBeGreaterThanOrEqual(1)
    expect(beside, name).toBeLessThanOrEqual(index + 1)
  }
  const database = await open(await server.newDatabase())
  for (const first of ['', '-- beside: soon\n', `-- beside: ${String(known + 2)}\n`, '-- beside: 0\n']) {
    await expect(migrate(database, await laterVersion(`${first}${added}`))).rejects.toThrow(/does not begin with '-- beside: N'/)
  }
})

test('an instance keeps serving while a newer one migrates the tables, and both serve afterwards; another old one can start beside them', { tags: ['long', 'nightly'] }, async () => {
  const databaseUrl = await server.newDatabase()
  const old = await startCloud({ databaseUrl })
  try {
    const [ann, bob] = [await old.tokenOf('ann@fillbook.test'), await old.tokenOf('bob@fillbook.test')]
    const first = await callerAt(old.url, ann).push(null, 0, [pair('one')])
    if (first.outcome !== 'taken') throw new Error(first.outcome)
    // Somebody is in the midst of a long transaction on the table that is to change.
    const holding = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
    await holding.connect()
    await holding.query('BEGIN; SELECT * FROM records FOR SHARE')
    const migrating = migrate(await open(databaseUrl), await laterVersion(`-- beside: ${String(known)}\n${added}`))
    await vi.waitUntil(async () => (await queryRows(databaseUrl, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ADD COLUMN%'")).length === 1, patience)
    // Whoever comes meanwhile waits no longer than the migration gives way.
    const from = performance.now()
    expect(await callerAt(old.url, bob).push(null, 0, [pair('two')])).toMatchObject({ outcome: 'taken', head: 1 })
    expect(performance.now() - from).toBeLessThan(20_000)
    await holding.query('ROLLBACK')
    await holding.end()
    expect(await migrating).toBe(1)

    const beside = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_JWKS_URL: `${old.url}/.well-known/jwks.json` } })
    try {
      expect(await callerAt(beside.url, ann).push(first.journal, first.head, [pair('three')])).toMatchObject({ outcome: 'taken', head: 2 })
      expect(await callerAt(old.url, ann).state()).toMatchObject({ head: 2, rows: { pair: 2 } })
    } finally {
      expect(await beside.stop()).toBe(0)
    }
    expect(await queryRows(databaseUrl, 'SELECT version, beside FROM schema_migrations ORDER BY version DESC LIMIT 1')).toEqual([{ version: known + 1, beside: known }])
  } finally {
    await old.stop()
  }
})

test('an older version does not start if a newer migration is incompatible with it', async () => {
  const databaseUrl = await server.newDatabase()
  expect(await migrate(await open(databaseUrl), await laterVersion(`-- beside: ${String(known + 1)}\n${added}`))).toBe(known + 1)
  const before = await queryRows(databaseUrl, 'SELECT * FROM schema_migrations ORDER BY version')
  const { ended, stderr } = runCloud({ mode: 'development', databaseUrl })
  expect([await ended, stderr()]).toEqual([1, expect.stringContaining('A newer version has changed it')])
  expect(await queryRows(databaseUrl, 'SELECT * FROM schema_migrations ORDER BY version')).toEqual(before)
})

test('a table that stays locked is left unchanged, and the start says so', { tags: ['long', 'nightly'] }, async () => {
  const databaseUrl = await server.newDatabase()
  const database = await open(databaseUrl)
  await migrate(database, migrations)
  const holding = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
  await holding.connect()
  await holding.query('BEGIN; LOCK TABLE records IN SHARE MODE')
  await expect(migrate(database, await laterVersion(`-- beside: ${String(known)}\nALTER TABLE pictures ADD COLUMN color text;\n${added}`), 1)).rejects.toMatchObject({ problem: { name: 'database', remedy: expect.stringContaining('pg_stat_activity') as string } })
  await holding.end()
  expect(await queryRows(databaseUrl, "SELECT 1 FROM information_schema.columns WHERE column_name = 'color'")).toEqual([])
  expect(await queryRows(databaseUrl, 'SELECT count(*)::int AS versions FROM schema_migrations')).toEqual([{ versions: known }])
})

test('a database from before side-by-side versions is migrated', async () => {
  const databaseUrl = await server.newDatabase()
  const database = await open(databaseUrl)
  await migrate(database, migrations)
  await queryRows(databaseUrl, 'ALTER TABLE schema_migrations DROP COLUMN beside')
  expect(await migrate(database, migrations)).toBe(0)
  expect(await migrate(database, await laterVersion(`-- beside: ${String(known)}\n${added}`))).toBe(1)
})
