import { change, type Writer } from './database.ts'

/** A value as SQLite keeps it. */
export type Cell = string | number | null

/** Rows to insert into one table, in large statements of raw SQL, which the benchmarks `sync` and `import` measure. They are only certain to be there after `flush`. */
export type BulkInsert = { readonly add: (row: readonly Cell[]) => void; readonly flush: () => void }

/** The table, and what happens to an existing row: `replace` replaces it; columns name the key by which it is updated in place. */
export type BulkTarget = { readonly table: string; readonly columns: readonly string[]; readonly onKnown: 'replace' | readonly string[] }

const rowsAtOnce = 32

const statementOf = ({ table, columns, onKnown }: BulkTarget, rows: number): string => {
  const row = `(${columns.map(() => '?').join(', ')})`
  const values = Array.from({ length: rows }, () => row).join(', ')
  if (onKnown === 'replace') return `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES ${values}`
  const others = columns.filter((column) => !onKnown.includes(column))
  const overwrite = others.map((column) => `${column} = excluded.${column}`).join(', ')
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values} ON CONFLICT (${onKnown.join(', ')}) DO UPDATE SET ${overwrite}`
}

const statements = new WeakMap<BulkTarget, readonly [many: string, one: string]>()

const statementsFor = (target: BulkTarget): readonly [many: string, one: string] => {
  const known = statements.get(target)
  if (known !== undefined) return known
  const made = [statementOf(target, rowsAtOnce), statementOf(target, 1)] as const
  statements.set(target, made)
  return made
}

/** Starts inserting. */
export const bulkInsert = (writer: Writer, target: BulkTarget): BulkInsert => {
  const [manySql, oneSql] = statementsFor(target)
  const many = change(writer, manySql)
  const one = change(writer, oneSql)
  const width = target.columns.length
  const cells: Cell[] = []
  return {
    add: (row) => {
      for (const cell of row) cells.push(cell)
      if (cells.length < rowsAtOnce * width) return
      many.run(cells)
      cells.length = 0
    },
    flush: () => {
      for (let from = 0; from < cells.length; from += width) one.run(cells.slice(from, from + width))
      cells.length = 0
    },
  }
}
