import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import { parseDecimal } from '#shared/money/decimal.ts'
import { isCut, isUnclear, plainNumber, readWhole } from './cell-number.ts'
import { readDate, readWall } from './cell-time.ts'
import { isKnownDelivery } from './contract-code.ts'
import type { PairReading } from './reading.ts'
import { cellText, refuseCell, type OpenRow } from './row-cells.ts'

const dayLength = 86_400_000

/** Refuses a row whose two columns name different ids. */
export const refuseOtherId = (row: OpenRow, one: string, other: string): void => {
  const [first, second] = [cellText(row, one), cellText(row, other)]
  if (first !== '' && second !== '' && first !== second) refuseCell(row, other, 'contradicts')
}

/** Refuses a row that has another number of contracts in a column than `qty`. */
export const refuseOtherQty = (row: OpenRow, column: string, qty: number): void => {
  const other = cellText(row, column) === '' ? null : readWhole(cellText(row, column), row.decimals)
  if (other !== null && (!other.ok || other.value !== qty)) refuseCell(row, column, other.ok ? 'contradicts' : other.error)
}

/** Refuses a row whose contract is a known delivery of another product than a column names. */
export const refuseOtherProduct = (row: OpenRow, column: string, contract: string): void => {
  if (isKnownDelivery(contract) && !contract.startsWith(cellText(row, column).toUpperCase())) refuseCell(row, column, 'contradicts')
}

/** Refuses a row whose price in a column, as far as its decimals go, is another than `price`, in points. */
export const refuseOtherPrice = (row: OpenRow, column: string, price: number): void => {
  const text = cellText(row, column)
  if (text === '' || text.length > 40 || isUnclear(text, row.decimals)) return
  if (isCut(text)) {
    refuseCell(row, column, 'bad-number')
    return
  }
  const shown = parseDecimal(plainNumber(text, row.decimals))
  if (shown === null) {
    // Prices have many a shape, but none of a date: the cells stand under each other's columns.
    if (readDate(text) !== null || readDate(text, true) !== null || readWall(text) !== null) refuseCell(row, column, 'bad-number')
    return
  }
  const lastPlace = /['’]/.test(text) ? 1 / 32 : 10 ** -shown.scale
  const value = Number(shown.digits) / 10 ** shown.scale
  if (Math.abs(value - price) >= lastPlace + Math.abs(price) * 1e-9) refuseCell(row, column, 'contradicts')
}

/** Refuses a row whose time in UTC and whose local time lie farther apart than any two zones. */
export const refuseOtherClock = (row: OpenRow, column: string, utc: number): void => {
  const text = cellText(row, column)
  const walls = [readWall(text), readWall(text, true)].filter((wall) => wall !== null)
  if (walls.length > 0 && walls.every((wall) => Math.abs(wall - utc) > 1.5 * dayLength)) refuseCell(row, column, 'contradicts')
}

/** Refuses a row whose time is not in the session that it is booked on: at most two days behind its date, and before it over a week with holidays. */
export const refuseOtherSession = (row: OpenRow, column: string, tradeDate: string | null, time: number): void => {
  if (tradeDate === null || tradeDate === '') return
  const apart = dayOfDate(tradeDate) - Math.floor(time / dayLength)
  if (apart < -2 || apart > 8) refuseCell(row, column, 'contradicts')
}

/** Refuses a row whose time in UTC is in a later session than the one that it is booked on: a broker books a holiday's session on the next one, and none on an earlier one. */
export const refuseEarlierSession = (row: OpenRow, column: string, tradeDate: string | null, utc: number): void => {
  if (tradeDate !== null && tradeDate !== '' && tradeDate < tradingDay(utc)) refuseCell(row, column, 'contradicts')
}

/** Refuses a pair whose P&L has another sign than its prices. */
export const refuseOtherSign = (row: OpenRow, column: string, { buy, sell, pnl }: PairReading): void => {
  const gain = Math.sign(sell.price - buy.price)
  if (pnl !== 0 && Math.sign(pnl) !== gain) refuseCell(row, column, 'contradicts')
}

/** The seconds of a duration, `1h 28min 12sec`; null where the text is none. */
export const durationIn = (text: string): number | null => {
  const [whole = '', hours = '0', minutes = '0', seconds = '0'] = durationShape.exec(text.trim()) ?? []
  return whole === '' ? null : (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
}

const durationShape = /^(?:(\d+)h)? ?(?:(\d+)min)? ?(?:(\d+)sec)?$/
const hour = 3600

/** Refuses a pair whose times lie farther apart, or nearer, than the duration beside them says; clocks may have changed between. */
export const refuseOtherDuration = (row: OpenRow, column: string, { buy, sell }: PairReading): void => {
  const duration = durationIn(cellText(row, column))
  if (duration === null) return
  const off = Math.abs(Math.abs(sell.time - buy.time) / 1000 - duration)
  if (off > 2 && Math.abs(off - hour) > 2) refuseCell(row, column, 'contradicts')
}
