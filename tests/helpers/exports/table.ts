/** A file before it is text: names of columns and cells, all as the broker writes them. */
export type Table = { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] }

/** How a table becomes bytes. */
export type FileStyle = { readonly lineEnd: '\n' | '\r\n'; readonly mark: boolean; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; readonly lastLineEnds: boolean }

/** The broker's own way on most days. */
export const plainStyle: FileStyle = { lineEnd: '\r\n', mark: false, encoding: 'utf-8', lastLineEnds: true }

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The table as text: cells with commas, quotes or line ends stand in quotes. */
export const csvText = ({ header, rows }: Table, { lineEnd, lastLineEnds }: Pick<FileStyle, 'lineEnd' | 'lastLineEnds'> = plainStyle): string =>
  [header, ...rows].map((cells) => cells.map(quoted).join(',')).join(lineEnd) + (lastLineEnds ? lineEnd : '')

/** The text as bytes; UTF-16 always has its mark. */
export const encoded = (text: string, { mark, encoding }: Pick<FileStyle, 'mark' | 'encoding'> = plainStyle): Uint8Array => {
  if (encoding === 'utf-8') return Buffer.from(mark ? `\uFEFF${text}` : text)
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return encoding === 'utf-16le' ? bytes : bytes.swap16()
}

/** The same table with its columns in another order, `order` being indices. */
export const reordered = ({ header, rows }: Table, order: readonly number[]): Table => {
  const turn = (cells: readonly string[]): readonly string[] => order.map((index) => cells[index] ?? '')
  return { header: turn(header), rows: rows.map(turn) }
}

/** The same table with one cell of one row changed; throws where there is no such column or row. */
export const withCell = (table: Table, row: number, column: string, value: string): Table => {
  const at = table.header.indexOf(column)
  const cells = table.rows[row]
  if (at < 0 || cells === undefined) throw new Error(`No cell ${column} in row ${String(row)}`)
  return { ...table, rows: table.rows.with(row, cells.with(at, value)) }
}

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/** Cents with two places and thousands apart: `1,200.00`. */
export const plainMoney = (cents: bigint): string => {
  const size = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${grouped(size.slice(0, -2))}.${size.slice(-2)}`
}

/** `$41.25`, and a loss `$(41.25)`. */
export const dollarMoney = (cents: bigint): string => (cents < 0n ? `$(${plainMoney(-cents)})` : `$${plainMoney(cents)}`)

/** `41.25`, and a loss `(41.25)`. */
export const bracketMoney = (cents: bigint): string => (cents < 0n ? `(${plainMoney(-cents)})` : plainMoney(cents))

/** A number as the broker's program prints a double: `1.0`, `2647.1000000000004`. */
export const doubleText = (value: number): string => (Number.isInteger(value) ? `${String(value)}.0` : String(value))
