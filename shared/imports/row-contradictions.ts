import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import { parseDecimal } from '#shared/money/decimal.ts'
import { isTruncated, isUnclear, plainNumber, readWhole } from './cell-number.ts'
import { readDate, readWall } from './cell-time.ts'
import { isKnownDelivery } from './contract-code.ts'
import type { PairReading } from './reading.ts'
import { cellText, refuseCell, type OpenRow } from './row-cells.ts'

const dayLength = 86_400_000

/** Rejects a row whose two columns have different ids. */
export const refuseOtherId = (row: OpenRow, one: string, other: string): void => {
  const [first, second] = [cellText(row, one), cellText(row, other)]
  if (first !== '' && second !== '' && first !== second) refuseCell(row, other, 'contradicts')
}

/** Rejects a row with another quantity in a column than `qty`. */
export const refuseOtherQty = (row: OpenRow, column: string, qty: number): void => {
  const other = cellText(row, column) === '' ? null : readWhole(cellText(row, column), row.decimals)
  if (other !== null && (!other.ok || other.value !== qty)) refuseCell(row, column, other.ok ? 'contradicts' : other.error)
}

/** Rejects a row whose contract is a known delivery of another product than the column's. */
export const refuseOtherProduct = (row: OpenRow, column: string, contract: string): void => {
  if (isKnownDelivery(contract) && !contract.startsWith(cellText(row, column).toUpperCase())) refuseCell(row, column, 'contradicts')
}

/** Rejects a row whose price in a column differs from `price` (points) within its decimals. */
export const refuseOtherPrice = (row: OpenRow, column: string, price: number): void => {
  const text = cellText(row, column)
  if (text === '' || text.length > 40 || isUnclear(text, row.decimals)) return
  if (isTruncated(text)) {
    refuseCell(row, column, 'bad-number')
    return
  }
  // As in nearly every row.
  if (row.decimals === 'point' && Number(text) === price) return
  const shown = parseDecimal(plainNumber(text, row.decimals))
  if (shown === null) {
    // Prices have many formats, but a date here means shifted cells.
    if (readDate(text) !== null || readDate(text, true) !== null || readWall(text) !== null) refuseCell(row, column, 'bad-number')
    return
  }
  const lastPlace = /['’]/.test(text) ? 1 / 32 : 10 ** -shown.scale
  const value = Number(shown.digits) / 10 ** shown.scale
  if (Math.abs(value - price) >= lastPlace + Math.abs(price) * 1e-9) refuseCell(row, column, 'contradicts')
}

/** Rejects a row whose UTC and local times are further apart than any zone's offset. */
export const refuseOtherClock = (row: OpenRow, column: string, utc: number): void => {
  const text = cellText(row, column)
  const isNear = (wall: number): boolean => Math.abs(wall - utc) <= 1.5 * dayLength
  const monthFirst = readWall(text)
  if (monthFirst !== null && isNear(monthFirst)) return
  const dayFirst = readWall(text, true)
  if ((monthFirst !== null || dayFirst !== null) && (dayFirst === null || !isNear(dayFirst))) refuseCell(row, column, 'contradicts')
}

/** Rejects a row whose time is not near its session: at most two days after its date, and before it at most a week with holidays. */
export const refuseOtherSession = (row: OpenRow, column: string, tradeDate: string | null, time: number): void => {
  if (tradeDate === null || tradeDate === '') return
  const apart = dayOfDate(tradeDate) - Math.floor(time / dayLength)
  if (apart < -2 || apart > 8) refuseCell(row, column, 'contradicts')
}

/** Rejects a row booked on an earlier session than its UTC time: a broker books a holiday on the next session, never on an earlier one. */
export const refuseEarlierSession = (row: OpenRow, column: string, tradeDate: string | null, utc: number): void => {
  if (tradeDate !== null && tradeDate !== '' && tradeDate < tradingDay(utc)) refuseCell(row, column, 'contradicts')
}

/** Rejects a pair whose P&L has the wrong sign for its prices. */
export const refuseOtherSign = (row: OpenRow, column: string, { buy, sell, pnl }: PairReading): void => {
  const gain = Math.sign(sell.price - buy.price)
  if (pnl !== 0 && Math.sign(pnl) !== gain) refuseCell(row, column, 'contradicts')
}

/** A duration's seconds, `1h 28min 12sec`; null if it is not one. */
export const durationIn = (text: string): number | null => {
  const [whole = '', hours = '0', minutes = '0', seconds = '0'] = durationShape.exec(text.trim()) ?? []
  return whole === '' ? null : (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
}

const durationShape = /^(?:(\d+)h)? ?(?:(\d+)min)? ?(?:(\d+)sec)?$/
const hour = 3600

/** Rejects a pair whose times contradict its duration, apart from clock changes. */
export const refuseOtherDuration = (row: OpenRow, column: string, { buy, sell }: PairReading): void => {
  const duration = durationIn(cellText(row, column))
  if (duration === null) return
  const off = Math.abs(Math.abs(sell.time - buy.time) / 1000 - duration)
  if (off > 2 && Math.abs(off - hour) > 2) refuseCell(row, column, 'contradicts')
}
