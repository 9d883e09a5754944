import type { PriceRow, PriceRowProblem } from './format.ts'

/** A row with nothing in it. */
export const emptyRow = (): PriceRow => ({ wall: NaN, open: NaN, high: NaN, low: NaN, close: NaN, size: 0, symbol: null })

/** Fills a row with a print. */
export const fillPrint = (row: PriceRow, wall: number, price: number, size: number): PriceRowProblem | null => {
  row.wall = wall
  row.open = row.high = row.low = row.close = price
  row.size = size
  return problemOf(row)
}

/** Fills a row with a bar. */
export const fillBar = (row: PriceRow, wall: number, open: number, high: number, low: number, close: number, volume: number): PriceRowProblem | null => {
  row.wall = wall
  row.open = open
  row.high = high
  row.low = low
  row.close = close
  row.size = volume
  return problemOf(row)
}

const problemOf = ({ wall, open, high, low, close, size }: PriceRow): PriceRowProblem | null => {
  if (!Number.isSafeInteger(wall)) return 'bad-time'
  // A sum with an invalid number is invalid.
  if (Number.isNaN(open + high + low + close) || !(size >= 0) || !Number.isSafeInteger(size)) return 'bad-number'
  return high >= open && high >= close && low <= open && low <= close ? null : 'contradicts'
}
