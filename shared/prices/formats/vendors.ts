import type { LineReader } from './format.ts'
import { fillBar, fillPrint } from './row.ts'
import { readClock, readDay, readNumber } from './wall.ts'

/** Lines of FirstRateData: `2026-10-05 09:30:00,open,high,low,close,volume`, or `…,price,volume` of ticks. */
export const firstrateLine = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?,/
/** Lines of Kibot: `10/05/2026,09:30,open,high,low,close,volume`, or `…,09:30:00,price,bid,ask,size` of ticks. */
export const kibotLine = /^\d{1,2}\/\d{1,2}\/\d{4},\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?,/

export const firstrateBar: LineReader = (line, row) => {
  const cells = line.split(',')
  if (cells.length !== 6) return 'wrong-columns'
  return fillBar(row, wallIn(cells[0] ?? ''), readNumber(cells[1]), readNumber(cells[2]), readNumber(cells[3]), readNumber(cells[4]), readNumber(cells[5]))
}

export const firstrateTick: LineReader = (line, row) => {
  const cells = line.split(',')
  if (cells.length !== 3) return 'wrong-columns'
  return fillPrint(row, wallIn(cells[0] ?? ''), readNumber(cells[1]), readNumber(cells[2]))
}

export const kibotBar: LineReader = (line, row) => {
  const cells = line.split(',')
  if (cells.length !== 7) return 'wrong-columns'
  return fillBar(row, readDay(cells[0] ?? '') + readClock(cells[1] ?? ''), readNumber(cells[2]), readNumber(cells[3]), readNumber(cells[4]), readNumber(cells[5]), readNumber(cells[6]))
}

export const kibotTick: LineReader = (line, row) => {
  const cells = line.split(',')
  if (cells.length !== 6) return 'wrong-columns'
  return fillPrint(row, readDay(cells[0] ?? '') + readClock(cells[1] ?? ''), readNumber(cells[2]), readNumber(cells[5]))
}

const wallIn = (text: string): number => readDay(text.slice(0, 10)) + readClock(text.slice(11))
