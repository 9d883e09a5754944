import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import type { Log } from '#shared/base/log.ts'
import { modes } from './database.ts'
import type { Database } from './database.ts'

const connectTimeoutMs = 5_000
const longestStatementMs = 30_000

/** Connects to a PostgreSQL server; it is only spoken to with the first call. */
export const openServer = ({ url, poolSize }: { readonly url: string; readonly poolSize: number }, log: Log): Database => {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: longestStatementMs,
    idle_in_transaction_session_timeout: longestStatementMs,
    application_name: 'fillbook-cloud',
    keepAlive: true,
  })
  pool.on('error', (error) => log.warn({ error }, 'an idle connection to PostgreSQL was lost'))
  // A connection that breaks in use fails its query too; without a listener it would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))

  // Drizzle's own transaction never gives a connection back whose BEGIN failed, as each does after a restart of PostgreSQL.
  const within = async <T>(begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let healthy = false
    try {
      await client.query(begin)
      const result = await work(client)
      await client.query('COMMIT')
      healthy = true
      return result
    } catch (error) {
      healthy = await client.query('ROLLBACK').then(() => true, () => false)
      throw error
    } finally {
      client.release(!healthy)
    }
  }

  return {
    transaction: (kind, work) => within(`BEGIN ISOLATION LEVEL ${modes[kind].isolationLevel} ${modes[kind].accessMode}`, (client) => work(drizzle({ client }))),
    scripts: (work) =>
      // A migration takes as long as it takes, and so does waiting for another instance's.
      within('BEGIN; SET LOCAL statement_timeout = 0', (client) =>
        work({
          run: async (script) => void (await client.query(script)),
          rows: async <Row>(query: string, values: readonly unknown[] = []) => (await client.query(query, [...values])).rows as Row[],
        }),
      ),
    ping: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
  }
}
