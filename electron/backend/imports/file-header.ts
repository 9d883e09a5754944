import { err, ok, type Result } from '#shared/base/result.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { ExportRow, RowProblem, Writing } from '#shared/imports/reading.ts'
import { columnsRead, recogniseExport } from '#shared/imports/recognise.ts'
import type { TextRow } from './rows-of-text.ts'

/** What the header of a file says about its rows. */
export type FileHeader = {
  readonly kind: ExportKind
  /** How the file writes numbers and dates, judged by its first rows; null where they do not tell and more may be had. */
  readonly writingOf: (rows: readonly TextRow[], noMore: boolean) => Writing | null
  /** A row by the names of its columns; refused where its cells are not those of the header. */
  readonly toRow: (row: TextRow, writing: Writing) => Result<ExportRow, RowProblem>
}

/**
 * Reads the header of a file; null where it is of no kind that is known. Semicolons are known in NinjaTrader's grid
 * only, which is written in the manner of the computer: in another report they show that a spreadsheet has saved it,
 * and changed its numbers and dates.
 */
export const readHeader = (header: readonly string[], separator: string): FileHeader | null => {
  const kind = recogniseExport(header)
  if (kind === null || (separator !== ',' && kind !== 'ninjatrader-executions')) return null
  const columns = columnsRead(kind, header)
  const read = columns.flatMap((name, index) => (name !== null && columns.indexOf(name) === index ? [{ name, index }] : []))
  // Of a column that stands twice the cells must be equal, or nobody knows which is meant.
  const twice = columns.flatMap((name, index) => (name !== null && columns.indexOf(name) < index ? [{ name, index }] : []))
  const needed = header.findLastIndex((name) => name.trim() !== '') + 1

  return {
    kind,
    writingOf: (rows, noMore) => {
      // Tradovate writes in one manner everywhere.
      if (kind !== 'ninjatrader-executions') return { decimalComma: false, dayFirst: false }
      const dayFirst = isDayFirst(rows, columns.indexOf('Time')) ?? (noMore ? separator === ';' : null)
      return dayFirst === null ? null : { decimalComma: separator === ';', dayFirst }
    },
    toRow: (row, writing) => {
      if ('broken' in row) return err({ code: row.broken === 'quotes' ? 'broken-quotes' : 'too-large', column: '', value: row.start })
      if (row.cells.length < needed) return err({ code: 'wrong-columns', column: header[row.cells.length] ?? '', value: '' })
      const surplus = row.cells.slice(header.length).find((cell) => cell.trim() !== '')
      if (surplus !== undefined) return err({ code: 'wrong-columns', column: '', value: surplus.slice(0, 40) })
      const cells: Record<string, string> = {}
      for (const { name, index } of read) cells[name] = row.cells[index] ?? ''
      for (const { name, index } of twice) {
        const other = row.cells[index] ?? ''
        if (other.trim() !== cells[name]?.trim()) return err({ code: 'contradicts', column: name, value: other.slice(0, 40) })
      }
      return ok({ line: row.line, cells, writing })
    },
  }
}

const slashes = /^\s*(\d{1,4})([/.-])(\d{1,2})\2/

/** Whether dates with slashes begin with the day: a number above 12 tells, and a date of another shape that nobody needs to know. */
const isDayFirst = (rows: readonly TextRow[], column: number): boolean | null => {
  for (const row of rows) {
    const [, one = '', separator, two] = slashes.exec('cells' in row ? (row.cells[column] ?? '') : '') ?? []
    if (one.length === 4 || Number(two) > 12) return false
    if (Number(one) > 12 || separator === '.') return true
  }
  return null
}
