import Sqlite from 'better-sqlite3'

/** Tables that each computer has for itself. */
const localTables = new Set([
  // Who is signed in where, and tokens' names: they are worth nothing elsewhere.
  ...['sessions', 'oauth_states', 'logins'],
  // Which computer this is, and how far its own mirror is.
  ...['device', 'mirrors'],
  // The cloud's last answer to this computer about its user's rights.
  'rights',
  // What this computer read of the broker, and when.
  ...['sync_runs', 'session_reads'],
  // What this computer saw of accounts while it watched them, and what it sent.
  ...['rule_breaches', 'rule_alerts', 'alert_marks', 'alert_settings', 'session_extremes'],
  // What was made of the journal here, and by which endpoint.
  ...['reports', 'report_members', 'report_settings'],
  // What was removed: a file of a journal holds the imports that were undone instead.
  'removed_fills',
  // When this file was migrated.
  'schema_migrations',
])

/** Columns that each computer has for itself, in tables that are the same. */
const localColumns: Readonly<Record<string, readonly string[]>> = {
  // The profile is this computer's own; its zone alone is the journal's.
  profiles: ['id', 'email', 'display_name', 'password_hash', 'recovery_hash', 'demo', 'created_at', 'last_sign_in_at'],
  // The login of this computer, and since and until when it synced by it.
  accounts: ['login_id', 'last_sync_at', 'watched_since'],
  // Row numbers, in the order of writing.
  fill_pairs: ['ref'], trades: ['ref'],
  // What waits must be the same, wherever and since whenever it does.
  outbox: ['seq', 'noted_at'],
}

/** What two journals' files hold. */
export type Compared = {
  /** Rows that only one of them has, a few of each table, as texts; none where they are equal. */
  readonly differences: readonly string[]
  /** Rows of each table that was compared, in the first. */
  readonly rows: Readonly<Record<string, number>>
}

const mostShown = 5

/** Compares every row of every table of one user's journal on two computers: all cells but those that are local by nature. Both programs have ended. */
export const compareJournals = (one: string, other: string): Compared => {
  const database = new Sqlite(one, { readonly: true })
  try {
    database.prepare('ATTACH ? AS other').run(other)
    const tables = database.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").pluck().all() as string[]
    const compared = tables.filter((table) => !localTables.has(table))
    return {
      differences: compared.flatMap((table) => differencesOf(database, table)),
      rows: Object.fromEntries(compared.map((table) => [table, countOf(database, 'main', table)])),
    }
  } finally {
    database.close()
  }
}

// Of what waits, all but removals, which are not in a file.
const rowsOf = (schema: string, table: string): string => `${schema}.${table}${table === 'outbox' ? " WHERE entity <> 'removal'" : ''}`

const countOf = (database: Sqlite.Database, schema: string, table: string): number => Number(database.prepare(`SELECT count(*) FROM ${rowsOf(schema, table)}`).pluck().get())

const differencesOf = (database: Sqlite.Database, table: string): string[] => {
  const left = new Set(['user_id', ...(localColumns[table] ?? [])])
  const columns = (database.pragma(`main.table_info(${table})`) as { name: string }[]).map(({ name }) => name).filter((name) => !left.has(name)).join(', ')
  const only = (schema: string, against: string): string[] =>
    (database.prepare(`SELECT ${columns} FROM ${rowsOf(schema, table)} EXCEPT SELECT ${columns} FROM ${rowsOf(against, table)} LIMIT ${String(mostShown)}`).all()).map((row) => `${table} of ${schema}: ${JSON.stringify(row)}`)
  const counts = [countOf(database, 'main', table), countOf(database, 'other', table)]
  return [...(counts[0] === counts[1] ? [] : [`${table}: ${counts.join(' and ')} rows`]), ...only('main', 'other'), ...only('other', 'main')]
}
