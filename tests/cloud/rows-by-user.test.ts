/** @module-tag long */

import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, DatabasePlace, Owner, Sql, TransactionKind } from '#cloud/store/database.ts'
import { migrate } from '#cloud/store/migrate.ts'
import { openDatabase } from '#cloud/store/open-database.ts'
import { openJournals } from '#cloud/store/journals.ts'
import { openPictures } from '#cloud/store/pictures.ts'
import { journals, pictures, records, subscriptions } from '#cloud/store/schema.ts'
import { openSubscriptions } from '#cloud/store/subscriptions.ts'
import { runCloud, startCloud } from '../helpers/cloud.ts'
import { asAdministrator, queryRows, sharedPostgres } from '../helpers/postgres.ts'
import type { PostgresServer } from '../helpers/postgres.ts'
import { anyAmount, pair, png } from './samples.ts'

const migrations = fileURLToPath(new URL('../../migrations/postgres', import.meta.url))
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
// A subject is any printable ASCII: these would end a text, or a comment, or a statement.
const awkward = ["o'hara", "'; DROP TABLE journals; --", 'back\\slash', "\\'; SELECT 1; --", '$user$', 'a"b', '%', '/* */', ' ', 'null']
const users = ['ann', 'bob', ...awkward]

let server: PostgresServer
let folder: string
let umask: number
beforeAll(async () => {
  server = await sharedPostgres()
  folder = await mkdtemp(join(tmpdir(), 'fillbook-rows-'))
  await chmod(folder, 0o755)
  umask = process.umask(0o022)
})
afterAll(async () => {
  process.umask(umask)
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const places: Record<'a PostgreSQL server' | 'the embedded database', () => Promise<DatabasePlace>> = {
  'a PostgreSQL server': async () => ({ kind: 'server', url: await server.newDatabase(), poolSize: 1 }),
  'the embedded database': () => Promise.resolve({ kind: 'embedded', folder }),
}

describe.each(Object.entries(places))('on %s', (name, place) => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase(await place(), silent)
    await migrate(database, migrations)
    for (const user of users) {
      const { name, bytes } = png(user)
      await openJournals(database, anyAmount).push(user, { journal: null, after: 0, records: [pair(`of ${user}`)] })
      await openPictures(database, anyAmount).put(user, { name, type: 'image/png', bytes })
      await openSubscriptions(database).create(user, { userId: user, status: 'active' })
    }
  })
  afterAll(() => database.close())

  test.skipIf(name !== 'the embedded database' || process.platform === 'win32')('its files lie behind a folder that its owner alone may enter', async () => {
    // PostgreSQL gives its own files their modes: the folder around them is what holds.
    expect(((await stat(join(folder, 'database'))).mode & 0o777).toString(8)).toBe('700')
  })

  const within = <T>(owner: Owner, kind: TransactionKind, work: (tx: Sql) => Promise<T>) => database.transaction(kind, owner, work)
  const everything = async (tx: Sql) => {
    const found: string[][] = []
    for (const table of [journals, records, pictures, subscriptions]) found.push((await tx.select({ userId: table.userId }).from(table)).map(({ userId }) => userId))
    return found
  }

  test.each(users)('a query without a user filter finds only the rows of %j', async (user) => {
    for (const kind of ['read', 'write'] as const) expect(await within(user, kind, everything)).toEqual([[user], [user], [user], [user]])
  })

  test("a single-row query returns its owner's row, or null; a failed query leaves the connection usable", async () => {
    for (const user of users) expect(await database.ownRow(user, 'SELECT user_id, current_user_id() AS name FROM journals')).toEqual({ user_id: user, name: user })
    expect(await database.ownRow('nobody', 'SELECT user_id FROM journals')).toBeNull()
    await expect(database.ownRow('ann', 'SELECT 1 / 0')).rejects.toThrow()
    expect(await openJournals(database, anyAmount).head('ann')).toMatchObject({ head: 1 })
    expect(await openSubscriptions(database).get('nobody')).toBeNull()
  })

  test('without a user there are no rows, even after a call with one', async () => {
    for (const kind of ['read', 'write'] as const) {
      await within('ann', kind, everything)
      expect(await within(null, kind, everything)).toEqual([[], [], [], []])
    }
  })

  test("a change without a user filter changes no other user's rows, and no user writes for another", async () => {
    const before = await Promise.all(users.map((user) => within(user, 'read', (tx) => tx.select().from(records))))
    await within('mallory', 'write', async (tx) => {
      await tx.update(records).set({ seq: 99 })
      await tx.update(subscriptions).set({ content: { status: 'mine' } })
      for (const table of [journals, records, pictures, subscriptions]) await tx.delete(table)
    })
    for (const owner of ['mallory', null]) {
      await expect(within(owner, 'write', (tx) => tx.insert(subscriptions).values({ userId: 'ann-to-be', content: {} }))).rejects.toMatchObject({ cause: { code: '42501' } })
      await expect(within(owner, 'write', (tx) => tx.insert(subscriptions).values({ userId: 'ann', content: {} }).onConflictDoUpdate({ target: subscriptions.userId, set: { content: {} } }))).rejects.toMatchObject({ cause: { code: '42501' } })
    }
    await expect(within('bob', 'write', (tx) => tx.update(journals).set({ userId: 'ann-to-be' }))).rejects.toMatchObject({ cause: { code: '42501' } })
    expect(await Promise.all(users.map((user) => within(user, 'read', (tx) => tx.select().from(records))))).toEqual(before)
    expect(await Promise.all(users.map((user) => within(user, 'read', everything)))).toEqual(users.map((user) => [[user], [user], [user], [user]]))
  })

  test("every table with users has a row policy, for the table's owner too", async () => {
    const tables = await database.scripts(({ rows }) =>
      rows<{ name: string; held: boolean }>(`SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) AS held
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE a.attname = 'user_id' AND c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`),
    )
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['deleted_accounts', 'journals', 'records', 'pictures', 'subscriptions', 'payers', 'copier_leases']))
    expect(tables.filter(({ held }) => !held)).toEqual([])
  })

  test('the user is set for one transaction only, however that ends', async () => {
    await expect(within('ann', 'write', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await within(null, 'read', async (tx) => (await tx.execute(sql`SELECT nullif(current_setting('fillbook.user_id', true), '') AS user`)) as unknown as { rows: unknown[] })).toMatchObject({ rows: [{ user: null }] })
  })
})

test('a role that bypasses the policies is refused in production, and reported in development', { tags: 'long' }, async () => {
  const plain = await server.newDatabase()
  await queryRows(plain, "CREATE ROLE bypassing LOGIN PASSWORD 'password' BYPASSRLS")
  const bypassing = new URL(plain)
  bypassing.username = 'bypassing'
  await queryRows(plain, 'GRANT ALL ON SCHEMA public TO bypassing')
  for (const databaseUrl of [bypassing.href, asAdministrator(plain)]) {
    const { ended, stderr } = runCloud({ mode: 'production', databaseUrl, env: { FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: 'fillbook-test' } })
    expect([await ended, stderr()]).toEqual([1, expect.stringMatching(/\n {2}DATABASE_URL\n {4}must be of a role that row-level security holds.+\n {4}.*CREATE ROLE/)])
  }
  const tolerant = await startCloud({ databaseUrl: asAdministrator(await server.newDatabase()) })
  expect(await tolerant.stop()).toBe(0)
  expect(tolerant.stderr().match(/bypasses row-level security/g)).toHaveLength(1)
})
