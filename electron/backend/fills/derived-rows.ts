import { bulkInsert, type BulkTarget, type Cell } from '../db/bulk-insert.ts'
import { change, queryCells, type Writer } from '../db/database.ts'
import type { Changes } from '../db/rows.ts'

/** A table of rows that are derived batch by batch: what it holds for a batch is made equal to what the batch came to. */
export type DerivedTable = {
  readonly table: 'trades' | 'trips'
  /** From `user_id` and `id` on, in the order of the rows' cells. */
  readonly columns: readonly string[]
  /** Finds what is kept for a batch, by user, account, contract and batch date. */
  readonly ofBatch: string
}

/** Account, contract and local date. */
export type BatchKey = readonly [account: string, contract: string, date: string]

const equal = (one: readonly Cell[], other: readonly Cell[]): boolean => {
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false
  return true
}

const idCell = 1

/** Compares and writes rows of one derived table in one transaction; `onChange` hears of every row put or removed. */
export const derivedRows = (writer: Writer, userId: string, { table, columns, ofBatch }: DerivedTable, onChange: (id: string) => void) => {
  const target = targetOf(table, columns)
  const rows = bulkInsert(writer, target)
  const list = columns.join(', ')
  const kept = queryCells<Cell[]>(writer, `SELECT ${list} FROM ${table} WHERE ${ofBatch}`)
  const keptById = queryCells<Cell[]>(writer, `SELECT ${list} FROM ${table} WHERE user_id = ? AND id = ?`)
  const remove = change(writer, `DELETE FROM ${table} WHERE user_id = ? AND id = ?`)
  const counts = { added: 0, changed: 0, removed: 0 }

  const keptRows = (batch: BatchKey): Map<Cell, Cell[]> => {
    // What an earlier batch of this transaction put must be seen here.
    rows.flush()
    return new Map(kept.all(userId, ...batch).map((row) => [row[idCell] ?? null, row]))
  }
  const elsewhere = (id: Cell): Cell[] | undefined => {
    rows.flush()
    return keptById.get(userId, id)
  }
  const put = (row: readonly Cell[]) => {
    rows.add(row)
    onChange(String(row[idCell]))
  }
  return {
    /**
     * Forgets rows that the batch no longer has, writes those that differ, leaves equal ones untouched. `isNew` says that
     * nothing can be kept for the batch; `moving` is a row that another batch may hold and that this one may take over.
     */
    settle: (batch: BatchKey, wanted: readonly (readonly Cell[])[], isNew: boolean, moving?: string): void => {
      const before = isNew ? undefined : keptRows(batch)
      for (const row of wanted) {
        const id = row[idCell] ?? null
        const old = before?.get(id) ?? (id === moving ? elsewhere(id) : undefined)
        before?.delete(id)
        if (old === undefined) counts.added += 1
        else if (equal(old, row)) continue
        else counts.changed += 1
        put(row)
      }
      for (const id of before?.keys() ?? []) {
        remove.run(userId, id)
        counts.removed += 1
        onChange(String(id))
      }
    },
    flush: rows.flush,
    changes: (): Changes => counts,
  }
}

const targets = new Map<string, BulkTarget>()

const targetOf = (table: string, columns: readonly string[]): BulkTarget => {
  const known = targets.get(table)
  if (known !== undefined) return known
  const made: BulkTarget = { table, columns, onKnown: ['user_id', 'id'] }
  targets.set(table, made)
  return made
}
