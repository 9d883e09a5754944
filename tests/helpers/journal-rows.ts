import Sqlite from 'better-sqlite3'

/** Every row of the journal that must be the same however it came about: without rowids, ids drawn at random and moments of writing. */
export type JournalRows = Readonly<Record<string, readonly Record<string, unknown>[]>>

const tables: Record<string, string> = {
  accounts: 'SELECT key, environment, broker_account_id, name, balance, currency, balance_at, removed_at IS NULL AS present FROM accounts ORDER BY key',
  finances: 'SELECT id, type, amount, name, balance, currency, platform, firm, category, account, note, removed_at IS NULL AS present FROM finances ORDER BY id',
  contracts: 'SELECT * FROM contracts ORDER BY environment, broker_contract_id',
  specs: 'SELECT * FROM specs ORDER BY contract',
  fills: 'SELECT * FROM fills ORDER BY account, id',
  batches: 'SELECT * FROM batches ORDER BY account, contract, local_date',
  fill_pairs: 'SELECT * FROM fill_pairs ORDER BY id',
  trades: 'SELECT * FROM trades ORDER BY id',
  stated_fills: 'SELECT * FROM stated_fills ORDER BY account, id',
  worked_orders: 'SELECT account, order_id, contract, tick_size, side, kind, began_at, ended_at, steps FROM worked_orders ORDER BY account, order_id',
  outbox: 'SELECT entity, entity_id FROM outbox ORDER BY entity, entity_id',
}

/** Reads the journal's file as it lies on the disk. */
export const journalRows = (file: string): JournalRows => {
  const database = new Sqlite(file, { readonly: true })
  try {
    const rowsOf = (sql: string): Record<string, unknown>[] => (database.prepare(sql).all() as Record<string, unknown>[]).map(withoutPlace)
    return Object.fromEntries(Object.entries(tables).map(([table, sql]) => [table, rowsOf(sql)]))
  } finally {
    database.close()
  }
}

const withoutPlace = (row: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'ref' && column !== 'user_id'))
