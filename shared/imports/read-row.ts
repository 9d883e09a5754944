import { ok, type Result } from '#shared/base/result.ts'
import type { Side } from '#shared/fills/fill.ts'
import { contractSpecOf, namedContractSpec } from '#shared/market/contract-spec.ts'
import { readBalanceRow, readCashHistoryRow } from './cash-rows.ts'
import { datedReading, contractOfInstrument } from './contract-code.ts'
import { isPlatformKind, type ExportKind, type OwnKind } from './export-kind.ts'
import { readOrdersRow } from './order-rows.ts'
import { platforms } from './platforms/platforms.ts'
import type { ExportRow, Reading, RowProblem, FillReading, PairReading, PositionReading } from './reading.ts'
import { openRow, type OpenRow, accountWithoutFirm, cellText, feesOf, filledColumn, finishRow, optionalAccountNumber, optionalDate, optionalId, optionalText, productOf, refuseCell, requiredAccount, requiredContract, requiredId, requiredPrice, requiredQty, requiredSide, requiredText, requiredTime, requiredUtc, tickSizeOf, optionalCurrency, requiredDate, requiredFillId, requiredMoney, requiredNet, signedCurrency } from './row-cells.ts'
import { refuseEarlierSession, refuseOtherClock, refuseOtherId, refuseOtherPrice, refuseOtherProduct, refuseOtherQty, refuseOtherSession, refuseOtherDuration, refuseOtherSign } from './row-contradictions.ts'

/** Reads a Fills report row: one execution, in UTC if the file has it. */
const readFillsRow = (row: OpenRow): Result<FillReading, RowProblem> => {
  const contract = requiredContract(row, 'Contract')
  const product = productOf(row, contract)
  const tickSize = tickSizeOf(row, contract, product)
  const inUtc = cellText(row, '_timestamp') !== ''
  const reading: FillReading = {
    says: 'fill',
    account: { id: optionalAccountNumber(row, '_accountId'), name: requiredAccount(row, 'Account', contract) },
    fillId: requiredId(row, filledColumn(row, ['Fill ID', '_id'])),
    orderId: optionalId(row, filledColumn(row, ['Order ID', '_orderId'])),
    contract,
    ...(product !== null && { product }),
    time: inUtc ? requiredUtc(row, '_timestamp') : requiredTime(row, 'Timestamp'),
    side: sideOfFill(row),
    qty: requiredQty(row, filledColumn(row, ['Quantity', '_qty'])),
    // `Price` is for display and may lack decimals; `_price` is the number with float noise.
    price: requiredPrice(row, filledColumn(row, ['_price', 'Price']), tickSize),
    tickSize,
    ...feesOf(row, 'commission', contract, product),
    active: isActive(row),
    tradeDate: optionalDate(row, '_tradeDate'),
  }
  refuseOtherProduct(row, 'Product', contract)
  refuseOtherId(row, '_id', 'Fill ID')
  refuseOtherId(row, '_orderId', 'Order ID')
  refuseOtherQty(row, '_qty', reading.qty)
  refuseOtherPrice(row, 'Price', reading.price * Number(tickSize))
  if (inUtc) {
    refuseOtherClock(row, 'Timestamp', reading.time)
    refuseEarlierSession(row, '_tradeDate', reading.tradeDate, reading.time)
  }
  refuseOtherSession(row, '_tradeDate', reading.tradeDate, reading.time)
  return finishRow(row, reading)
}

const sideOfFill = (row: OpenRow): Side => {
  const named = requiredSide(row, filledColumn(row, ['B/S', '_action']))
  if (cellText(row, '_action') !== '' && requiredSide(row, '_action') !== named) refuseCell(row, 'B/S', 'contradicts')
  return named
}

const isActive = (row: OpenRow): boolean => {
  const text = cellText(row, '_active').toLowerCase()
  if (text !== '' && text !== 'true' && text !== 'false') refuseCell(row, '_active', 'contradicts')
  return text !== 'false'
}

/** Reads a row of NinjaTrader's executions grid: one execution, in local time. */
const readNinjaTraderRow = (row: OpenRow): Result<FillReading, RowProblem> => {
  const contract = contractOfInstrument(requiredContract(row, 'Instrument'))
  const tickSize = tickSizeOf(row, contract)
  const position = cellText(row, 'Position')
  if (!positionText.test(position)) refuseCell(row, 'Position', 'bad-number')
  const netAfter = positionOf(position)
  // The exchange rate is not needed, but letters in it mean shifted cells.
  if (/\p{L}/u.test(cellText(row, 'Rate'))) refuseCell(row, 'Rate', 'bad-number')
  return finishRow(row, {
    says: 'fill',
    account: { id: null, name: accountWithoutFirm(requiredText(row, filledColumn(row, ['Account', 'Account display name']))) },
    fillId: requiredId(row, 'ID'),
    orderId: optionalText(row, 'Order ID'),
    contract,
    time: requiredTime(row, 'Time'),
    side: requiredSide(row, 'Action'),
    qty: requiredQty(row, 'Quantity'),
    price: requiredPrice(row, 'Price', tickSize),
    tickSize,
    ...feesOf(row, 'Commission', contract),
    active: true,
    ...(netAfter === null ? {} : { netAfter }),
    tradeDate: null,
  })
}

// Other languages have other letters than L and S.
const positionText = /^(?:-|\d{1,7}(?: ?\p{L}+)?)?$/u
const positionShape = /^(\d{1,7}) ?([LS])$/i

/** The position after an execution: `3 L`, `2 S`, or `-` if flat. Null for anything else; that is no error, since it only helps to sort. */
const positionOf = (text: string): number | null => {
  if (text === '-' || text === '0') return 0
  const [, count, side] = positionShape.exec(text) ?? []
  return count === undefined ? null : side?.toUpperCase() === 'S' ? -Number(count) : Number(count)
}

/** Reads a Performance report row: one pair of an unnamed account. */
const readPerformanceRow = (row: OpenRow): Result<PairReading, RowProblem> => {
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
const readPositionHistoryRow = (row: OpenRow): Result<PairReading | PositionReading | null, RowProblem> => {
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

const readers: Readonly<Record<OwnKind, (row: OpenRow) => Result<Reading | null, RowProblem>>> = {
  performance: readPerformanceRow,
  'position-history': readPositionHistoryRow,
  fills: readFillsRow,
  orders: readOrdersRow,
  'cash-history': readCashHistoryRow,
  'account-balance-history': readBalanceRow,
  'ninjatrader-executions': readNinjaTraderRow,
}

/**
 * Reads a row of an export, local times in `zone` (IANA, otherwise a RangeError). Null if it is valid but has nothing to record, like an unfilled
 * order; rejected with the column at fault if unreadable.
 */
export const readRow = (kind: ExportKind, row: ExportRow, zone: string): Result<Reading | null, RowProblem> => {
  const read = (isPlatformKind(kind) ? platforms[kind].read : readers[kind])(openRow(row, zone))
  return read.ok && read.value !== null ? ok(datedReading(read.value)) : read
}
