import pg from 'pg'
import { asAdministrator } from '../helpers/postgres.ts'

/** A row of the cloud's records as a program holds it that writes by hand; `content` is JSON already. */
export type RecordRow = { readonly user_id: string; readonly entity: string; readonly id: string; readonly seq: string; readonly content: string | null }

const columns = 5

const statementOf = (rows: number): string => {
  const values = Array.from({ length: rows }, (_, row) => `(${Array.from({ length: columns }, (_column, index) => `$${String(row * columns + index + 1)}`).join(', ')})`)
  return `INSERT INTO records (user_id, entity, id, seq, content) VALUES ${values.join(', ')}
    ON CONFLICT (user_id, entity, id) DO UPDATE SET seq = excluded.seq, content = excluded.content`
}

/** Writes rows with multi-row upserts of `batch` rows each, over one connection; milliseconds. The connection is made, and the statement written, before the clock runs. */
export const upsertByHand = async (databaseUrl: string, rows: readonly RecordRow[], batch: number): Promise<number> => {
  const client = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
  await client.connect()
  const statements = new Map([batch, rows.length % batch].map((size) => [size, statementOf(size)]))
  try {
    const from = performance.now()
    for (let start = 0; start < rows.length; start += batch) {
      const some = rows.slice(start, start + batch)
      const text = statements.get(some.length)
      if (text === undefined) throw new Error('No statement of this size')
      await client.query(text, some.flatMap(({ user_id, entity, id, seq, content }) => [user_id, entity, id, seq, content]))
    }
    return performance.now() - from
  } finally {
    await client.end()
  }
}

/** Every record in the order of its change. */
export const readRecords = async (databaseUrl: string): Promise<RecordRow[]> => {
  const client = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
  await client.connect()
  try {
    return (await client.query<RecordRow>('SELECT user_id, entity, id, seq, content::text AS content FROM records ORDER BY seq')).rows
  } finally {
    await client.end()
  }
}

/** Makes the cloud's tables empty and as good as new. */
export const emptyCloud = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
  await client.connect()
  try {
    await client.query('TRUNCATE records, journals, pictures')
    await client.query('VACUUM ANALYZE records')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}

/** Gives every journal another name, and takes away what the cloud knows of its history. */
export const replaceJournals = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
  await client.connect()
  try {
    await client.query('UPDATE journals SET id = gen_random_uuid(), head = head + 1; TRUNCATE journal_marks')
  } finally {
    await client.end()
  }
}

/** A sum over all that the table holds, to tell whether two fillings are the same. */
export const sumOfRecords = async (databaseUrl: string): Promise<string> => {
  const client = new pg.Client({ connectionString: asAdministrator(databaseUrl) })
  await client.connect()
  try {
    const { rows } = await client.query<{ sum: string }>("SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(r::text), '' ORDER BY seq)), '') AS sum FROM records AS r")
    return rows[0]?.sum ?? ''
  } finally {
    await client.end()
  }
}
