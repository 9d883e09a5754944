import { bookedDay } from '#shared/fills/booked-day.ts'
import { addCurrencyAmounts, amountsOfText, amountsText } from '#shared/money/currency-amounts.ts'
import { amountOf, negate, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Trip } from '#shared/pnl/trip.ts'
import type { Cell } from '../db/bulk-insert.ts'
import { query, type Reader } from '../db/database.ts'
import type { DerivedTable } from '../fills/derived-rows.ts'
import { warningsText } from './pair-rows.ts'

/** Where trips are kept; `batch_date` is the batch that wrote the row. */
export const tripTable: DerivedTable = {
  table: 'trips',
  columns: [
    ...['user_id', 'id', 'account_id', 'symbol', 'batch_date', 'under_way', 'date', 'trading_day', 'side', 'qty', 'max_position', 'pairs', 'tick_size', 'base_price'],
    ...['entry_sum', 'exit_sum', 'entry_time', 'exit_time', 'gross', 'commission', 'net', 'currency', 'multiplier_source', 'fee_source', 'warnings', 'missing', 'other_fees'],
  ],
  ofBatch: 'user_id = ? AND account_id = ? AND symbol = ? AND batch_date = ?',
}

/** A trip as the cells of its row; one of which nothing is closed has no figures and no row. */
export const tripCells = (userId: string, batchDate: string, underWay: boolean, trip: Trip): readonly Cell[] => {
  const { id, account, contract, spec, date, direction, qty, maxPosition, pairCount } = trip
  return [
    userId, id, account, contract, batchDate, underWay ? 1 : 0, date, bookedDay({ time: trip.exitTime, tradeDate: trip.tradeDate }), direction, qty, maxPosition, pairCount, spec.tickSize, trip.basePrice,
    trip.entrySum, trip.exitSum, trip.entryTime, trip.exitTime, trip.grossPnl, trip.commission, trip.netPnl, spec.currency, spec.source, trip.feeSource, warningsText(trip.warnings), trip.missing, amountsText(trip.otherFees),
  ]
}

type RemovedPair = { qty: number; entry_price: Ticks; exit_price: Ticks; gross: Amount; commission: Amount; net: Amount; other_fees: string | null }

/** Ids of the trades of an account's contract that the user removed. */
export const removedTrades = (reader: Reader, userId: string, account: string, contract: string): readonly string[] =>
  query<{ trade_id: string }>(reader, 'SELECT trade_id FROM shown_notes WHERE user_id = ? AND account = ? AND contract = ? AND removed_at IS NOT NULL').all(userId, account, contract).map((row) => row.trade_id)

/** A trip as a batch leaves it, without the pairs that the user removed: those of this batch and of earlier ones are already in the table. Its place and times stay. */
export const lessRemoved = (reader: Reader, userId: string, trip: Trip, batchDate: string, removed: readonly string[]): Trip => {
  // Later batches are derived after this one: what the table still has of them may be gone in a moment.
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
