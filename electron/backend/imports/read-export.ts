import { err, ok, type Result } from '#shared/base/result.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import { readRow } from '#shared/imports/read-row.ts'
import type { Reading, RowProblem, Writing } from '#shared/imports/reading.ts'
import { readHeader, type FileHeader } from './file-header.ts'
import { createRowCutter, type RowCutter, type TextRow } from './rows-of-text.ts'
import { createTextReader } from './text-decoder.ts'

/**
 * Why a file is refused whole: it is no export that is known; no text; has nothing in it; cannot be read from its
 * source; is what the broker leaves behind when an export fails; or has far more rows that are refused than others.
 */
export type FileProblem = 'unknown-kind' | 'not-text' | 'empty' | 'unreadable' | 'failed-export' | 'mostly-refused'

/** A row that was refused; `line` is counted from 1, the header included. */
export type RefusedRow = { readonly line: number; readonly problem: RowProblem }

/** What some rows of one file say, in the order of the file. */
export type ReadBatch = { readonly kind: ExportKind; readonly readings: readonly Reading[]; readonly refused: readonly RefusedRow[] }

/** How many rows a file has; those accepted include the ones that are right but say nothing, so `rows` is accepted plus refused. */
export type ExportSummary = { readonly kind: ExportKind; readonly rows: number; readonly accepted: number; readonly refused: number }

// So much is read at a time, so that others get their turn.
const mostBytes = 256 * 1024
// So many refused rows beyond those accepted show that a file is none of ours.
const mostRefused = 10_000
// So far the end of the header is looked for, in characters.
const longestStart = 64 * 1024
// So many rows may wait for one that shows how the file writes its dates.
const mostWaiting = 10_000

/**
 * Reads one exported file as it streams in and hands over what its rows say, batch by batch; the next is read once
 * `take` is done. Memory stays bounded whatever the file is. Where the file is refused whole, what was handed over
 * of it before must be dropped.
 */
export const readExport = async (source: AsyncIterable<Uint8Array>, zone: string, take: (batch: ReadBatch) => void | Promise<void>): Promise<Result<ExportSummary, FileProblem>> => {
  const bytes = source[Symbol.asyncIterator]()
  const text = createTextReader()
  const file = createFile(zone)
  try {
    for (;;) {
      const chunk = await nextOf(bytes)
      if (chunk === 'failed') return err('unreadable')
      for (const part of chunk === null ? [null] : slices(chunk)) {
        const read = part === null ? text.end() : text.read(part)
        if (read === null) return err('not-text')
        const batch = file.read(read, part === null)
        if (typeof batch === 'string') return err(batch)
        if (batch !== null) await take(batch)
      }
      if (chunk === null) return file.summary()
    }
  } finally {
    await bytes.return?.().catch(() => undefined)
  }
}

const nextOf = async (bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array | null | 'failed'> => {
  try {
    const { done, value } = await bytes.next()
    return done === true ? null : value
  } catch {
    return 'failed'
  }
}

const slices = (bytes: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / mostBytes) }, (_, index) => bytes.subarray(index * mostBytes, (index + 1) * mostBytes))

type FileInHand = {
  /** What the rows say that end in this text; null where there are none yet, or why the file is refused. */
  readonly read: (text: string, last: boolean) => ReadBatch | FileProblem | null
  readonly summary: () => Result<ExportSummary, FileProblem>
}

const createFile = (zone: string): FileInHand => {
  let start = ''
  let separator = ','
  let cutter: RowCutter | null = null
  let header: FileHeader | null = null
  let writing: Writing | null = null
  let waiting: readonly TextRow[] = []
  let [accepted, refused] = [0, 0]

  const readRows = ({ kind, toRow, writingOf }: FileHeader, next: readonly TextRow[], last: boolean): ReadBatch | FileProblem | null => {
    const rows = waiting.length === 0 ? next : [...waiting, ...next]
    writing ??= writingOf(rows, last || rows.length >= mostWaiting)
    waiting = writing === null ? rows : []
    if (writing === null) return null
    const batch = { kind, readings: [] as Reading[], refused: [] as RefusedRow[] }
    for (const textRow of rows) {
      const row = toRow(textRow, writing)
      const read = row.ok ? readRow(kind, row.value, zone) : row
      if (!read.ok) batch.refused.push({ line: textRow.line, problem: read.error })
      else if (read.value !== null) batch.readings.push(read.value)
    }
    accepted += rows.length - batch.refused.length
    refused += batch.refused.length
    return refused > mostRefused + accepted ? 'mostly-refused' : batch
  }

  /** The rows that end in this text, the header first. */
  const rowsOf = (text: string, last: boolean): readonly TextRow[] => {
    if (cutter === null) {
      start += text
      const firstLine = firstLineOf(start)
      if (firstLine === null && !last && start.length < longestStart) return []
      separator = separatorOf(firstLine ?? start)
      cutter = createRowCutter(separator)
      const rows = cutter.read(start)
      start = ''
      return last ? [...rows, ...cutter.end()] : rows
    }
    return last ? [...cutter.read(text), ...cutter.end()] : cutter.read(text)
  }

  return {
    read: (text, last) => {
      const rows = rowsOf(text, last)
      if (header !== null) return rows.length === 0 && !last ? null : readRows(header, rows, last)
      const [first, ...rest] = rows
      if (first === undefined) return last ? 'empty' : null
      if ('broken' in first) return 'unknown-kind'
      if (first.cells.length === 1 && first.cells[0]?.trim() === 'undefined') return 'failed-export'
      header = readHeader(first.cells, separator)
      return header === null ? 'unknown-kind' : readRows(header, rest, last)
    },
    summary: () => (header === null ? err('empty') : ok({ kind: header.kind, rows: accepted + refused, accepted, refused })),
  }
}

/** The first line that has something in it, once it is whole. */
const firstLineOf = (text: string): string | null => {
  const rest = text.slice(Math.max(0, text.search(/\S/)))
  const end = rest.search(/[\r\n]/)
  return end > 0 ? rest.slice(0, end) : null
}

const separatorOf = (line: string): string => (line.split(';').length > line.split(',').length ? ';' : ',')
