import { err, ok, type Result } from '#shared/base/result.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import { formatColumns, formatKey, headerKey, type ImportFormat } from '#shared/imports/mapped-format.ts'
import type { ExportRow, RowProblem } from '#shared/imports/reading.ts'
import { zoneInHeader } from '#shared/imports/platforms/rithmic.ts'
import { otherReport } from '#shared/imports/other-reports.ts'
import { columnsRead, nearestExport, recognizeExport } from '#shared/imports/recognize.ts'
import type { TextRow } from './rows-of-text.ts'

/** What the header of a file says about its rows. */
export type FileHeader = {
  readonly kind: ExportKind
  /** A row by the names of its columns; refused where its cells are not those of the header. */
  readonly toRow: (row: TextRow) => Result<ExportRow, RowProblem>
  /** The user's format that it was recognized by; null for a report that Fillbook knows. */
  readonly format: ImportFormat | null
  /** What the file calls a column. */
  readonly nameOf: (column: string) => string
}

/** A header of no kind that is known, of a report that is not read, or of one of which columns are missing. */
export type HeaderProblem = { readonly code: 'unknown-kind' } | { readonly code: 'other-report'; readonly report: string } | { readonly code: 'missing-columns'; readonly kind: ExportKind; readonly columns: readonly string[] }

/** Reads the header of a file, by one of the user's formats where no report has it. */
export const readHeader = (header: readonly string[], formats: readonly ImportFormat[] = []): Result<FileHeader, HeaderProblem> => {
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
    ...{ kind, format: null, nameOf: (column: string) => column },
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
