import { parseDecimal } from '#shared/money/decimal.ts'

/** A cell: text is somebody's words and made harmless, what Fillbook itself wrote is not touched. */
export type CsvCell = { readonly text: string } | { readonly exact: string }

/** A cell of words that came from elsewhere. */
export const text = (words: string): CsvCell => ({ text: words })

/** A cell of which Fillbook itself made every character. */
export const exact = (figure: string): CsvCell => ({ exact: figure })

/** One line (RFC 4180), its end included. Text that a spreadsheet would take for a formula gets an apostrophe before it, unless it is a number. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map((cell) => quoted('text' in cell ? harmless(cell.text) : cell.exact)).join(',')}\r\n`

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

// Where lists are separated by semicolons, a spreadsheet splits our lines at those and at every end of a line, whatever is
// quoted: each part may become a cell of its own. Signs count behind what a spreadsheet drops, too: blanks of any kind, marks
// that nobody sees, quotes. The full-width ones are read as the plain ones in the Far East.
const formula = /(^|[;\t\r\n])((?:(?![\t\r\n])[\s\p{C}\p{Z}"])*[=+\-@＝＋－＠][^;\t\r\n]*)/gu
// A tab or the end of a line at the beginning is dropped as well.
const harmless = (words: string): string => {
  const marked = words.replace(formula, (found, before: string, part: string) => (parseDecimal(part) === null ? `${before}'${part}` : found))
  return /^[\t\r\n]/.test(marked) ? `'${marked}` : marked
}

/** A decimal without zeros behind the last figure, but for `least` places. */
export const trimmed = (decimal: string, least: number): string => {
  const point = decimal.indexOf('.')
  let end = decimal.length
  while (end > point + 1 + least && decimal[end - 1] === '0') end -= 1
  return decimal.slice(0, end === point + 1 ? point : end)
}
