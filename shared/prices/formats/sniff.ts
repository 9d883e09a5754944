import { err, ok, type Result } from '#shared/base/result.ts'
import { databentoReader } from './databento.ts'
import type { LineReader, PriceFileProblem, PriceFormat, PriceRow, PriceRowProblem, PriceShape } from './format.ts'
import { ninjaLine, ninjaMinute, ninjaTick } from './ninjatrader.ts'
import { emptyRow } from './row.ts'
import { isScidTrade, isSierraHeader, scidHeader, scidRecord, sierraLine } from './sierra.ts'
import { tradingviewReader } from './tradingview.ts'
import { firstrateBar, firstrateLine, firstrateTick, kibotBar, kibotLine, kibotTick } from './vendors.ts'

/** How a file of prices is read: line by line, or in records of so many bytes. `named`: whether each row names its contract. */
export type PriceReading = { readonly shape: PriceShape; readonly named: boolean } & (
  | { readonly read: LineReader }
  | { readonly header: number; readonly record: number; readonly readRecord: (view: DataView, at: number, row: PriceRow) => PriceRowProblem | null }
)

type Sniffed = Result<PriceReading, PriceFileProblem>

/** How many bytes at the start of a file identify it. */
export const sniffedBytes = 64 * 1024

const second = 1_000_000
const widest = 3600 * second

/** Recognizes a file of prices by its name and first bytes (`sniffedBytes`, or all of it); null if it is not one. */
export const sniffPrices = (name: string, head: Uint8Array): Sniffed | null => {
  if (/\.ncd$/i.test(name)) return err('binary-ninjatrader')
  const scid = scidHeader(head)
  if (scid !== null) return sniffScid(head, scid)
  const lines = latin1(head.subarray(0, sniffedBytes)).replace(byteOrderMark, '').split(/\r?\n/)
  // The last line may be cut.
  if (head.length >= sniffedBytes) lines.pop()
  return sniffText(name, lines.filter((line) => line.trim() !== ''))
}

/** The three bytes before UTF-8 text, read one by one. */
export const byteOrderMark = /^ï»¿/

const latin1 = (bytes: Uint8Array): string => Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, part) => String.fromCharCode(...bytes.subarray(part * 4096, (part + 1) * 4096))).join('')

const usual = { utc: false, zone: 'America/New_York', label: 'start', labelKnown: false, scaled: false, noise: 0.001, headerLines: 0 } as const

const sniffText = (name: string, lines: readonly string[]): Sniffed | null => {
  const [first = '', second_ = ''] = lines
  const bars = (format: PriceFormat, read: LineReader, more: Partial<PriceShape> = {}): Sniffed => {
    const rows = lines.slice(more.headerLines ?? 0)
    const width = widthOf(rows.flatMap((line) => wallIn((row) => read(line, row))))
    if (width === null) return err(rows.length === 0 ? 'no-rows' : 'unknown-width')
    if (width > widest) return err('too-wide')
    return ok({ shape: { ...usual, format, grain: width, ...more }, read, named: false })
  }
  const prints = (format: PriceFormat, read: LineReader, more: Partial<PriceShape> = {}): Sniffed => ok({ shape: { ...usual, format, grain: 0, labelKnown: true, ...more }, read, named: false })

  if (ninjaLine.test(first)) {
    if (/\.(bid|ask)\b/i.test(name)) return err('not-trades')
    const isMinutes = first.split(';').length === 6
    return isMinutes ? bars('ninjatrader-minutes', ninjaMinute, { zone: 'UTC', label: 'end' }) : prints('ninjatrader-ticks', ninjaTick, { zone: 'UTC' })
  }
  if (/^\d{8};/.test(first)) return err('too-wide')
  if (firstrateLine.test(first)) return first.split(',').length === 3 ? prints('firstrate-ticks', firstrateTick) : bars('firstrate', firstrateBar)
  if (kibotLine.test(first)) return first.split(',').length === 6 ? prints('kibot-ticks', kibotTick) : bars('kibot', kibotBar)
  const header = first.split(',')
  if (isSierraHeader(header)) {
    const more = { headerLines: 1, scaled: true, zone: 'UTC', noise: 0.001 } as const
    const rows = lines.slice(1).map((line) => line.split(',').map((cell) => cell.trim()))
    // A trade alone has no open, or one price; bars of one price have whole seconds, and no two the same.
    const single = rows.every(([, , open, high, low, last]) => Number(open) === 0 || (open === last && high === low))
    const stamps = rows.map(([day, clock]) => `${day ?? ''} ${clock ?? ''}`)
    const isTicks = single && (rows.some(([, , open]) => Number(open) === 0) || stamps.some((stamp) => stamp.includes('.')) || new Set(stamps).size < stamps.length)
    return rows.length > 0 && isTicks ? prints('sierra-text', sierraLine('prints'), more) : bars('sierra-text', sierraLine('bars'), { ...more, zone: 'America/Chicago' })
  }
  const databento = databentoReader(header, second_.split(','))
  if (databento !== null) {
    const { grain, read, named } = databento
    if (grain === null) return err('too-wide')
    return ok({ shape: { ...usual, format: grain === 0 ? 'databento-trades' : 'databento-bars', grain, utc: true, zone: 'UTC', labelKnown: true, headerLines: 1 }, read, named })
  }
  const chart = tradingviewReader(header)
  return chart === null ? null : bars('tradingview', chart, { utc: true, zone: 'UTC', labelKnown: true, headerLines: 1 })
}

const sniffScid = (bytes: Uint8Array, { header, record }: { readonly header: number; readonly record: number }): Sniffed => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const places = Array.from({ length: Math.floor((bytes.length - header) / record) }, (_, index) => header + index * record)
  if (places.length === 0) return err('no-rows')
  const grain = places.every((at) => isScidTrade(view, at)) ? 'prints' : 'bars'
  const width = grain === 'prints' ? 0 : widthOf(places.flatMap((at) => wallIn((row) => scidRecord(view, at, 'bars', row))))
  if (width === null) return err('unknown-width')
  if (width > widest) return err('too-wide')
  // A float has seven figures.
  const shape: PriceShape = { ...usual, format: 'sierra-scid', grain: width, utc: true, zone: 'UTC', labelKnown: true, scaled: true, noise: 0.05 }
  return ok({ shape, named: false, header, record, readRecord: (data, at, row) => scidRecord(data, at, grain, row) })
}

const wallIn = (read: (row: PriceRow) => PriceRowProblem | null): readonly number[] => {
  const row = emptyRow()
  return read(row) === null ? [row.wall] : []
}

/** The most frequent distance of rows, in µs: empty bars are often left out. Null if it is not whole seconds, or rows do not keep to it: range bars, or tick bars. */
const widthOf = (walls: readonly number[]): number | null => {
  const counts = new Map<number, number>()
  for (const [index, wall] of walls.entries()) {
    const distance = wall - (walls[index - 1] ?? wall)
    if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1)
  }
  const [best] = [...counts].sort(([one, often], [other, oftener]) => oftener - often || one - other)
  if (best === undefined || best[0] % second !== 0) return null
  const [width] = best
  // A session may begin its bars at a moment of its own.
  const offBeat = walls.filter((wall, index) => index > 0 && (wall - (walls[index - 1] ?? wall)) % width !== 0).length
  return offBeat * 10 > walls.length ? null : width
}
