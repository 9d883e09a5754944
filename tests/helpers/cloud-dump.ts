import pg from 'pg'
import { asAdministrator } from './postgres.ts'

/** A moment of a cloud's database as an operator keeps it. */
export type CloudDump = { readonly putBack: () => Promise<void> }

let dumps = 0

const within = async <T>(databaseUrl: string, work: (client: pg.Client, tables: readonly string[]) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
  await client.connect()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY tablename")
    const result = await work(client, rows.map(({ name }) => name))
    await client.query('COMMIT')
    return result
  } finally {
    await client.end()
  }
}

// What is put back comes as it was written, without what triggers would make of it.
const empty = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  await client.query('SET LOCAL session_replication_role = replica')
  for (const table of tables) await client.query(`DELETE FROM ${table}`)
}

/** Keeps what the database holds now. */
export const dumpCloud = async (databaseUrl: string): Promise<CloudDump> => {
  const schema = `dump_${String((dumps += 1))}`
  await within(databaseUrl, async (client, tables) => {
    await client.query(`CREATE SCHEMA ${schema}`)
    for (const table of tables) await client.query(`CREATE TABLE ${schema}.${table} AS SELECT * FROM ${table}`)
  })
  return {
    putBack: () =>
      within(databaseUrl, async (client, tables) => {
        await empty(client, tables)
        for (const table of tables) await client.query(`INSERT INTO ${table} SELECT * FROM ${schema}.${table}`)
      }),
  }
}

/** Empties the database but for its tables. */
export const emptyDatabase = (databaseUrl: string): Promise<void> => within(databaseUrl, empty)
