import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool, type PoolClient, type QueryResult } from 'pg'
import type { Log } from '#shared/base/log.ts'
import { type Database, type DatabasePlace, modes, type Owner, type TransactionKind } from './database.ts'
import { AccountDeleted, ownerStatements } from './owner.ts'

const connectTimeoutMs = 5_000
const longestStatementMs = 30_000

/** Connects to a PostgreSQL server at the first call. */
const openServer = ({ url, poolSize }: { readonly url: string; readonly poolSize: number }, log: Log): Database => {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: longestStatementMs,
    idle_in_transaction_session_timeout: longestStatementMs,
    application_name: 'fillbook-cloud',
    keepAlive: true,
  })
  pool.on('error', (error) => log.warn({ error }, 'idle connection to PostgreSQL was lost'))
  // A connection that breaks in use fails its query too; without a listener it would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))

  // Drizzle's own transaction never returns a connection whose BEGIN failed, as each does after a restart of PostgreSQL.
  const borrow = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let healthy = false
    try {
      const result = await work(client)
      healthy = true
      return result
    } catch (error) {
      healthy = await client.query('ROLLBACK').then(() => true, () => false)
      throw error
    } finally {
      client.release(!healthy)
    }
  }
  const within = <T>(begin: (client: PoolClient) => Promise<unknown>, work: (client: PoolClient) => Promise<T>): Promise<T> =>
    borrow(async (client) => {
      await begin(client)
      const result = await work(client)
      await client.query('COMMIT')
      return result
    })

  return {
    transaction: (kind, owner, work) => within((client) => begin(client, kind, owner), (client) => work(drizzle({ client }))),
    ownRow: <Row>(owner: string, query: string) => borrow(async (client) => (await begin(client, 'read', owner, query, 'COMMIT'))[0] as Row | undefined ?? null),
    scripts: (work) =>
      // A migration, and waiting for another instance's, takes as long as it takes.
      within((client) => client.query('BEGIN; SET LOCAL statement_timeout = 0'), (client) =>
        work({
          run: async (script) => void (await client.query(script)),
          rows: async <Row>(query: string, values: readonly unknown[] = []) => (await client.query(query, [...values])).rows as Row[],
        }),
      ),
    ping: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
  }
}

/** Begins a transaction in its owner's name, in one round trip together with `more`; returns the rows of the first statement of `more`. */
const begin = async (client: PoolClient, kind: TransactionKind, owner: Owner, ...more: readonly string[]): Promise<readonly unknown[]> => {
  const statements = [`BEGIN ISOLATION LEVEL ${modes[kind].isolationLevel} ${modes[kind].accessMode}`, ...ownerStatements(owner, kind)]
  // For several statements the driver returns all results, whatever its types say.
  const answers = [await client.query([...statements, ...more].join('; '))].flat() as QueryResult[]
  if (owner !== null && answers[statements.length - 1]?.rowCount !== 0) throw new AccountDeleted('A call in the name of a deleted account')
  return answers[statements.length]?.rows ?? []
}

/** Opens the database; the first call connects to a server. */
export const openDatabase = async (place: DatabasePlace, log: Log): Promise<Database> => {
  if (place.kind === 'server') return openServer(place, log)
  // It is a whole PostgreSQL: do not load it if there is a server.
  const { openEmbedded } = await import('./embedded.ts')
  return openEmbedded(place.folder)
}
