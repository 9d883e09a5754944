import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { dataDir as emptyCluster } from '@electric-sql/pglite-prepopulatedfs'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { StartFault } from '../start-problem.ts'
import { modes } from './database.ts'
import type { Database, Owner, Sql, TransactionKind } from './database.ts'
import { AccountDeleted, ownerStatements } from './owner.ts'
import { makePrivate } from './private-folder.ts'

// Embedded PostgreSQL only has a superuser, who sees every row: calls switch to this role, which sees those of its user.
const plainRole = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fillbook_calls') THEN CREATE ROLE fillbook_calls NOLOGIN; END IF;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO fillbook_calls;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO fillbook_calls;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO fillbook_calls;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO fillbook_calls;`

/**
 * Opens PostgreSQL in this process, with its files in a folder that is created if missing. It has one connection:
 * transactions run one after another. Throws a `StartFault` if another process has the folder.
 */
export const openEmbedded = async (folder: string): Promise<Database> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const giveBack = takeSoleUse(folder)
  try {
    // The parent folder may be one of the user's, with other things in it. PGlite writes its files readable to others, so the folder itself must be closed.
    const dataDir = join(folder, 'database')
    makePrivate(dataDir)
    // Unpacking an empty cluster takes 3 s, creating one 8.
    const client = await PGlite.create(existsSync(join(dataDir, 'PG_VERSION')) ? { dataDir } : { dataDir, loadDataDir: await emptyCluster() })
    await client.exec(plainRole)
    const database = drizzle({ client })
    return {
      transaction: (kind, owner, work) =>
        database.transaction(async (tx) => {
          await enter(tx, kind, owner)
          return work(tx)
        }, modes[kind]),
      ownRow: <Row>(owner: string, query: string) =>
        database.transaction(async (tx) => {
          await enter(tx, 'read', owner)
          return ((await tx.execute(sql.raw(query))).rows[0] as Row | undefined) ?? null
        }, modes.read),
      scripts: (work) =>
        client.transaction((transaction) =>
          work({
            run: async (script) => void (await transaction.exec(script)),
            rows: async <Row>(query: string, values: readonly unknown[] = []) => (await transaction.query<Row>(query, [...values])).rows,
          }),
        ),
      ping: async () => void (await client.query('SELECT 1')),
      close: async () => {
        await client.close()
        giveBack()
      },
    }
  } catch (error) {
    giveBack()
    throw error
  }
}

const enter = async (tx: Sql, kind: TransactionKind, owner: Owner): Promise<void> => {
  await tx.execute('SET LOCAL ROLE fillbook_calls')
  let found: readonly unknown[] = []
  for (const statement of ownerStatements(owner, kind)) found = ((await tx.execute(sql.raw(statement))) as { readonly rows: readonly unknown[] }).rows
  if (owner !== null && found.length > 0) throw new AccountDeleted('A call in the name of a deleted account')
}

// PostgreSQL's own lock does not work when embedded. This one is the operating system's, and ends with the process, even after a crash.
const takeSoleUse = (folder: string): (() => void) => {
  const lock = new SqliteDatabase(join(folder, 'in-use.db'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    lock.close()
    throw new StartFault({ name: 'FILLBOOK_CLOUD_DATA_DIR', wanted: 'a folder that no other Fillbook Cloud uses', remedy: 'Stop the other one, name another folder, or set DATABASE_URL to let several share a server.' }, { cause: error })
  }
}
