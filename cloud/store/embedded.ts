import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import SqliteDatabase from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/pglite'
import { StartFault } from '../start-problem.ts'
import { modes } from './database.ts'
import type { Database } from './database.ts'

/** Opens PostgreSQL in this process, with its files in a folder that is made where it is missing. It has one connection: transactions follow each other. Throws a `StartFault` where another process has the folder. */
export const openEmbedded = async (folder: string): Promise<Database> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const giveBack = takeSoleUse(folder)
  try {
    const client = await PGlite.create(join(folder, 'database'))
    const database = drizzle({ client })
    return {
      transaction: (kind, work) => database.transaction(work, modes[kind]),
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

// PostgreSQL's own lock does not hold where it is embedded. This one is the operating system's, and goes with the process however that ends.
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
