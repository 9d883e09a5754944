import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { startCloud } from '../helpers/cloud.ts'
import { emptyDatabase } from '../helpers/cloud-dump.ts'
import { asAdministrator, sharedPostgres } from '../helpers/postgres.ts'
import { account, migrationsFolder, monday, user } from '../helpers/store.ts'

/** A cloud in a process of its own over a real PostgreSQL, on which walks go one after another. */
export const openGround = async () => {
  const postgres = await sharedPostgres()
  const databaseUrl = await postgres.newDatabase()
  const cloud = await startCloud({ databaseUrl })
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-history-'))
  const journal = (accounts: boolean): Uint8Array => {
    const file = join(folder, 'empty.db')
    rmSync(file, { force: true })
    const database = openDatabase(file)
    migrate(database, migrationsFolder, join(folder, 'backups'))
    const write = writesOf({ writer: writerOf(database), barrier: () => undefined })
    write.createProfile({ id: user.userId, email: 'a@example.org', displayName: 'A', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: monday })
    if (accounts) {
      write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
      write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
    }
    database.close()
    return readFileSync(file)
  }
  const dropDumps = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
    await client.connect()
    const { rows } = await client.query<{ name: string }>("SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'dump\\_%'")
    for (const { name } of rows) await client.query(`DROP SCHEMA ${name} CASCADE`)
    await client.end()
  }
  return {
    databaseUrl, folder,
    cloudUrl: cloud.url,
    journals: { empty: journal(false), connected: journal(true) },
    clear: async () => {
      await emptyDatabase(databaseUrl)
      await dropDumps()
    },
    close: async () => {
      await cloud.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
/** It, open. */
export type Ground = Awaited<ReturnType<typeof openGround>>
