import { chmodSync, openSync, closeSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** Tables of users that no restore changes, each with its reason. */
export const notRestored: ReadonlySet<string> = new Set([
  // Sessions and consents: what has ended stays ended.
  ...['sessions', 'oauth_states', 'logins', 'rights'],
  // The mirror's cursor and outbox.
  ...['mirrors', 'outbox'],
  // Which fills were removed since: the restore itself notes those that return.
  'removed_fills',
  // What this computer requested from the broker and saw while it watched, which no backup knows better.
  ...['sync_runs', 'session_reads', 'running_sessions', 'stated_fills', 'read_fees', 'worked_orders', 'history_wishes', 'known_positions', 'missing_fills', 'rematched_accounts'],
  ...['copied_orders', 'session_extremes', 'rule_breaches', 'rule_alerts', 'alert_marks', 'alert_settings'],
  // How files are read from here on; what was read is in their imports.
  'import_formats',
  // Where reports are sent: the endpoint's key in the keychain belongs to the current address.
  'report_settings',
  // Derived from fills, imports and edits, and derived again from them.
  ...['batches', 'trades', 'position_doubts', 'broker_figures', 'shown_notes', 'left_over_notes', 'imports_unsettled', 'stale_batches'],
])

/** Columns in which a restored journal differs from what was backed up: its rows get new stamps and new numbers. */
const anew: readonly string[] = ['ref', 'stamp', 'stamps']

/** Tables that a restore works out again from what it brings back. */
const workedOut: readonly string[] = ['batches', 'trades']

const tablesIn = (database: Sqlite.Database): string[] =>
  (database.prepare("SELECT name FROM sqlite_schema AS one WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(one.name) WHERE name = 'user_id') ORDER BY name").pluck().all() as string[]).filter((table) => workedOut.includes(table) || !notRestored.has(table))

/** Every row of a user that a backup restores, and every row computed from them, table by table, sorted; edits and day notes only if they are not empty. */
export const turnedBackRows = (file: string, userId: string): Readonly<Record<string, readonly string[]>> => {
  const database = new Sqlite(file, { readonly: true })
  try {
    return Object.fromEntries(
      tablesIn(database).map((table) => {
        const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name).filter((name) => !anew.includes(name))
        const rows = database.prepare(`SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM "${table}" WHERE user_id = ?`).all(userId)
        return [table, rows.map((row) => JSON.stringify(row)).toSorted()]
      }),
    )
  } finally {
    database.close()
  }
}

/** Every row of every table with a name, as they are. */
export const allRows = (file: string, tables: readonly string[], userId: string): string[] => {
  const database = new Sqlite(file, { readonly: true })
  try {
    return tables.flatMap((table) => database.prepare(`SELECT * FROM "${table}" WHERE user_id = ?`).all(userId).map((row) => `${table} ${JSON.stringify(row)}`))
  } finally {
    database.close()
  }
}

/** Overwrites the pages of a table in a file that is not open, so that SQLite's check finds it damaged while it still opens. */
export const damage = (file: string, table: string): void => {
  const database = new Sqlite(file)
  database.pragma('wal_checkpoint(TRUNCATE)')
  const page = Number(database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table))
  const size = Number(database.pragma('page_size', { simple: true }))
  database.close()
  chmodSync(file, 0o600)
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(size, 0x5a), 0, size, (page - 1) * size)
  closeSync(handle)
}

/** Flips the last bit of a text wherever the table itself has it, in a file that is not open: `quick_check` passes, and the indexes contradict the table. */
export const contradictIndexes = (file: string, table: string, text: string): void => {
  const database = new Sqlite(file)
  database.pragma('wal_checkpoint(TRUNCATE)')
  const pages = database.prepare('SELECT pageno FROM dbstat WHERE name = ?').pluck().all(table) as number[]
  const size = Number(database.pragma('page_size', { simple: true }))
  database.close()
  const bytes = readFileSync(file)
  for (const page of pages) {
    const whole = bytes.subarray((page - 1) * size, page * size)
    for (let at = whole.indexOf(text); at !== -1; at = whole.indexOf(text, at + 1)) whole[at + text.length - 1] = (whole[at + text.length - 1] ?? 0) ^ 1
  }
  writeFileSync(file, bytes)
}
