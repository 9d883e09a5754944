import type { Result } from '#shared/base/result.ts'
import { contractSpecOf, namedContractSpec } from '#shared/market/contract-spec.ts'
import type { PairReading, PositionReading, RowProblem } from './reading.ts'
import { refuseOtherDuration, refuseOtherSession, refuseOtherSign } from './row-contradictions.ts'
import {
  cellText, finishRow, optionalCurrency, optionalDate, optionalId, productOf, requiredAccount, requiredContract, requiredDate, requiredFillId, requiredId, requiredMoney, requiredNet, requiredPrice, requiredQty, requiredTime, signedCurrency,
  tickSizeOf, type OpenRow,
} from './row-cells.ts'

/** Reads a Performance report row: one pair of an unnamed account. */
export const readPerformanceRow = (row: OpenRow): Result<PairReading, RowProblem> => {
  const contract = requiredContract(row, 'symbol')
  const tickSize = tickSizeOf(row, contract)
  const reading: PairReading = {
    says: 'pair',
    account: { id: null, name: null },
    pairId: null,
    contract,
    buy: { fillId: requiredId(row, 'buyFillId'), time: requiredTime(row, 'boughtTimestamp'), price: requiredPrice(row, 'buyPrice', tickSize) },
    sell: { fillId: requiredId(row, 'sellFillId'), time: requiredTime(row, 'soldTimestamp'), price: requiredPrice(row, 'sellPrice', tickSize) },
    qty: requiredQty(row, 'qty'),
    tickSize,
    pnl: requiredMoney(row, 'pnl'),
    currency: signedCurrency(row, contractSpecOf(contract).currency),
    tradeDate: null,
  }
  refuseOtherSign(row, 'pnl', reading)
  refuseOtherDuration(row, 'duration', reading)
  return finishRow(row, reading)
}

const pairColumns = ['Pair ID', 'Buy Fill ID', 'Sell Fill ID', 'Paired Qty', 'Buy Price', 'Sell Price', 'P/L', 'Bought Timestamp', 'Sold Timestamp']

/** Reads a Position History row: one pair, or an open position, whose pair fields are empty. */
export const readPositionHistoryRow = (row: OpenRow): Result<PairReading | PositionReading | null, RowProblem> => {
  if (pairColumns.every((column) => cellText(row, column) === '')) return finishRow(row, openPosition(row))
  const contract = requiredContract(row, 'Contract')
  const product = productOf(row, contract)
  const tickSize = tickSizeOf(row, contract, product)
  const reading: PairReading = {
    says: 'pair',
    account: { id: null, name: requiredAccount(row, 'Account', contract) },
    pairId: optionalId(row, 'Pair ID'),
    contract,
    ...(product !== null && { product }),
    buy: { fillId: requiredFillId(row, 'Buy Fill ID'), time: requiredTime(row, 'Bought Timestamp'), price: requiredPrice(row, 'Buy Price', tickSize) },
    sell: { fillId: requiredFillId(row, 'Sell Fill ID'), time: requiredTime(row, 'Sold Timestamp'), price: requiredPrice(row, 'Sell Price', tickSize) },
    qty: requiredQty(row, 'Paired Qty'),
    tickSize,
    pnl: requiredMoney(row, 'P/L'),
    currency: optionalCurrency(row, 'Currency') ?? signedCurrency(row, namedContractSpec(contract, product).currency),
    tradeDate: optionalDate(row, 'Trade Date'),
  }
  refuseOtherSign(row, 'P/L', reading)
  refuseOtherSession(row, 'Trade Date', reading.tradeDate, Math.max(reading.buy.time, reading.sell.time))
  return finishRow(row, reading)
}

/** The open position of a row without a pair; null if the file has no size. */
const openPosition = (row: OpenRow): PositionReading | null => {
  const contract = requiredContract(row, 'Contract')
  const account = { id: null, name: requiredAccount(row, 'Account', contract) }
  if (['Timestamp', 'Trade Date', 'Net Pos'].some((column) => cellText(row, column) === '')) return null
  return { says: 'position', account, contract, time: requiredTime(row, 'Timestamp'), tradeDate: requiredDate(row, 'Trade Date'), net: requiredNet(row, 'Net Pos') }
}
