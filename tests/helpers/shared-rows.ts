import Sqlite from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import type { JournalRows } from './journal-rows.ts'

const tables: Record<string, string> = {
  zone: 'SELECT time_zone FROM profiles',
  accounts: 'SELECT key, environment, broker_account_id, name, login_name, balance, currency, balance_at, removed_at, connected_at, stamp, copy_of FROM accounts ORDER BY key',
  finances: 'SELECT * FROM finances ORDER BY id',
  specs: 'SELECT * FROM specs ORDER BY contract',
  contracts: 'SELECT * FROM contracts ORDER BY environment, broker_contract_id',
  pictures: 'SELECT * FROM pictures ORDER BY name',
  fills: 'SELECT * FROM fills ORDER BY account, id',
  batches: 'SELECT * FROM batches ORDER BY account, contract, local_date',
  removedFills: 'SELECT name, removed, stamp FROM removed_fills ORDER BY name',
  fill_pairs: 'SELECT * FROM fill_pairs ORDER BY id',
  trades: 'SELECT * FROM trades ORDER BY id',
  edits: 'SELECT * FROM pair_edits ORDER BY pair_id',
  shown: 'SELECT * FROM shown_notes ORDER BY pair_id',
  leftOver: 'SELECT * FROM left_over_notes ORDER BY edit_id',
  days: 'SELECT * FROM day_notes ORDER BY trading_day',
  rates: 'SELECT * FROM commission_rates ORDER BY scope, of, product',
  points: 'SELECT * FROM point_values ORDER BY product',
  stops: 'SELECT * FROM default_stops ORDER BY product',
  rules: 'SELECT * FROM account_rules ORDER BY account',
  stale: 'SELECT * FROM stale_batches',
}

/** Rows that are the same on every computer that mirrors to one journal: without the numbers that SQLite gives them, and the profile's id, which is another one on each. */
export const sharedRowsOf = (database: Database): JournalRows =>
  Object.fromEntries(Object.entries(tables).map(([table, sql]) => [table, (database.prepare(sql).all() as Record<string, unknown>[]).map(withoutPlace)]))

/** The same of the file of a journal with one profile, with the names of what waits in the outbox. */
export const sharedRowsIn = (file: string): JournalRows => {
  const database = new Sqlite(file, { readonly: true })
  try {
    return { ...sharedRowsOf(database), outbox: database.prepare('SELECT entity, entity_id FROM outbox ORDER BY entity, entity_id').all() as Record<string, unknown>[] }
  } finally {
    database.close()
  }
}

const withoutPlace = (row: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'ref' && column !== 'user_id'))
