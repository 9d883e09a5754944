import { err, ok, type Result } from '#shared/base/result.ts'
import type { Side } from '#shared/fills/fill.ts'
import { productRow } from '#shared/market/contract-name.ts'
import { contractSpecOf, namedContractSpec } from '#shared/market/contract-spec.ts'
import { isTimeZone, timeOfWall } from '#shared/market/zone-clock.ts'
import { addCurrencyAmounts, noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { parseDecimal, writeDecimal } from '#shared/money/decimal.ts'
import { parseCurrency, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { currenciesSigned, isCut, isUnclear, plainNumber, readMoney, readPrice, readWhole, type DecimalSign, type NumberProblem } from './cell-number.ts'
import { readDate, readUtc, readWall } from './cell-time.ts'
import { isKnownDelivery } from './contract-code.ts'
import type { ExportRow, Reading, RowProblem } from './reading.ts'

/**
 * A row while it is read. Each function below takes one cell; the first that cannot be read is kept as the row's
 * problem, and what the function then gives back is only a filler that `finishRow` never lets out.
 */
export type OpenRow = { readonly cells: ExportRow['cells']; readonly zone: string; readonly decimals: DecimalSign; readonly dayFirst: boolean; /** The currency that its money names by a sign. */ signed: Currency | null; problem: RowProblem | null }

/** Begins to read a row, its local times in an IANA zone; throws a RangeError where the zone is unknown. */
export const openRow = ({ cells, writing }: ExportRow, zone: string): OpenRow => {
  if (!isTimeZone(zone)) throw new RangeError(`Not a time zone: ${zone}`)
  return { cells, zone, decimals: writing?.decimals ?? 'point', dayFirst: writing?.dayFirst ?? false, signed: null, problem: null }
}

/** What the row says, unless a cell of it could not be read. */
export const finishRow = <T extends Reading | null>(row: OpenRow, reading: T): Result<T, RowProblem> => (row.problem === null ? ok(reading) : err(row.problem))

/** Notes what is wrong with a cell, unless the row has a problem already. */
export const refuseCell = (row: OpenRow, column: string, code: RowProblem['code']): void => {
  row.problem ??= { code, column, value: (row.cells[column] ?? '').slice(0, 40) }
}

/** The text of a cell without the blanks around it; empty where the file has no such column. */
export const cellText = (row: OpenRow, column: string): string => (row.cells[column] ?? '').trim()

/** The first of several columns that say the same which has something in it; the first of all where none has. */
export const filledColumn = (row: OpenRow, columns: readonly [string, ...string[]]): string => columns.find((column) => cellText(row, column) !== '') ?? columns[0]

/** A text that must be there, at most 100 characters of it. */
export const requiredText = (row: OpenRow, column: string): string => {
  const text = cellText(row, column)
  if (text === '') refuseCell(row, column, 'missing')
  if (text.length > 100) refuseCell(row, column, 'too-large')
  return text
}

/** A text, or null where the cell is empty. */
export const optionalText = (row: OpenRow, column: string): string | null => (cellText(row, column) === '' ? null : requiredText(row, column))

// A spreadsheet that saved the file writes long ids like 5.87521E+11: what they were cannot be known again.
const roundedId = /^\d+[.,]\d*(?:E\+?\d+)?$|^\d+E\+\d+$/i

/** An id as the broker writes it; one that a spreadsheet rounded is refused, and one with a slash, which stands between the ids that name a trade. */
export const requiredId = (row: OpenRow, column: string): string => {
  const text = requiredText(row, column)
  if (roundedId.test(text) || text.includes('/')) refuseCell(row, column, 'bad-number')
  return text
}

/** An id, or null where the cell is empty. */
export const optionalId = (row: OpenRow, column: string): string | null => (cellText(row, column) === '' ? null : requiredId(row, column))

/** The broker's own id of a fill, all figures. */
export const requiredFillId = (row: OpenRow, column: string): string => {
  const id = requiredId(row, column)
  if (!/^\d+$/.test(id)) refuseCell(row, column, 'bad-number')
  return id
}

/** The number of an account, or null where the cell is empty; a name in its place would join two accounts. */
export const optionalAccountNumber = (row: OpenRow, column: string): string | null => {
  const id = optionalId(row, column)
  if (id !== null && !/^\d+$/.test(id)) refuseCell(row, column, 'bad-number')
  return id
}

// Far above what is traded anywhere, and low enough for what is computed with them to stay exact.
const highestPrice = 10_000_000
const mostContracts = 1_000_000

const orRefuse = <T>(row: OpenRow, column: string, read: Result<T, NumberProblem>, filler: T): T => {
  if (read.ok) return read.value
  refuseCell(row, column, read.error)
  return filler
}

/** Money that must be there. */
export const requiredMoney = (row: OpenRow, column: string): Amount => {
  const text = requiredText(row, column)
  if (text === '') return zero
  for (const currency of currenciesSigned(text)) {
    row.signed ??= currency
    if (currency !== row.signed) refuseCell(row, column, 'contradicts')
  }
  return orRefuse(row, column, readMoney(text, row.decimals), zero)
}

/** The currency that the row's money, as far as it was read, names by its sign; null where that is none, or the one in which it is taken anyway. */
export const signedCurrency = ({ signed }: OpenRow, taken: Currency | null): Currency | null => (signed === taken ? null : signed)

/** Money, or null where the cell is empty. */
export const optionalMoney = (row: OpenRow, column: string): Amount | null => (cellText(row, column) === '' ? null : requiredMoney(row, column))

/** What a fill of a contract cost, null where the cell is empty: what would be earned by trading is refused, and what is in another currency than the contract's stands beside it. */
export const feesOf = (row: OpenRow, column: string, contract: string, product: string | null = null): { readonly fee: Amount | null; readonly otherFees?: CurrencyAmounts } => {
  const fee = optionalMoney(row, column)
  if (fee !== null && fee < 0) refuseCell(row, column, 'negative-fee')
  const currency = fee === null ? null : signedCurrency(row, namedContractSpec(contract, product).currency)
  return fee === null || currency === null ? { fee } : { fee: zero, otherFees: addCurrencyAmounts(noAmounts, [{ currency, amount: fee }]) }
}

/** A number of contracts from 0 on, or null where the cell is empty. */
export const optionalQty = (row: OpenRow, column: string): number | null => {
  const text = cellText(row, column)
  const qty = text === '' ? null : orRefuse(row, column, readWhole(text, row.decimals), 0)
  if (qty !== null && qty > mostContracts) refuseCell(row, column, 'too-large')
  return qty
}

/** A number of contracts, at least 1. */
export const requiredQty = (row: OpenRow, column: string): number => {
  const qty = optionalQty(row, column)
  if (qty === null) refuseCell(row, column, 'missing')
  if (qty === 0) refuseCell(row, column, 'bad-number')
  return qty ?? 0
}

/** A number of contracts that are held, below zero where short. */
export const requiredNet = (row: OpenRow, column: string): number => {
  const text = requiredText(row, column)
  const size = text === '' ? 0 : orRefuse(row, column, readWhole(text.replace(/^[-+]/, ''), row.decimals), 0)
  if (size > mostContracts) refuseCell(row, column, 'too-large')
  return text.startsWith('-') && size > 0 ? -size : size
}

// A product that only holds the name of a known one (XYZ holds the meal's ZM) has ticks of its own.
const finestTick = '0.00000001'
const tickSizes = new Map<string, string>()
const mostTickSizes = 1000

/** The tick size of a row as an exact decimal, `"0.25"`: its own where it has one, else that which Fillbook knows of the product, else the finest. */
export const tickSizeOf = (row: OpenRow, contract: string, product: string | null = null): string => {
  const text = cellText(row, '_tickSize')
  if (text === '') {
    const { rootIsWhole, tickSize } = namedContractSpec(contract, product)
    return rootIsWhole ? tickSize : finestTick
  }
  const key = row.decimals === 'point' ? text : `${row.decimals} ${text}`
  const known = tickSizes.get(key)
  if (known !== undefined) return known
  if (isUnclear(text, row.decimals)) {
    refuseCell(row, '_tickSize', 'unclear-number')
    return '1'
  }
  const tick = text.length > 20 || isCut(text) ? null : parseDecimal(plainNumber(text, row.decimals))
  const plain = tick === null || tick.digits <= 0n ? '' : trimZeros(writeDecimal(tick.digits, tick.scale))
  if (plain === '' || plain.length > finestTick.length) {
    refuseCell(row, '_tickSize', 'bad-number')
    return '1'
  }
  if (tickSizes.size < mostTickSizes) tickSizes.set(key, plain)
  return plain
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text)

/** A price that must be there, in whole ticks; the noise of a float snaps to its tick. */
export const requiredPrice = (row: OpenRow, column: string, tickSize: string): Ticks => {
  const filler = 0 as Ticks
  const text = requiredText(row, column)
  const price = text === '' ? filler : orRefuse(row, column, readPrice(text, tickSize, row.decimals), filler)
  refuseTooHigh(row, column, price, tickSize)
  return price
}

/** Notes that a price in ticks is higher than any there is. */
export const refuseTooHigh = (row: OpenRow, column: string, ticks: number, tickSize: string): void => {
  if (Math.abs(ticks) * Number(tickSize) > highestPrice) refuseCell(row, column, 'too-large')
}

const sides = new Map<string, Side>([
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['buytocover', 'buy'],
  ['sellshort', 'sell'],
  ['0', 'buy'],
  ['1', 'sell'],
])

/** The side that a cell names: ` Buy`, `Sell`, `BuyToCover`, `SellShort`, or 0 and 1. */
export const requiredSide = (row: OpenRow, column: string): Side => {
  const text = requiredText(row, column)
  const side = sides.get(text.toLowerCase().replaceAll(' ', ''))
  if (side === undefined) refuseCell(row, column, 'bad-side')
  return side ?? 'buy'
}

/** The UTC time (ms) of a cell that has the local time of the row's zone. */
export const requiredTime = (row: OpenRow, column: string): number => {
  const wall = readWall(requiredText(row, column), row.dayFirst)
  if (wall !== null) return timeOfWall(wall, row.zone)
  refuseCell(row, column, 'bad-time')
  return 0
}

/** The UTC time (ms) of a cell that is in UTC already. */
export const requiredUtc = (row: OpenRow, column: string): number => {
  const time = readUtc(requiredText(row, column))
  if (time === null) refuseCell(row, column, 'bad-time')
  return time ?? 0
}

/** A date that must be there, `YYYY-MM-DD`. */
export const requiredDate = (row: OpenRow, column: string): string => {
  const date = readDate(requiredText(row, column), row.dayFirst)
  if (date === null) refuseCell(row, column, 'bad-date')
  return date ?? ''
}

/** A date, or null where the cell is empty. */
export const optionalDate = (row: OpenRow, column: string): string | null => (cellText(row, column) === '' ? null : requiredDate(row, column))

/** A currency, or null where the cell is empty; the money of the row, read before, must not be in another. */
export const optionalCurrency = (row: OpenRow, column: string): Currency | null => {
  const text = cellText(row, column)
  const currency = parseCurrency(text)
  if (text !== '' && currency === null) refuseCell(row, column, 'bad-currency')
  if (currency !== null && row.signed !== null && row.signed !== currency) refuseCell(row, column, 'contradicts')
  return currency
}

/** The product that a row names, where the name of its contract alone is not that of a known product; null where it names none. */
export const productOf = (row: OpenRow, contract: string): string | null => {
  const { source, rootIsWhole } = contractSpecOf(contract)
  const product = cellText(row, 'Product').toUpperCase()
  return product === '' || product.length > 40 || (source === 'table' && rootIsWhole) ? null : product
}

/** The name of a row's account. One that is a contract, beside a contract that is the same or none that is known, stands under another column's name. */
export const requiredAccount = (row: OpenRow, column: string, contract: string | null): string => {
  const name = requiredText(row, column)
  const plain = name.toUpperCase()
  const isContract = contract !== null && (isKnownDelivery(contract) || productRow(contract) !== null)
  if (contract !== null && isKnownDelivery(plain) && (plain === contract || !isContract)) refuseCell(row, column, 'contradicts')
  return name
}

/** The contract of a cell, `MNQH5`. */
export const requiredContract = (row: OpenRow, column: string): string => {
  const text = requiredText(row, column)
  if (text.length > 40) refuseCell(row, column, 'too-large')
  // A long number is an id of the broker's under another column's name.
  if (/^\d{9,}$/.test(text)) refuseCell(row, column, 'contradicts')
  return text.toUpperCase()
}
