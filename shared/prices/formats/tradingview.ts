import type { LineReader } from './format.ts'
import { fillBar } from './row.ts'
import { readIso, readNumber } from './wall.ts'

/** The reader of a TradingView chart's rows by their header: times are Unix seconds or bear an offset. Null for another header. */
export const tradingviewReader = (header: readonly string[]): LineReader | null => {
  const names = header.map((name) => name.trim().toLowerCase())
  const [time, open, high, low, close, volume] = ['time', 'open', 'high', 'low', 'close', 'volume'].map((name) => names.indexOf(name)) as [number, number, number, number, number, number]
  if (time !== 0 || Math.min(open, high, low, close) < 0) return null
  return (line, row) => {
    const cells = line.split(',')
    if (cells.length < names.length) return 'wrong-columns'
    const moment = cells[time] ?? ''
    const wall = /^\d{9,11}$/.test(moment) ? Number(moment) * 1_000_000 : readIso(moment)
    // A chart without volume has no such column.
    return fillBar(row, wall, readNumber(cells[open]), readNumber(cells[high]), readNumber(cells[low]), readNumber(cells[close]), volume < 0 ? 0 : Math.round(readNumber(cells[volume])))
  }
}
