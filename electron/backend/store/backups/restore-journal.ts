import type { Database } from 'better-sqlite3'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { alignFinance } from '../accounts/account-finance.ts'
import { atomically, query, type Reader, type Writer } from '../database.ts'
import { writeDay } from '../trades/day-notes.ts'
import { writeEdit } from '../trades/edits.ts'
import { storeFault } from '../fault.ts'
import type { JournalWrites } from '../journal-writes.ts'
import { mirrorAnew } from '../mirror/mirror-place.ts'
import { settleNotesOf } from '../notes/settle-notes.ts'
import { holdRestored } from '../fills/restored-fills.ts'
import { mintStamp } from '../stamps.ts'
import type { Taking } from '../fills/take-fills.ts'

/** Tables of users that no restore turns back, each with its reason. */
export const notTurnedBack: ReadonlySet<string> = new Set([
  // Who is signed in, and what was consented to: ended is ended.
  ...['sessions', 'oauth_states', 'logins', 'rights'],
  // How far the mirror is: it begins anew instead.
  ...['mirrors', 'outbox'],
  // What this computer saw and told while it watched, which no backup can know better.
  ...['copied_orders', 'session_extremes', 'rule_breaches', 'rule_alerts', 'alert_marks', 'alert_settings'],
  // What this computer has to say of the day on which it began to match without midnight.
  'rematched_accounts',
  // Where reports are sent, since the endpoint's key in the keychain belongs to the address of now.
  'report_settings',
])

const numbered: ReadonlySet<string> = new Set(['trades', 'trips'])

const columnsOf = (reader: Reader, table: string): string[] => query<{ name: string }>(reader, 'SELECT name FROM pragma_table_info(?)').all(table).map(({ name }) => name)

