import { bookedDay } from '#shared/fills/booked-day.ts'
import { amountsText } from '#shared/money/currency-amounts.ts'
import { directionOf, pairIdOf, type Pair, type TradeWarning } from '#shared/pnl/pair.ts'
import type { Cell } from '../db/bulk-insert.ts'
import type { DerivedTable } from '../fills/derived-rows.ts'

/** Every derived trade came from the one broker there is. */
export const brokerPlatform = 'Tradovate'

/** Where derived pairs are kept; their batch is that of their date. */
export const pairTable: DerivedTable = {
  table: 'trades',
  columns: [
    ...['user_id', 'id', 'origin', 'account_id', 'account', 'symbol', 'date', 'trading_day', 'side', 'qty', 'tick_size', 'entry_price', 'exit_price'],
    ...['entry_time', 'exit_time', 'gross', 'commission', 'net', 'currency', 'platform', 'trip_id', 'multiplier_source', 'fee_source', 'warnings', 'missing', 'other_fees', 'fee_from'],
  ],
  ofBatch: `user_id = ? AND account_id = ? AND symbol = ? AND date = ? AND origin = 'synced'`,
}

/** Warnings as they are kept, a JSON list. */
export const warningsText = (warnings: readonly TradeWarning[]): string => (warnings.length === 0 ? '[]' : JSON.stringify(warnings))

/** A pair as the cells of its row. */
export const pairCells = (userId: string, pair: Pair): readonly Cell[] => {
  const { tripId, date, opening, closing, spec, qty } = pair
  return [
    userId, pairIdOf(pair), 'synced', opening.account, null, opening.contract, date, bookedDay(closing), directionOf(pair), qty, spec.tickSize, opening.price, closing.price,
    opening.time, closing.time, pair.grossPnl, pair.commission, pair.netPnl, spec.currency, brokerPlatform, tripId, spec.source, pair.feeSource, warningsText(pair.warnings), pair.missing, amountsText(pair.otherFees),
    pair.feeFrom === undefined ? null : JSON.stringify(pair.feeFrom),
  ]
}
