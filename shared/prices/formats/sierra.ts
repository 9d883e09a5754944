import type { LineReader, PriceRow, PriceRowProblem } from './format.ts'
import { fillBar, fillPrint } from './row.ts'
import { readClock, readDay, readNumber } from './wall.ts'

/** Whether a header is Sierra Chart's: `Date, Time, Open, High, Low, Last, Volume, …`. */
export const isSierraHeader = (header: readonly string[]): boolean => ['date', 'time', 'open', 'high', 'low', 'last', 'volume'].every((name, place) => header[place]?.trim().toLowerCase() === name)

/** A row of a trade alone has no open: its high and low are ask and bid. */
const isTrade = (open: number): boolean => open === 0 || open < -1e36

/** A line of Sierra Chart's text, of trades or of bars. */
export const sierraLine = (grain: 'prints' | 'bars'): LineReader => (line, row) => {
  const cells = line.split(',')
  if (cells.length < 7) return 'wrong-columns'
  const wall = readDay((cells[0] ?? '').trim()) + readClock((cells[1] ?? '').trim().replace(/^\d:/, '0$&'))
  return fillRow(row, grain, wall, readNumber(cells[2]), readNumber(cells[3]), readNumber(cells[4]), readNumber(cells[5]), readNumber(cells[6]))
}

const fillRow = (row: PriceRow, grain: 'prints' | 'bars', wall: number, open: number, high: number, low: number, close: number, volume: number): PriceRowProblem | null => {
  if (grain === 'bars') return isTrade(open) ? 'other-instrument' : fillBar(row, wall, open, high, low, close, volume)
  return isTrade(open) || (open === close && high === low) ? fillPrint(row, wall, close, volume) : 'other-instrument'
}

/** Where the records of a `.scid` begin and how long each is; null for bytes that are none. */
export const scidHeader = (bytes: Uint8Array): { readonly header: number; readonly record: number } | null => {
  if (bytes.length < 56 || String.fromCharCode(...bytes.subarray(0, 4)) !== 'SCID') return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [header, record] = [view.getUint32(4, true), view.getUint32(8, true)]
  return header >= 56 && header <= 4096 && record >= 40 && record <= 256 ? { header, record } : null
}

// Days from 30 December 1899 to 1970, in µs.
const epoch = 25_569 * 86_400_000_000

/** Reads a record of a `.scid`, which begins at `at`. */
export const scidRecord = (view: DataView, at: number, grain: 'prints' | 'bars', row: PriceRow): PriceRowProblem | null => {
  const wall = view.getUint32(at, true) + view.getInt32(at + 4, true) * 2 ** 32 - epoch
  return fillRow(row, grain, wall, view.getFloat32(at + 8, true), view.getFloat32(at + 12, true), view.getFloat32(at + 16, true), view.getFloat32(at + 20, true), view.getUint32(at + 28, true))
}

/** Whether a record is of one trade. */
export const isScidTrade = (view: DataView, at: number): boolean => isTrade(view.getFloat32(at + 8, true))