/** The tables that a restore brings back, with their columns; rows are numbered anew, since another user may have the number by now. */
const turnedBack = (reader: Reader): readonly { readonly table: string; readonly columns: readonly string[] }[] =>
  query<{ name: string }>(reader, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .filter(({ name }) => !notTurnedBack.has(name))
    .map(({ name }) => ({ table: name, columns: columnsOf(reader, name) }))
    .filter(({ columns }) => columns.includes('user_id'))
    .map(({ table, columns }) => ({ table, columns: numbered.has(table) ? columns.filter((column) => column !== 'ref') : columns }))

/** What the user had said of a record, by its name: the fields that were ever changed. */
type Said = ReadonlyMap<string, readonly string[]>

const saidIn = (reader: Reader, userId: string, table: 'trade_edits' | 'day_notes', id: 'trade_id' | 'trading_day'): Said => {
  const rows = query<{ id: string; stamps: string }>(reader, `SELECT ${id} AS id, stamps FROM ${table} WHERE user_id = ?`).all(userId)
  return new Map(rows.map((row) => [row.id, Object.keys(JSON.parse(row.stamps) as object)]))
}

/** Stamps every field that was ever changed, before or in the backup: what stands now is said now, also where that is nothing. */
const sayAnew = (before: Said, after: Said, write: (id: string, fields: readonly string[]) => void): void => {
  for (const id of new Set([...before.keys(), ...after.keys()])) write(id, [...new Set([...(before.get(id) ?? []), ...(after.get(id) ?? [])])])
}

const stampsOf = (fields: readonly string[], stamp: Stamp): Readonly<Record<string, Stamp>> => Object.fromEntries(fields.map((field) => [field, stamp]))

/** Accounts that are connected here stay so, by the login of now; one whose login is gone has none. */
const keepConnections = (database: Database, userId: string): void => {
  const user = { userId }
  database.prepare(`UPDATE main.accounts SET login_id = COALESCE((SELECT here.id FROM main.logins AS here JOIN backup.logins AS there
    ON there.user_id = here.user_id AND there.broker = here.broker AND there.broker_user_id = here.broker_user_id WHERE there.id = accounts.login_id AND here.user_id = @userId), '') WHERE user_id = @userId`).run(user)
  database.prepare("UPDATE main.accounts SET watched_since = NULL WHERE user_id = @userId AND login_id = ''").run(user)
  database.exec('INSERT OR IGNORE INTO main.accounts SELECT * FROM temp.connected')
  database.exec('INSERT OR IGNORE INTO main.finances SELECT * FROM temp.connected_finances')
  database.prepare(`UPDATE main.accounts SET (name, login_id, login_name, removed_at, balance, currency, balance_at) =
    (SELECT name, login_id, login_name, removed_at, balance, currency, balance_at FROM temp.connected AS now WHERE now.key = accounts.key)
    WHERE user_id = @userId AND key IN (SELECT key FROM temp.connected)`).run(user)
}

const restore = (writer: Writer, userId: string, at: number): void => {
  const { database } = writer
  const tables = turnedBack(writer)
  const journal = query<{ journal: string | null }>(writer, 'SELECT journal FROM main.mirrors WHERE user_id = ?').get(userId)?.journal ?? null
  const edits = saidIn(writer, userId, 'trade_edits', 'trade_id')
  const days = saidIn(writer, userId, 'day_notes', 'trading_day')
  // Rows refer to each other across tables: what stands in the end must fit, not each step.
  database.pragma('defer_foreign_keys = ON')
  database.prepare('CREATE TEMP TABLE connected AS SELECT * FROM main.accounts WHERE user_id = ? AND removed_at IS NULL AND login_id IN (SELECT id FROM main.logins)').run(userId)
  database.prepare('CREATE TEMP TABLE connected_finances AS SELECT * FROM main.finances WHERE user_id = ? AND id IN (SELECT key FROM temp.connected)').run(userId)
  for (const { table } of tables) database.prepare(`DELETE FROM main."${table}" WHERE user_id = ?`).run(userId)
  for (const { table, columns } of tables) {
    const names = columns.map((column) => `"${column}"`).join(', ')
    database.prepare(`INSERT INTO main."${table}" (${names}) SELECT ${names} FROM backup."${table}" WHERE user_id = ?`).run(userId)
  }
  // The dates of what came back are local to the zone of then.
  database.prepare('UPDATE main.profiles SET time_zone = (SELECT time_zone FROM backup.profiles WHERE id = @userId) WHERE id = @userId').run({ userId })
  keepConnections(database, userId)

  const stamp = mintStamp(writer, at)
  for (const { table, columns } of tables) if (columns.includes('stamp')) database.prepare(`UPDATE main."${table}" SET stamp = ? WHERE user_id = ? AND stamp IS NOT NULL`).run(stamp, userId)
  sayAnew(edits, saidIn(writer, userId, 'trade_edits', 'trade_id'), (id, fields) => {
    writeEdit(writer, userId, id, {}, stampsOf(fields, stamp))
    settleNotesOf(writer, userId, id)
  })
  sayAnew(days, saidIn(writer, userId, 'day_notes', 'trading_day'), (id, fields) => { writeDay(writer, userId, id, {}, stampsOf(fields, stamp)) })
  for (const { key } of query<{ key: string }>(writer, 'SELECT key FROM main.accounts WHERE user_id = ?').all(userId)) alignFinance(writer, userId, key)
  mirrorAnew(writer, { userId, at, journal })
  holdRestored(writer, userId)
  database.exec('DROP TABLE temp.connected; DROP TABLE temp.connected_finances')
}

/** `changesSoFar` of the journal: the rows that its one writing connection changed. */
export const changesSoFar = (writer: Writer): number => query<{ changes: number }>(writer, 'SELECT total_changes() AS changes').get()?.changes ?? 0

/**
 * `restoreJournal` of the journal: in one transaction, so that a program that dies in the midst of it has what was there before.
 * Everything that comes back counts as said now, and all of it is told to the mirror again.
 */
export const restoreJournal = ({ writer, barrier }: Taking, { userId, at, staged, unchangedSince }: Parameters<JournalWrites['restoreJournal']>[0]): void => {
  const { database } = writer
  database.prepare('ATTACH ? AS backup').run(staged)
  try {
    if (database.prepare('SELECT 1 FROM backup.profiles WHERE id = ?').get(userId) === undefined) throw storeFault('not-found', 'The backup was made before this profile')
    atomically(writer, () => {
      if (unchangedSince !== undefined && unchangedSince !== changesSoFar(writer)) throw storeFault('busy', 'The journal changed since it was kept')
      restore(writer, userId, at)
      barrier('journal-restored', database)
    })
    barrier('restore-committed', database)
  } finally {
    database.exec('DETACH backup')
  }
}
