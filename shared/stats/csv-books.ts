import { parseAmount, toDecimalString, zero } from '#shared/money/money.ts'
import type { BookEntry } from './books-filter.ts'
import { csvLine, exact, text, type CsvCell } from './csv-line.ts'

/** An entry with its account's name; empty without an account or if the account is gone. */
export type CsvEntry = BookEntry & { readonly accountName: string }

const amountText = (amount: number): string => {
  const read = parseAmount(amount, 'half-even')
  return toDecimalString(read.ok ? read.value : zero)
}

const columns: readonly (readonly [heading: string, cell: (entry: CsvEntry) => CsvCell])[] = [
  ['Date', ({ date }) => exact(date)],
  ['Type', ({ type }) => exact(type)],
  ['Category', ({ category }) => exact(category)],
  ['Description', ({ name }) => text(name)],
  ['Earned', ({ type, amount }) => exact(type === 'earning' ? amountText(amount) : '')],
  ['Spent', ({ type, amount }) => exact(type === 'expense' ? amountText(amount) : '')],
  ['Net', ({ type, amount }) => exact(amountText(type === 'expense' ? 0 - amount : amount))],
  ['Currency', ({ currency }) => exact(currency)],
  ['Firm', ({ firm }) => exact(firm ?? '')],
  ['Account', ({ accountName }) => text(accountName)],
  ['Account id', ({ account }) => text(account ?? '')],
  ['Note', ({ note }) => text(note)],
  ['Entry id', ({ id }) => text(id)],
]

/** The header line of the CSV file, with its line end. */
export const booksCsvHeader: string = csvLine(columns.map(([heading]) => exact(heading)))

/** One entry as a CSV line (RFC 4180) with its line end. Amounts have cents; `Net` is negative for an expense. */
export const bookCsvLine = (entry: CsvEntry): string => csvLine(columns.map(([, cell]) => cell(entry)))
