import type { LineReader } from './format.ts'
import { fillBar, fillPrint } from './row.ts'
import { clockUs, dateUs, digits, fractionUs, readNumber } from './wall.ts'

/** A line of NinjaTrader's text: `20261005 143010 1230000;…` of ticks, `20261005 143100;…` of minutes. */
export const ninjaLine = /^\d{8} \d{6}(?: \d{1,7})?;/

// Rows of a day follow each other.
let [lastDay, lastDayUs] = ['', NaN]

const wallOf = (stamp: string): number => {
  const day = stamp.slice(0, 8)
  if (day !== lastDay) [lastDay, lastDayUs] = [day, dateUs(digits(day, 0, 4), digits(day, 4, 6), digits(day, 6, 8))]
  const fraction = stamp.length > 15 ? fractionUs(stamp, 16, stamp.length) : 0
  return lastDayUs + clockUs(digits(stamp, 9, 11), digits(stamp, 11, 13), digits(stamp, 13, 15)) + fraction
}

/** `time;price;volume` or `time;last;bid;ask;volume`. */
export const ninjaTick: LineReader = (line, row) => {
  const cells = line.split(';')
  if (cells.length !== 3 && cells.length !== 5) return 'wrong-columns'
  return fillPrint(row, wallOf(cells[0] ?? ''), readNumber(cells[1]), readNumber(cells.at(-1)))
}

/** `time;open;high;low;close;volume`. */
export const ninjaMinute: LineReader = (line, row) => {
  const cells = line.split(';')
  if (cells.length !== 6) return 'wrong-columns'
  return fillBar(row, wallOf(cells[0] ?? ''), readNumber(cells[1]), readNumber(cells[2]), readNumber(cells[3]), readNumber(cells[4]), readNumber(cells[5]))
}
