import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#cloud/store/migrate.ts'
import { openDatabase } from '#cloud/store/open-database.ts'
import { draftsOf } from '../helpers/drafts.ts'
import { queryRows, sharedPostgres } from '../helpers/postgres.ts'
import type { PostgresServer } from '../helpers/postgres.ts'

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

let server: PostgresServer
let made: string
beforeAll(async () => {
  server = await sharedPostgres()
  made = await server.newDatabase()
  const database = await openDatabase({ kind: 'server', url: made, poolSize: 1 }, silent)
  await migrate(database, fileURLToPath(new URL('../../migrations/postgres', import.meta.url))).finally(() => database.close())
})
afterAll(() => server.stop())

const questions = {
  relations: "SELECT relname, relkind, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1",
  columns: `SELECT relname, attname, format_type(atttypid, atttypmod), attcollation::regcollation::text, attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid) AS value
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND attnum > 0 AND NOT attisdropped ORDER BY relname, attnum`,
  // A column that may not be null has a constraint of its own since PostgreSQL 18.
  constraints: "SELECT conrelid::regclass::text AS of, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' ORDER BY 1, 2",
  indexes: "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
  policies: "SELECT * FROM pg_policies WHERE schemaname = 'public' ORDER BY tablename, policyname",
  sequences: "SELECT sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle, cache_size FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1",
  types: "SELECT typname, typtype FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype <> 'c' AND typelem = 0 ORDER BY 1",
}

const describeDatabase = async (url: string) => {
  const answers: Record<string, readonly string[]> = {}
  for (const [kind, question] of Object.entries(questions)) {
    answers[kind] = (await queryRows(url, question)).map((row) => Object.values(row).map(String).join(' | ')).filter((line) => !line.includes('schema_migrations'))
  }
  return answers
}

test('the schema of the cloud declares exactly what its migrations make', { tags: 'long' }, async () => {
  const declared = await server.newDatabase()
  // The policies call it, and drizzle declares no functions.
  const [{ definition = '' } = {}] = await queryRows<{ definition: string }>(made, "SELECT pg_get_functiondef('current_user_id'::regproc) AS definition")
  const { whole } = await draftsOf('cloud')
  await queryRows(declared, `${definition};\n${whole.join('\n')}`)
  const description = await describeDatabase(declared)
  expect(description['relations']?.length).toBeGreaterThan(20)
  expect(description).toEqual(await describeDatabase(made))
})

test('only these functions and triggers exist in migrations and not in the schema', async () => {
  const named = async (question: string): Promise<string[]> => (await queryRows<{ name: string }>(made, question)).map(({ name }) => name)
  expect(await named("SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1")).toEqual([
    'count_picture_bytes',
    'count_record_bytes',
    'current_user_id',
    'forget_hashes',
    'hash_records',
    'hashes_of',
    'picture_bytes',
    'record_bucket',
    'record_bytes',
    'record_hash',
  ])
  expect(await named("SELECT tgrelid::regclass || ' ' || tgname AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1")).toEqual([
    'pictures pictures_added',
    'pictures pictures_changed',
    'pictures pictures_removed',
    'records hashed_added',
    'records hashed_changed',
    'records hashed_emptied',
    'records hashed_removed',
    'records records_added',
    'records records_changed',
    'records records_removed',
  ])
})
