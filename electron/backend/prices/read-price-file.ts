import { closeSync, openSync, readSync } from 'node:fs'
import { emptyRow } from '#shared/prices/formats/row.ts'
import type { PriceRow, PriceRowProblem } from '#shared/prices/formats/format.ts'
import { byteOrderMark, sniffedBytes, type PriceReading } from '#shared/prices/formats/sniff.ts'

const pieceBytes = 1024 * 1024
// The longest rows have some 200 characters.
const longestLine = 4096

/** The first bytes of a file. */
export const headOf = (path: string): Uint8Array => {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(sniffedBytes)
    return head.subarray(0, readSync(file, head, 0, sniffedBytes, 0))
  } finally {
    closeSync(file)
  }
}

/** Gets each row of a file, and each row that cannot be read. A row is the same object each time; `line` counts from 1, of a `.scid` its records. */
export type PriceWatch = { readonly onRow: (row: PriceRow, line: number) => void; readonly onBad: (problem: PriceRowProblem, line: number) => void }

/** Reads a file to its end, piece by piece; the thread does nothing else meanwhile. */
export const readPriceFile = (path: string, reading: PriceReading, watch: PriceWatch): void => {
  const file = openSync(path, 'r')
  try {
    if ('read' in reading) readLines(file, reading, watch)
    else readRecords(file, reading, watch)
  } finally {
    closeSync(file)
  }
}

const readLines = (file: number, { shape, read }: Extract<PriceReading, { read: unknown }>, { onRow, onBad }: PriceWatch): void => {
  const row = emptyRow()
  const piece = Buffer.alloc(pieceBytes)
  let [rest, line] = ['', 0]
  const take = (text: string): void => {
    line += 1
    if (line <= shape.headerLines || text.trim() === '') return
    const problem = text.length > longestLine ? 'wrong-columns' : read(text.endsWith('\r') ? text.slice(0, -1) : text, row)
    if (problem === null) onRow(row, line)
    else onBad(problem, line)
  }
  for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece)) {
    const text = rest + piece.toString('latin1', 0, bytes)
    const lines = (line === 0 && rest === '' ? text.replace(byteOrderMark, '') : text).split('\n')
    // A line without an end costs no memory.
    rest = (lines.pop() ?? '').slice(0, longestLine + 1)
    for (const one of lines) take(one)
  }
  take(rest)
}

const readRecords = (file: number, { header, record, readRecord }: Extract<PriceReading, { record: number }>, { onRow, onBad }: PriceWatch): void => {
  const row = emptyRow()
  const piece = Buffer.alloc(Math.floor(pieceBytes / record) * record)
  const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength)
  let [place, line] = [header, 0]
  for (;;) {
    let bytes = 0
    for (let more = readSync(file, piece, bytes, piece.length - bytes, place + bytes); more > 0; more = readSync(file, piece, bytes, piece.length - bytes, place + bytes)) bytes += more
    // A record that is being written is not whole yet.
    for (let at = 0; at + record <= bytes; at += record) {
      line += 1
      const problem = readRecord(view, at, row)
      if (problem === null) onRow(row, line)
      else onBad(problem, line)
    }
    if (bytes < piece.length) return
    place += bytes
  }
}
