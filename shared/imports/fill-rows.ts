import type { Result } from '#shared/base/result.ts'
import type { Side } from '#shared/fills/fill.ts'
import { contractOfInstrument } from './contract-code.ts'
import type { FillReading, RowProblem } from './reading.ts'
import { refuseEarlierSession, refuseOtherClock, refuseOtherId, refuseOtherPrice, refuseOtherProduct, refuseOtherQty, refuseOtherSession } from './row-contradictions.ts'
import {
  accountWithoutFirm, cellText, feesOf, filledColumn, finishRow, optionalAccountNumber, optionalDate, optionalId, optionalText, productOf, refuseCell, requiredAccount, requiredContract, requiredId, requiredPrice, requiredQty, requiredSide,
  requiredText, requiredTime, requiredUtc, tickSizeOf, type OpenRow,
} from './row-cells.ts'

/** Reads a Fills report row: one execution, in UTC if the file has it. */
export const readFillsRow = (row: OpenRow): Result<FillReading, RowProblem> => {
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
export const readNinjaTraderRow = (row: OpenRow): Result<FillReading, RowProblem> => {
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
