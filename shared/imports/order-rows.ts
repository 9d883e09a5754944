import type { Result } from '#shared/base/result.ts'
import { divideRounded, parseDecimal, tenTo } from '#shared/money/decimal.ts'
import { isTruncated, isUnclear, plainNumber } from './cell-number.ts'
import { refuseOtherId, refuseOtherPrice } from './row-contradictions.ts'
import type { OrderReading, RowProblem } from './reading.ts'
import {
  cellText, filledColumn, finishRow, optionalCurrency, optionalQty, productOf, refuseCell, refuseTooHigh, requiredAccount, requiredContract, requiredId, requiredSide, requiredText, requiredTime, tickSizeOf, type OpenRow,
} from './row-cells.ts'

const averages = ['decimalFillAvg', 'avgPrice', 'Avg Fill Price'] as const

/** Reads an Orders report row: its filled part, even if canceled later; null if nothing filled. */
export const readOrdersRow = (row: OpenRow): Result<OrderReading | null, RowProblem> => {
  const qty = qtyFilled(row)
  if (qty === 0) return finishRow(row, null)
  const contract = requiredContract(row, 'Contract')
  const product = productOf(row, contract)
  const tickSize = tickSizeOf(row, contract, product)
  const filledAt = requiredTime(row, 'Fill Time')
  const reading: OrderReading = {
    says: 'order',
    account: { id: null, name: requiredAccount(row, 'Account', contract) },
    orderId: requiredId(row, filledColumn(row, ['orderId', 'Order ID'])),
    contract,
    ...(product !== null && { product }),
    // Nothing fills before it is placed: a later time here is that of the last modification.
    placedAt: cellText(row, 'Timestamp') === '' ? filledAt : Math.min(requiredTime(row, 'Timestamp'), filledAt),
    filledAt,
    side: requiredSide(row, 'B/S'),
    qty,
    priceSum: priceSumOf(row, filledColumn(row, averages), qty, tickSize),
    tickSize,
    currency: optionalCurrency(row, 'Currency'),
  }
  refuseOtherId(row, 'orderId', 'Order ID')
  for (const column of averages) refuseOtherPrice(row, column, (reading.priceSum / qty) * Number(tickSize))
  return finishRow(row, reading)
}

const qtyFilled = (row: OpenRow): number => {
  const [one, other] = [optionalQty(row, 'filledQty'), optionalQty(row, 'Filled Qty')]
  if (one !== null && other !== null && one !== other) refuseCell(row, 'Filled Qty', 'contradicts')
  const qty = one ?? other ?? 0
  if (qty === 0 && cellText(row, 'Status').toLowerCase() === 'filled') refuseCell(row, filledColumn(row, ['filledQty', 'Filled Qty']), 'missing')
  return qty
}

/**
 * Average price times quantity in whole ticks. The average may lie between ticks and be rounded in the file: the sum is the only whole number of
 * ticks that fits; if several fit, the row is rejected.
 */
export const priceSumOf = (row: OpenRow, column: string, qty: number, tickSize: string): number => {
  const text = requiredText(row, column)
  if (isUnclear(text, row.decimals)) refuseCell(row, column, 'unclear-number')
  const average = text.length > 40 || isTruncated(text) ? null : parseDecimal(plainNumber(text, row.decimals))
  const tick = parseDecimal(tickSize)
  if (average === null || tick === null) {
    refuseCell(row, column, 'bad-number')
    return 0
  }
  const value = average.digits * BigInt(qty) * tenTo(tick.scale)
  const size = tick.digits * tenTo(average.scale)
  const count = divideRounded(value, size, 'half-even')
  const off = value > count * size ? value - count * size : count * size - value
  const lastPlace = BigInt(qty) * tenTo(tick.scale)
  const exact = off * 1000n < size
  const rounded = off * 2n <= lastPlace && lastPlace < size
  if (!exact && !rounded) refuseCell(row, column, 'off-tick')
  const sum = Number(count)
  refuseTooHigh(row, column, sum / qty, tickSize)
  return sum
}
