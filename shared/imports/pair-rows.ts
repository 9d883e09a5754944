import type { Result } from '#shared/base/result.ts'
import type { PairReading, RowProblem } from './reading.ts'
import {
  cellText, finishRow, optionalCurrency, optionalDate, optionalId, productOf, requiredContract, requiredId, requiredMoney, requiredPrice, requiredQty, requiredText, requiredTime,
  tickSizeOf, type OpenRow,
} from './row-cells.ts'

/** A row of a Performance report: one pair, of an account that the file does not name. */
export const readPerformanceRow = (row: OpenRow): Result<PairReading, RowProblem> => {
  const contract = requiredContract(row, 'symbol')
  const tickSize = tickSizeOf(row, contract)
  return finishRow(row, {
    says: 'pair',
    account: { id: null, name: null },
    pairId: null,
    contract,
    buy: { fillId: requiredId(row, 'buyFillId'), time: requiredTime(row, 'boughtTimestamp'), price: requiredPrice(row, 'buyPrice', tickSize) },
    sell: { fillId: requiredId(row, 'sellFillId'), time: requiredTime(row, 'soldTimestamp'), price: requiredPrice(row, 'sellPrice', tickSize) },
    qty: requiredQty(row, 'qty'),
    tickSize,
    pnl: requiredMoney(row, 'pnl'),
    currency: null,
    tradeDate: null,
  })
}

const pairColumns = ['Pair ID', 'Buy Fill ID', 'Sell Fill ID', 'Paired Qty', 'Buy Price', 'Sell Price', 'P/L', 'Bought Timestamp', 'Sold Timestamp']

/** A row of the Position History: one pair; null for a position that is still open, whose pair fields are empty. */
export const readPositionHistoryRow = (row: OpenRow): Result<PairReading | null, RowProblem> => {
  if (pairColumns.every((column) => cellText(row, column) === '')) {
    requiredText(row, 'Account')
    requiredContract(row, 'Contract')
    return finishRow(row, null)
  }
  const contract = requiredContract(row, 'Contract')
  const product = productOf(row, contract)
  const tickSize = tickSizeOf(row, contract, product)
  return finishRow(row, {
    says: 'pair',
    account: { id: null, name: requiredText(row, 'Account') },
    pairId: optionalId(row, 'Pair ID'),
    contract,
    ...(product !== null && { product }),
    buy: { fillId: requiredId(row, 'Buy Fill ID'), time: requiredTime(row, 'Bought Timestamp'), price: requiredPrice(row, 'Buy Price', tickSize) },
    sell: { fillId: requiredId(row, 'Sell Fill ID'), time: requiredTime(row, 'Sold Timestamp'), price: requiredPrice(row, 'Sell Price', tickSize) },
    qty: requiredQty(row, 'Paired Qty'),
    tickSize,
    pnl: requiredMoney(row, 'P/L'),
    currency: optionalCurrency(row, 'Currency'),
    tradeDate: optionalDate(row, 'Trade Date'),
  })
}
