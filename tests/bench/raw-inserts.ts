import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'

/** Rows of one table, with the columns in which they are written. */
type Rows = { readonly table: string; readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }

/** What a sync or an import wrote in one transaction. */
export type Written = readonly Rows[]

type Batch = readonly [account: string, contract: string, date: string, fills: number]

const small = ['profiles', 'logins', 'accounts', 'finances', 'contracts', 'specs', 'sync_runs', 'imports', 'import_files', 'imported_specs']
const parts = ['import_readings', 'import_notes']
/** Tables whose rows belong to a batch of fills, with the columns that name account, contract and date. */
const ofBatch = { fills: ['account', 'contract', 'local_date'], batches: ['account', 'contract', 'local_date'], fill_pairs: ['account_id', 'symbol', 'date'], trades: ['account_id', 'symbol', 'batch_date'] } as const
const fillsInTransaction = 5_000
const partsInTransaction = 4

/** Reads a journal back, transaction by transaction as it was written: what is small, what an import read, then whole batches, at most about 5,000 fills at a time. */
export function* readWritten(file: string, userId: string): Generator<Written> {
  const database = new Sqlite(file, { readonly: true })
  const columnsOf = (table: string): string[] => (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
  const rowsOf = (table: string, where: string, ...values: unknown[]): Rows => ({ table, columns: columnsOf(table), rows: database.prepare(`SELECT * FROM ${table} WHERE ${where}`).raw(true).all(...values) as unknown[][] })
  const idsOf = (rows: Rows | undefined, ...columns: string[]): string => JSON.stringify(rows?.rows.map((row) => columns.map((column) => String(row[rows.columns.indexOf(column)])).join('/')) ?? [])
  const named = 'IN (SELECT value FROM json_each(?))'
  yield [...small.map((table) => rowsOf(table, 'TRUE')), rowsOf('outbox', "entity NOT IN ('fill', 'pair')")]

  const last = (database.prepare('SELECT max(rowid) FROM import_readings').pluck().get() as number | null) ?? 0
  for (let from = 1; from <= last; from += partsInTransaction) yield parts.map((table) => rowsOf(table, 'rowid BETWEEN ? AND ?', from, from + partsInTransaction - 1))

  for (const group of groups(database.prepare('SELECT account, contract, local_date, count(*) FROM fills WHERE user_id = ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3').raw(true).all(userId) as Batch[])) {
    const ofGroup = (table: keyof typeof ofBatch): Rows => {
      const where = `user_id = ? AND ${ofBatch[table].map((column) => `${column} = ?`).join(' AND ')}`
      const read = group.map(([account, contract, date]) => rowsOf(table, where, userId, account, contract, date))
      return { table, columns: columnsOf(table), rows: read.flatMap(({ rows }) => rows) }
    }
    const [fills, batches, pairs, trades] = [ofGroup('fills'), ofGroup('batches'), ofGroup('fill_pairs'), ofGroup('trades')]
    const baseFills = [...new Set(group.map(([account]) => account))].map((account) => rowsOf('base_fills', `user_id = ? AND account = ? AND id ${named}`, userId, account, idsOf(fills, 'id')))
    const noted = [rowsOf('outbox', `user_id = ? AND entity = 'fill' AND entity_id ${named}`, userId, idsOf(fills, 'account', 'id')), rowsOf('outbox', `user_id = ? AND entity = 'pair' AND entity_id ${named}`, userId, idsOf(pairs, 'id'))]
    yield [fills, batches, pairs, trades, ...baseFills, ...noted]
  }
  database.close()
}

function* groups(batches: readonly Batch[]): Generator<readonly Batch[]> {
  let group: Batch[] = []
  let fills = 0
  for (const batch of batches) {
    if (fills > 0 && fills + batch[3] > fillsInTransaction) {
      yield group
      group = []
      fills = 0
    }
    group.push(batch)
    fills += batch[3]
  }
  yield group
}

/** Inserts rows, one prepared insert a row, into an empty journal of the same schema and settings; how many, and how long that took without reading them (ms). */
export const insertRaw = (written: Iterable<Written>, folder: string, migrationsFolder: string): { readonly rows: number; readonly ms: number } => {
  const database = openDatabase(join(folder, 'raw.db'))
  migrate(database, migrationsFolder, join(folder, 'raw-backups'))
  let [count, ms] = [0, 0]
  for (const transaction of written) {
    const from = performance.now()
    database.transaction(() => {
      for (const { table, columns, rows } of transaction) {
        const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        for (const row of rows) insert.run(...row)
        count += rows.length
      }
    }).immediate()
    ms += performance.now() - from
  }
  const from = performance.now()
  database.close()
  return { rows: count, ms: ms + performance.now() - from }
}
