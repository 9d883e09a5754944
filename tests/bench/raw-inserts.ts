import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '#backend/store/database.ts'
import { migrate } from '#backend/store/migrate.ts'

type Row = readonly unknown[]

/** Rows of one table, with the columns in which they are written. */
type Rows = { readonly table: string; readonly columns: readonly string[]; readonly rows: readonly Row[] }

/** What a sync wrote, cut into the transactions in which it wrote it. */
export type Written = readonly (readonly Rows[])[]

const small = ['profiles', 'logins', 'accounts', 'finances', 'contracts', 'specs', 'sync_runs']
/** Tables whose rows belong to a batch of fills, with the columns that name account, contract and date. */
const large = { fills: ['account', 'contract', 'local_date'], batches: ['account', 'contract', 'local_date'], trades: ['account_id', 'symbol', 'date'], trips: ['account_id', 'symbol', 'batch_date'] }
const fillsInTransaction = 5_000

/** Reads a synced journal back, grouped as it was written: whole batches, at most about 5,000 fills a transaction. */
export const readWritten = (file: string): Written => {
  const database = new Sqlite(file, { readonly: true })
  const columnsOf = (table: string): string[] => (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
  const rowsOf = (table: string): Record<string, unknown>[] => database.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]
  const groups: Map<string, Record<string, unknown>[]>[] = []
  const put = (group: number, table: string, row: Record<string, unknown>): void => {
    const tables = (groups[group] ??= new Map())
    const rows = tables.get(table)
    if (rows === undefined) tables.set(table, [row])
    else rows.push(row)
  }

  const counts = new Map<string, number>()
  const keyOf = (row: Record<string, unknown>, columns: readonly string[]): string => columns.map((column) => String(row[column])).join('\n')
  for (const fill of rowsOf('fills')) counts.set(keyOf(fill, large.fills), (counts.get(keyOf(fill, large.fills)) ?? 0) + 1)
  const groupOf = new Map<string, number>()
  let group = 1
  let inGroup = 0
  for (const [key, count] of [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (inGroup > 0 && inGroup + count > fillsInTransaction) {
      group += 1
      inGroup = 0
    }
    groupOf.set(key, group)
    inGroup += count
  }
  const groupOfEntity = new Map<string, number>()
  for (const table of small) for (const row of rowsOf(table)) put(0, table, row)
  for (const [table, columns] of Object.entries(large)) {
    for (const row of rowsOf(table)) {
      const own = groupOf.get(keyOf(row, columns)) ?? 0
      put(own, table, row)
      if (table === 'fills') groupOfEntity.set(`${String(row['account'])}/${String(row['id'])}`, own)
      if (table === 'trades') groupOfEntity.set(String(row['id']), own)
    }
  }
  for (const row of rowsOf('outbox')) put(groupOfEntity.get(String(row['entity_id'])) ?? 0, 'outbox', row)
  const written = groups.map((tables) =>
    [...tables].map(([table, rows]): Rows => {
      const columns = columnsOf(table)
      return { table, columns, rows: rows.map((row) => columns.map((column) => row[column])) }
    }),
  )
  database.close()
  return written
}

/** Inserts the same rows, one prepared insert a row, into an empty journal of the same schema and settings; milliseconds. */
export const insertRaw = (written: Written, folder: string, migrationsFolder: string): number => {
  const database = openDatabase(join(folder, 'raw.db'))
  migrate(database, migrationsFolder, join(folder, 'raw-backups'))
  const from = performance.now()
  for (const transaction of written) {
    database.transaction(() => {
      for (const { table, columns, rows } of transaction) {
        const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        for (const row of rows) insert.run(...row)
      }
    }).immediate()
  }
  const took = performance.now() - from
  database.close()
  return took
}
