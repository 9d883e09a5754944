import { err, ok, type Result } from '#shared/base/result.ts'
import { isPlatformKind, type ExportKind } from '#shared/imports/export-kind.ts'
import type { Platform } from '#shared/imports/platforms/platform.ts'
import { platforms } from '#shared/imports/platforms/platforms.ts'
import { columnPairs, type ColumnPairs, type OddRow } from '#shared/imports/column-pairs.ts'
import type { OpenDate } from '#shared/imports/date-order.ts'
import { detectFormat, type FormatHints, type FormatDetector } from '#shared/imports/file-format.ts'
import { namesNoAccount } from '#shared/imports/kind-facts.ts'
import { type ImportFormat, formatColumns, formatKey, headerKey } from '#shared/imports/mapped-format.ts'
import { rankMoments } from '#shared/imports/moment-ranks.ts'
import { zoneInHeader } from '#shared/imports/platforms/rithmic.ts'
import { readRow } from '#shared/imports/read-row.ts'
import type { ExportRow, Reading, RefusedReading, RowProblem, Writing } from '#shared/imports/reading.ts'
import { columnsRead, nearestExport, recognizeExport, otherReport } from '#shared/imports/recognize.ts'
import { openRow } from '#shared/imports/row-cells.ts'
import { collectRefused, refusedReading } from '#shared/imports/refused-rows.ts'
import { createFileRows, type TextRow, createTextReader } from './rows-of-text.ts'
import { asText } from './workbook.ts'

/** Why a whole file is refused. */
export type FileProblemCode =
  /** No known export, a known report that is not imported, or an export that lacks columns. */
  | 'unknown-kind' | 'other-report' | 'missing-columns'
  | 'not-text' | 'empty'
  /** Its source failed. */
  | 'unreadable'
  /** What the broker leaves behind when an export fails. */
  | 'failed-export'
  /** Far more rows are refused than accepted. */
  | 'mostly-refused'
  | 'too-many-accounts'
  /** Its dates are written in two ways, or can be read in two. */
  | 'mixed-dates' | 'open-dates'

/** Why a whole file is refused, with what explains it. */
export type FileProblem = {
  readonly code: FileProblemCode
  /** The kind that it seems to be. */
  readonly kind?: ExportKind
  /** The columns that it lacks. */
  readonly columns?: readonly string[]
  /** A date that can be read in two ways. */
  readonly date?: OpenDate
  /** The name of a report that is not imported. */
  readonly report?: string
}

/** A row that was refused; `line` is counted from 1, the header included. */
export type RefusedRow = { readonly line: number; readonly problem: RowProblem }

/** Consecutive rows of one file: what they say, which were refused, and what could still be read of these (`missing`). */
export type ReadBatch = { readonly kind: ExportKind; readonly readings: readonly Reading[]; readonly missing: readonly RefusedReading[]; readonly refused: readonly RefusedRow[] }

/** A file's row counts. */
export type ExportSummary = {
  readonly kind: ExportKind
  /** The user's format that it was read by; missing for a report that Fillbook knows. */
  readonly format?: ImportFormat
  /** Accepted plus refused. */
  readonly rows: number
  /** Including valid rows that say nothing. */
  readonly accepted: number
  readonly refused: number
}

/** What is known of a file besides its rows; `formats` are the user's own that it may have. */
export type FileHints = FormatHints & { readonly formats?: readonly ImportFormat[] }

const nothingKnown: FileHints = { dates: null, latest: null }

// Bytes read at a time, so that other work gets its turn.
const mostBytes = 256 * 1024
// A file with this many more refused than accepted rows is no export.
const mostRefused = 10_000
// Nobody has more: each becomes an account of the journal, which every later import looks at.
const mostAccounts = 500
// Rows that wait at most until the file shows how it writes dates and numbers.
const mostWaiting = 50_000
// Rows that show which account number goes with which name; later rows are checked against them.
const mostForPairs = 2_000

/**
 * Reads one exported file as it streams in and hands over what its rows say, batch by batch; the next is read once
 * `take` is done. Memory stays bounded whatever the file is. If the whole file is refused, drop what `take` got.
 */
