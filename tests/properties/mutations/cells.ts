import { wallAt } from '#tests/helpers/exports/clock.ts'
import type { Table } from '#tests/helpers/exports/table.ts'

/** The row that a changed row was, so that the oracle knows what it meant. */
const origins = new WeakMap<readonly string[], readonly string[]>()
const meant = new WeakSet<readonly string[]>()

/** A row that was made out of another. `sameMeaning` says that only its way of writing changed. */
export const made = (from: readonly string[], cells: readonly string[], sameMeaning = false): readonly string[] => {
  origins.set(cells, originOf(from))
  if (sameMeaning || meant.has(from)) meant.add(cells)
  return cells
}

const turned = new WeakMap<readonly string[], readonly string[]>()

/** A row whose dates were written the other way round. */
export const madeTurned = (from: readonly string[], cells: readonly string[]): readonly string[] => {
  turned.set(cells, from)
  return made(from, cells, true)
}

/** The row before its dates were turned; null where they were not. */
export const beforeTurn = (row: readonly string[]): readonly string[] | null => turned.get(row) ?? null

/** The row as the broker wrote it. */
export const originOf = (row: readonly string[]): readonly string[] => origins.get(row) ?? row

/** Whether a row still means what the broker wrote, whatever it looks like. */
export const meansItsOrigin = (row: readonly string[]): boolean => meant.has(row)

/** A cell by the name of its column; undefined where there is no such column. */
export type Cells = (column: string) => string | undefined

/** The cells of a row below a header. */
export const cellsOf = (header: Table['header'], row: readonly string[]): Cells => {
  const at = new Map(header.map((name, index) => [name.trim().toLowerCase(), index]))
  return (column) => {
    const index = at.get(column.toLowerCase())
    return index === undefined ? undefined : (row[index] ?? '').trim()
  }
}

const wallShape = /^(?:(\d{1,2})\/(\d{1,2})\/(\d{4})|(\d{4})-(\d{2})-(\d{2})) (\d{1,2}):(\d{2}):(\d{2})(?: ([AP])M)?$/

/** What a wall clock showed, in ms as if it were UTC; null where the text is none. */
export const wallOf = (text: string): number | null => {
  const match = wallShape.exec(text)
  if (match === null) return null
  const [, month = match[5], day = match[6], year = match[4], , , , hour, minute, second, half] = match
  const [y, m, d, h, min, s] = [year, month, day, hour, minute, second].map(Number)
  if (y === undefined || m === undefined || d === undefined || h === undefined || min === undefined || s === undefined) return null
  const whole = half === undefined ? h : (h % 12) + (half === 'P' ? 12 : 0)
  const wall = Date.UTC(y, m - 1, d, whole, min, s)
  const made = new Date(wall)
  return made.getUTCMonth() === m - 1 && made.getUTCDate() === d && whole < 24 && min < 60 && s < 60 ? wall : null
}

/** The same shape of text with another wall time in it. */
export const wallText = (like: string, wall: number): string => {
  const [date = '', clock = ''] = new Date(wall).toISOString().slice(0, 19).split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  if (/^\d{4}-/.test(like)) return `${date} ${clock}`
  if (!/M$/.test(like)) return `${month}/${day}/${year} ${clock}`
  const hour = Number(clock.slice(0, 2))
  return `${String(Number(month))}/${String(Number(day))}/${year} ${String(hour % 12 === 0 ? 12 : hour % 12)}${clock.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`
}

const wallMs = (zone: string, time: number): number => {
  const { date, hour, minute, second } = wallAt(zone, time)
  return Date.parse(`${date}T00:00:00Z`) + ((hour * 60 + minute) * 60 + second) * 1000
}

/** UTC ms of a wall time in a zone. */
export const utcOf = (zone: string, wall: number): number => {
  const guess = wall - (wallMs(zone, wall) - wall)
  return wall - (wallMs(zone, guess) - guess)
}

/** Money in 1/10,000; null where the text is none. */
export const moneyOf = (text: string): bigint | null => {
  const match = /^(-)?\$?(\()?(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d{1,20}))?(\))?$/.exec(text)
  if (match === null || (match[2] === undefined) !== (match[5] === undefined)) return null
  const part = match[4] ?? ''
  // More than four decimals are the noise of a double.
  const units = BigInt((match[3] ?? '').replaceAll(',', '')) * 10_000n + BigInt(Math.round(Number(`0.${part === '' ? '0' : part}`) * 10_000))
  return match[1] !== undefined || match[2] !== undefined ? -units : units
}

/** A price in whole ticks, the noise of a double aside; null where it is none. */
export const ticksOf = (text: string, tickSize: string): number | null => {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return null
  const ticks = Number(text) / Number(tickSize)
  return Math.abs(ticks - Math.round(ticks)) < 0.001 ? Math.round(ticks) : null
}

/** A count of contracts from 1 on. */
export const countOf = (text: string): number | null => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : null)
