import { platformOf } from '#shared/fills/platform.ts'
import { bookedDay } from '#shared/fills/booked-day.ts'
import { addCurrencyAmounts, amountsOfText, amountsText } from '#shared/money/currency-amounts.ts'
import { directionOf, pairIdOf, type Pair, type TradeWarning } from '#shared/pnl/pair.ts'
import { amountOf, negate, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Trip } from '#shared/pnl/trip.ts'
import { bulkInsert, type BulkTarget, type Cell } from '../db/bulk-insert.ts'
import { change, query, queryCells, type Reader, type Writer } from '../db/database.ts'
import type { Changes } from '../db/rows.ts'

/** A table of rows derived by batch: its rows for a batch are replaced by the newly derived ones. */
export type DerivedTable = {
  readonly table: 'trades' | 'trips'
  /** All columns, beginning with `user_id` and `id`, in the order of the rows' cells. */
  readonly columns: readonly string[]
  /** Selects a batch's stored rows, by user, account, contract and batch date. */
  readonly ofBatch: string
}

/** Account, contract and local date. */
export type BatchKey = readonly [account: string, contract: string, date: string]

const equal = (one: readonly Cell[], other: readonly Cell[]): boolean => {
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false
  return true
}

const idCell = 1

/** Compares and writes rows of one derived table in one transaction; `onChange` is called for every row written or removed. */
export const derivedRows = (writer: Writer, userId: string, { table, columns, ofBatch }: DerivedTable, onChange: (id: string) => void) => {
  const target = targetOf(table, columns)
  const rows = bulkInsert(writer, target)
  const list = columns.join(', ')
  const kept = queryCells<Cell[]>(writer, `SELECT ${list} FROM ${table} WHERE ${ofBatch}`)
  const keptById = queryCells<Cell[]>(writer, `SELECT ${list} FROM ${table} WHERE user_id = ? AND id = ?`)
  const remove = change(writer, `DELETE FROM ${table} WHERE user_id = ? AND id = ?`)
  const counts = { added: 0, changed: 0, removed: 0 }

  const keptRows = (batch: BatchKey): Map<Cell, Cell[]> => {
    // Rows that an earlier batch of this transaction wrote must be visible here.
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
     * Removes rows that the batch no longer has, writes those that differ, leaves equal ones untouched. `isNew`: the
     * batch has no stored rows; `moving` is a row that another batch may hold and that this one may take over.
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

/** The table of derived pairs; their batch is that of their date. */
export const pairTable: DerivedTable = {
  table: 'trades',
  columns: [
    ...['user_id', 'id', 'origin', 'account_id', 'account', 'symbol', 'date', 'trading_day', 'side', 'qty', 'tick_size', 'entry_price', 'exit_price'],
    ...['entry_time', 'exit_time', 'gross', 'commission', 'net', 'currency', 'platform', 'trip_id', 'multiplier_source', 'fee_source', 'warnings', 'missing', 'other_fees', 'fee_from'],
  ],
  ofBatch: `user_id = ? AND account_id = ? AND symbol = ? AND date = ? AND origin = 'synced'`,
}

/** Warnings as stored, a JSON list. */
export const warningsText = (warnings: readonly TradeWarning[]): string => (warnings.length === 0 ? '[]' : JSON.stringify(warnings))

/** A pair as the cells of its row. */
export const pairCells = (userId: string, pair: Pair): readonly Cell[] => {
  const { tripId, date, opening, closing, spec, qty } = pair
  return [
    userId, pairIdOf(pair), 'synced', opening.account, null, opening.contract, date, bookedDay(closing), directionOf(pair), qty, spec.tickSize, opening.price, closing.price,
    opening.time, closing.time, pair.grossPnl, pair.commission, pair.netPnl, spec.currency, platformOf(opening.account), tripId, spec.source, pair.feeSource, warningsText(pair.warnings), pair.missing, amountsText(pair.otherFees),
    pair.feeFrom === undefined ? null : JSON.stringify(pair.feeFrom),
  ]
}

/** The table of trips; `batch_date` is the batch that wrote the row. */
export const tripTable: DerivedTable = {
  table: 'trips',
  columns: [
    ...['user_id', 'id', 'account_id', 'symbol', 'batch_date', 'under_way', 'date', 'trading_day', 'side', 'qty', 'max_position', 'pairs', 'tick_size', 'base_price'],
    ...['entry_sum', 'exit_sum', 'entry_time', 'exit_time', 'gross', 'commission', 'net', 'currency', 'multiplier_source', 'fee_source', 'warnings', 'missing', 'other_fees'],
  ],
  ofBatch: 'user_id = ? AND account_id = ? AND symbol = ? AND batch_date = ?',
}

/** A trip as the cells of its row; one without a closed contract has no figures and no row. */
export const tripCells = (userId: string, batchDate: string, underWay: boolean, trip: Trip): readonly Cell[] => {
  const { id, account, contract, spec, date, direction, qty, maxPosition, pairCount } = trip
  return [
    userId, id, account, contract, batchDate, underWay ? 1 : 0, date, bookedDay({ contract, time: trip.exitTime, tradeDate: trip.tradeDate }), direction, qty, maxPosition, pairCount, spec.tickSize, trip.basePrice,
    trip.entrySum, trip.exitSum, trip.entryTime, trip.exitTime, trip.grossPnl, trip.commission, trip.netPnl, spec.currency, spec.source, trip.feeSource, warningsText(trip.warnings), trip.missing, amountsText(trip.otherFees),
  ]
}

type RemovedPair = { qty: number; entry_price: Ticks; exit_price: Ticks; gross: Amount; commission: Amount; net: Amount; other_fees: string | null }

/** Ids of removed fill pairs of an account's contract. */
export const removedTrades = (reader: Reader, userId: string, account: string, contract: string): readonly string[] =>
  query<{ trade_id: string }>(reader, 'SELECT trade_id FROM shown_notes WHERE user_id = ? AND account = ? AND contract = ? AND removed_at IS NOT NULL').all(userId, account, contract).map((row) => row.trade_id)

/** A trip as a batch leaves it, without the pairs that the user removed: those of this batch and of earlier ones are already in the table. Its place and times stay. */
export const lessRemoved = (reader: Reader, userId: string, trip: Trip, batchDate: string, removed: readonly string[]): Trip => {
  // Later batches are derived after this one: their current rows may be replaced in a moment.
  const sql = `SELECT trades.qty, entry_price, exit_price, gross, commission, net, other_fees FROM json_each(?) AS gone
    CROSS JOIN trades ON trades.user_id = ? AND trades.id = gone.value WHERE trip_id = ? AND trades.date <= ?`
  return query<RemovedPair>(reader, sql)
    .all(JSON.stringify(removed), userId, trip.id, batchDate)
    .reduce<Trip>(
      (left, pair) => ({
        ...left,
        qty: left.qty - pair.qty,
        pairCount: left.pairCount - 1,
        entrySum: left.entrySum - (pair.entry_price - trip.basePrice) * pair.qty,
        exitSum: left.exitSum - (pair.exit_price - trip.basePrice) * pair.qty,
        grossPnl: amountOf(left.grossPnl - pair.gross),
        commission: amountOf(left.commission - pair.commission),
        otherFees: addCurrencyAmounts(left.otherFees, amountsOfText(pair.other_fees).map(({ currency, amount }) => ({ currency, amount: negate(amount) }))),
        netPnl: amountOf(left.netPnl - pair.net),
      }),
      trip,
    )
}
