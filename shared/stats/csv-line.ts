import { parseDecimal } from '#shared/money/decimal.ts'

/** A cell: `text` comes from outside and is escaped; `exact` comes from Fillbook and is not. */
export type CsvCell = { readonly text: string } | { readonly exact: string }

/** A cell with text from outside. */
export const text = (words: string): CsvCell => ({ text: words })

/** A cell that Fillbook wrote itself. */
export const exact = (figure: string): CsvCell => ({ exact: figure })

/** One line (RFC 4180) with its line end. Prefixes text that a spreadsheet would run as a formula with an apostrophe, unless it is a number. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map((cell) => quoted('text' in cell ? escapeFormulas(cell.text) : cell.exact)).join(',')}\r\n`

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

// In locales with semicolon lists, a spreadsheet splits lines at semicolons and line ends even within quotes, so each part may
// become a cell. Spreadsheets also drop leading spaces, invisible characters and quotes, and read full-width signs as plain ones.
const formula = /(^|[;\t\r\n])((?:(?![\t\r\n])[\s\p{C}\p{Z}"])*[=+\-@＝＋－＠][^;\t\r\n]*)/gu
// A spreadsheet also drops a leading tab or line end.
const escapeFormulas = (words: string): string => {
  const marked = words.replace(formula, (found, before: string, part: string) => (parseDecimal(part) === null ? `${before}'${part}` : found))
  return /^[\t\r\n]/.test(marked) ? `'${marked}` : marked
}

/** Trims trailing zeros of a decimal down to `least` places. */
export const trimmed = (decimal: string, least: number): string => {
  const point = decimal.indexOf('.')
  let end = decimal.length
  while (end > point + 1 + least && decimal[end - 1] === '0') end -= 1
  return decimal.slice(0, end === point + 1 ? point : end)
}