export const readExport = async (source: AsyncIterable<Uint8Array>, zone: string, take: (batch: ReadBatch) => void | Promise<void>, about: FileHints = nothingKnown): Promise<Result<ExportSummary, FileProblem>> => {
  const file = createFile(zone, about)
  const problem = await readText(source, async (text, last) => {
    const batch = file.read(text, last)
    if (batch !== null && 'code' in batch) return batch
    if (batch !== null) await take(batch)
    return null
  })
  return problem === null ? file.summary() : err(problem)
}

/** Reads a file's text as it streams in, until `read` refuses it or nothing is left; null if it was read to its end. */
export const readText = async (source: AsyncIterable<Uint8Array>, read: (text: string, last: boolean) => Promise<FileProblem | null>): Promise<FileProblem | null> => {
  const bytes = asText(source)[Symbol.asyncIterator]()
  const reader = createTextReader()
  try {
    for (;;) {
      const chunk = await nextOf(bytes)
      if (chunk === 'failed') return { code: 'unreadable' }
      for (const part of chunk === null ? [null] : slices(chunk)) {
        const text = part === null ? reader.end() : reader.read(part)
        if (text === null) return { code: 'not-text' }
        const problem = await read(text, part === null)
        if (problem !== null) return problem
      }
      if (chunk === null) return null
    }
  } finally {
    await bytes.return(undefined).catch(() => undefined)
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

type CutRow = { readonly line: number; readonly row: Result<ExportRow, RowProblem> }

const createFile = (zone: string, about: FileHints) => {
  const rowsOfFile = createFileRows()
  let header: FileHeader | null = null
  let detector: FormatDetector | null = null
  let writing: Writing | null = null
  let pairs: ColumnPairs | null = null
  let waiting: CutRow[] = []
  const ranks = rankMoments()
  const gathered = collectRefused((row) => namesNoAccount(row.kind) || (header?.format?.columns.every(({ field }) => field !== 'account') ?? false))
  const accounts = new Set<string | null>()
  let gatherer: ReturnType<NonNullable<Platform['gather']>> | null = null
  const gatheredRows = new Map<number, ExportRow>()
  let [accepted, refused] = [0, 0]

  /** Reads rows once it is known how the file writes; until then they wait. */
  const readRows = (kind: ExportKind, rows: readonly CutRow[], last: boolean): ReadBatch | FileProblem | null => {
    if (detector === null) {
      const { dates, decimals } = header?.format ?? { dates: null, decimals: null }
      detector = detectFormat(kind, rowsOfFile.separator(), { latest: about.latest, dates: about.dates ?? (dates === null ? null : { order: dates, ofThisFile: false }), decimals })
      pairs = columnPairs(kind)
      gatherer = isPlatformKind(kind) ? (platforms[kind].gather?.() ?? null) : null
    }
    if (writing === null) {
      for (const { row } of rows) {
        if (!row.ok) continue
        detector.note(row.value.cells)
        pairs?.note(row.value.cells)
      }
      waiting = [...waiting, ...rows]
      const isOpen = !detector.isSettled() || (pairs !== null && waiting.length < mostForPairs)
      if (!last && waiting.length < mostWaiting && isOpen) return null
      const manner = detector.manner()
      if ('problem' in manner) return { kind, code: manner.problem, ...('date' in manner ? { date: manner.date } : {}) }
      writing = manner
    }
    const now = waiting.length > 0 ? waiting : rows
    waiting = []
    return readCut(kind, now, writing, last)
  }

  const readCut = (kind: ExportKind, rows: readonly CutRow[], how: Writing, last: boolean): ReadBatch | FileProblem => {
    const batch = { kind, readings: [] as Reading[], refused: [] as RefusedRow[] }
    for (const { line, row } of rows) {
      const written = row.ok ? { ...row.value, writing: how } : null
      const read = written === null ? null : readRow(kind, written, zone)
      const odd = read?.ok === true && written !== null ? (pairs?.oddIn(written.cells) ?? null) : null
      if (read?.ok === true && odd === null) {
        if (read.value === null) continue
        // In place: a file may have a million of them.
        const reading = read.value.says === 'position' ? read.value : Object.assign(read.value, { line })
        gathered.saw(reading)
        accounts.add(reading.account.name ?? reading.account.id)
        if (gatherer !== null && written !== null) {
          gatherer.take({ reading, line, row: openRow(written, zone) })
          gatheredRows.set(line, written)
          continue
        }
        if (kind === 'ninjatrader-executions' && reading.says === 'fill') batch.readings.push(...ranks.take(reading))
        else batch.readings.push(reading)
        continue
      }
      batch.refused.push({ line, problem: odd?.problem ?? (read?.ok === false ? read : (row as Extract<CutRow['row'], { ok: false }>)).error })
      gathered.refused(withoutUnsure(refusedReading(kind, line, written, zone), odd?.unsure))
    }
    if (last) batch.readings.push(...ranks.end())
    if (gatherer !== null && (last || gatheredRows.size >= mostWaiting)) {
      const file = gatherer.end()
      batch.readings.push(...file.readings)
      batch.refused.push(...file.refused)
      const atLine = (line: number): RefusedReading => refusedReading(kind, line, gatheredRows.get(line) ?? null, zone)
      for (const { line } of file.refused) gathered.refused(atLine(line))
      // Rows that are missing may be of any account, and of any day between the rows beside them.
      for (const { line, behind, problem } of file.gaps) {
        // The row itself counts; the gap is the row before it, which no file has.
        batch.refused.push({ line, problem })
        accepted += 1
        gathered.refused({ ...atLine(line), account: { id: null, name: null }, contract: null, time: null, days: { from: behind === null ? null : (atLine(behind).days?.from ?? null), to: atLine(line).days?.to ?? null } })
      }
      gatheredRows.clear()
    }
    // By the name that its user knows it by.
    batch.refused = batch.refused.map(({ line, problem }) => ({ line, problem: { ...problem, column: header?.nameOf(problem.column) ?? problem.column } }))
    accepted += rows.length - batch.refused.length
    refused += batch.refused.length
    if (accounts.size > mostAccounts) return { code: 'too-many-accounts', kind }
    return refused > mostRefused + accepted ? { code: 'mostly-refused', kind } : { ...batch, missing: gathered.settled(last) }
  }

  let section: string | null = null
  let below: 'header' | 'rows' | 'nothing' = 'header'
  /** The rows below their headers, or why the file is refused. A file that begins with a section's name may have several sections, each with a header. */
  const belowHeaders = (rows: readonly TextRow[]): readonly CutRow[] | FileProblem => {
    const cut: CutRow[] = []
    for (const row of rows) {
      const name = header === null || section !== null ? sectionOf(row) : null
      if (name !== null) {
        section = name
        below = 'header'
      } else if (below === 'header') {
        const read = headerOf(row, about.formats)
        if (read.ok && (header === null || header.kind === read.value.kind)) {
          header = read.value
          below = 'rows'
        } else if (section === workingOrders) below = 'nothing'
        else return read.ok ? { code: 'unknown-kind' } : read.error
      } else if (below === 'rows' && header !== null) cut.push({ line: row.line, row: header.toRow(row) })
    }
    return cut
  }

  return {
    /** What the rows that end in this text say, null if there are none yet; or why the file is refused. */
    read: (text: string, last: boolean): ReadBatch | FileProblem | null => {
      const rows = belowHeaders(rowsOfFile.read(text, last))
      if ('code' in rows) return rows
      if (header === null) return last ? { code: 'empty' } : null
      return rows.length === 0 && !last ? null : readRows(header.kind, rows, last)
    },
    summary: (): Result<ExportSummary, FileProblem> => (header === null ? err({ code: 'empty' }) : ok({ kind: header.kind, ...(header.format === null ? {} : { format: header.format }), rows: accepted + refused, accepted, refused })),
  }
}

const headerOf = (row: TextRow, formats: FileHints['formats']): Result<FileHeader, FileProblem> => {
  if ('broken' in row) return err({ code: 'unknown-kind' })
  return row.cells.length === 1 && row.cells[0]?.trim() === 'undefined' ? err({ code: 'failed-export' }) : readHeader(row.cells, formats)
}

// Of these too, a part may have filled; they may be shown without the columns that say so.
const workingOrders = 'Working Orders'

/** The section that a line begins, as Rithmic's exports have them; null for any other line. */
const sectionOf = (row: TextRow): string | null => {
  const [only = '', ...more] = 'broken' in row ? [] : row.cells
  return more.length === 0 && (only.trim() === workingOrders || only.trim() === 'Completed Orders') ? only.trim() : null
}

/** A refused row without the field in which it contradicts other rows. */
const withoutUnsure = (reading: RefusedReading, unsure: OddRow['unsure'] = null): RefusedReading => {
  switch (unsure) {
    case 'account': return { ...reading, account: { id: null, name: null } }
    case 'contract': return { ...reading, contract: null }
    case 'time': return { ...reading, time: null, days: { from: null, to: null } }
    case null: return reading
  }
}

/** What the header of a file says about its rows. */
type FileHeader = {
  readonly kind: ExportKind
  /** A row by the names of its columns; refused where its cells are not those of the header. */
  readonly toRow: (row: TextRow) => Result<ExportRow, RowProblem>
  /** The user's format that it was recognized by; null for a report that Fillbook knows. */
  readonly format: ImportFormat | null
  /** What the file calls a column. */
  readonly nameOf: (column: string) => string
}

/** A header of an unknown kind, of a report that is not imported, or of one with missing columns. */
type HeaderProblem = { readonly code: 'unknown-kind' } | { readonly code: 'other-report'; readonly report: string } | { readonly code: 'missing-columns'; readonly kind: ExportKind; readonly columns: readonly string[] }

/** Reads the header of a file, by one of the user's formats where no report has it. */
const readHeader = (header: readonly string[], formats: readonly ImportFormat[] = []): Result<FileHeader, HeaderProblem> => {
  const kind = recognizeExport(header)
  if (kind === null) {
    const key = headerKey(header)
    const format = formats.find((one) => formatKey(one) === key)
    if (format !== undefined) return ok(mappedHeader(header, format))
    const other = otherReport(header)
    if (other !== null) return err({ code: 'other-report', report: other })
    const near = nearestExport(header)
    return err(near === null ? { code: 'unknown-kind' } : { code: 'missing-columns', kind: near.kind, columns: near.missing })
  }
  const columns = columnsRead(kind, header)
  const read = columns.flatMap((name, index) => (name !== null && columns.indexOf(name) === index ? [{ name, index }] : []))
  // If a column appears twice, its cells must be equal, or nobody knows which is meant.
  const twice = columns.flatMap((name, index) => (name !== null && columns.indexOf(name) < index ? [{ name, index }] : []))
  const zones = header.map((name) => zoneInHeader(name)?.zone ?? null)
  const cellsOf = rowCells(header)

  return ok({
    kind, format: null, nameOf: (column: string) => column,
    toRow: (row) => {
      const cut = cellsOf(row)
      if (!cut.ok) return cut
      const own = cut.value
      const cells: Record<string, string> = {}
      for (const { name, index } of read) cells[name] = zones[index] === null || (own[index] ?? '') === '' ? (own[index] ?? '') : `${own[index] ?? ''} ${zones[index] ?? ''}`
      for (const { name, index } of twice) {
        const other = own[index] ?? ''
        if (other.trim() !== cells[name]?.trim()) return err({ code: 'contradicts', column: name, value: other.slice(0, 40) })
      }
      return ok({ line: row.line, cells })
    },
  })
}

/** The cells of a row as many as its header has; refused where there are others. */
const rowCells = (header: readonly string[]): ((row: TextRow) => Result<readonly string[], RowProblem>) => {
  const needed = header.findLastIndex((name) => name.trim() !== '') + 1
  return (row) => {
    if ('broken' in row) return err({ code: row.broken === 'quotes' ? 'broken-quotes' : 'too-large', column: '', value: row.start })
    if (row.cells.length < needed) return err({ code: 'wrong-columns', column: header[row.cells.length] ?? '', value: '' })
    const surplus = row.cells.slice(header.length).find((cell) => cell.trim() !== '')
    return surplus === undefined ? ok(row.cells) : err({ code: 'wrong-columns', column: '', value: surplus.slice(0, 40) })
  }
}

const mappedHeader = (header: readonly string[], format: ImportFormat): FileHeader => {
  const [cut, columns] = [rowCells(header), formatColumns(format, header)]
  return {
    kind: format.rows === 'fills' ? 'mapped-fills' : 'mapped-trades',
    format,
    nameOf: columns.headerOf,
    toRow: (row) => {
      const cells = cut(row)
      return cells.ok ? ok({ line: row.line, cells: columns.cellsOf(cells.value) }) : cells
    },
  }
}
