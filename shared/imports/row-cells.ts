import { err, ok, type Result } from '#shared/base/result.ts'
import type { Side } from '#shared/fills/fill.ts'
import { productRow } from '#shared/market/contract-name.ts'
import { contractSpecOf, namedContractSpec } from '#shared/market/contract-spec.ts'
import { isTimeZone, timeOfWall } from '#shared/market/zone-clock.ts'
import { addCurrencyAmounts, noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { parseDecimal, writeDecimal } from '#shared/money/decimal.ts'
import { amountOf, parseCurrency, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { currencySignsIn, isTruncated, isUnclear, plainNumber, readMoney, readPrice, readWhole, type DecimalSign, type NumberProblem } from './cell-number.ts'
import { readDate, readOffset, readUtc, readWall } from './cell-time.ts'
import { contractOfInstrument, isKnownDelivery } from './contract-code.ts'
import type { ExportRow, Reading, RowProblem, StatedExcursions } from './reading.ts'

/**
 * A row being read. Each function below reads one cell; the first unreadable one becomes the row's problem, and the placeholder that the function then
 * returns never leaves `finishRow`.
 */
export type OpenRow = {
  readonly cells: ExportRow['cells']
  readonly zone: string
  readonly decimals: DecimalSign
  readonly dayFirst: boolean
  /** The currency sign in its money cells. */
  signed: Currency | null
  problem: RowProblem | null
}

/** Starts reading a row, local times in an IANA zone; throws a RangeError if the zone is unknown. */
export const openRow = ({ cells, writing }: ExportRow, zone: string): OpenRow => {
  if (!isTimeZone(zone)) throw new RangeError(`Not a time zone: ${zone}`)
  return { cells, zone, decimals: writing?.decimals ?? 'point', dayFirst: writing?.dayFirst ?? false, signed: null, problem: null }
}

/** The row's reading, or its problem. */
export const finishRow = <T extends Reading | null>(row: OpenRow, reading: T): Result<T, RowProblem> => (row.problem === null ? ok(reading) : err(row.problem))

/** Records a cell's problem, unless the row already has one. */
export const refuseCell = (row: OpenRow, column: string, code: RowProblem['code']): void => {
  row.problem ??= { code, column, value: (row.cells[column] ?? '').slice(0, 40) }
}

/** A cell's trimmed text; empty if the file has no such column. */
export const cellText = (row: OpenRow, column: string): string => (row.cells[column] ?? '').trim()

/** The first non-empty of several equivalent columns; the first if all are empty. */
export const filledColumn = (row: OpenRow, columns: readonly [string, ...string[]]): string => columns.find((column) => cellText(row, column) !== '') ?? columns[0]

/** Required text of at most 100 characters. */
export const requiredText = (row: OpenRow, column: string): string => {
  const text = cellText(row, column)
  if (text === '') refuseCell(row, column, 'missing')
  if (text.length > 100) refuseCell(row, column, 'too-large')
  return text
}

/** Text, or null if the cell is empty. */
export const optionalText = (row: OpenRow, column: string): string | null => (cellText(row, column) === '' ? null : requiredText(row, column))

// A spreadsheet saves long ids like 5.87521E+11: the digits are lost.
const roundedId = /^\d+[.,]\d*(?:E\+?\d+)?$|^\d+E\+\d+$/i

/** Whether a text can be an id: not if a spreadsheet rounded it, or if it has a slash, which separates the ids in a fill pair's id. */
export const isId = (text: string): boolean => !roundedId.test(text) && !text.includes('/')

/** A required broker id. */
export const requiredId = (row: OpenRow, column: string): string => {
  const text = requiredText(row, column)
  if (!isId(text)) refuseCell(row, column, 'bad-number')
  return text
}

/** An id, or null if the cell is empty. */
export const optionalId = (row: OpenRow, column: string): string | null => (cellText(row, column) === '' ? null : requiredId(row, column))

/** The broker's fill id, all digits. */
export const requiredFillId = (row: OpenRow, column: string): string => {
  const id = requiredId(row, column)
  if (!/^\d+$/.test(id)) refuseCell(row, column, 'bad-number')
  return id
}

/** An account number, or null if the cell is empty; a name here would merge two accounts. */
export const optionalAccountNumber = (row: OpenRow, column: string): string | null => {
  const id = optionalId(row, column)
  if (id !== null && !/^\d+$/.test(id)) refuseCell(row, column, 'bad-number')
  return id
}

// Far above any real trade, and low enough that computations stay exact.
const highestPrice = 10_000_000
const mostContracts = 1_000_000

const orRefuse = <T>(row: OpenRow, column: string, read: Result<T, NumberProblem>, filler: T): T => {
  if (read.ok) return read.value
  refuseCell(row, column, read.error)
  return filler
}

/** Required money. */
export const requiredMoney = (row: OpenRow, column: string): Amount => {
  const text = requiredText(row, column)
  if (text === '') return zero
  for (const currency of currencySignsIn(text)) {
    row.signed ??= currency
    if (currency !== row.signed) refuseCell(row, column, 'contradicts')
  }
  return orRefuse(row, column, readMoney(text, row.decimals), zero)
}

/** The currency sign of the money read so far; null if none, or the assumed one. */
export const signedCurrency = ({ signed }: OpenRow, taken: Currency | null): Currency | null => (signed === taken ? null : signed)

/** Money, or null if the cell is empty. */
export const optionalMoney = (row: OpenRow, column: string): Amount | null => (cellText(row, column) === '' ? null : requiredMoney(row, column))

/** The excursions of a row, in two columns of money with any signs; a cell that is not money is ignored, since no figure depends on it. */
export const statedExcursions = (row: OpenRow, by: StatedExcursions['by'], mfe: string, mae: string): { readonly excursions?: StatedExcursions } => {
  const amountIn = (column: string): Amount | null => {
    const read = readMoney(cellText(row, column), row.decimals)
    return read.ok ? amountOf(Math.abs(read.value)) : null
  }
  const stated = { by, mfe: amountIn(mfe), mae: amountIn(mae) }
  return stated.mfe === null && stated.mae === null ? {} : { excursions: stated }
}

/** A commission or fee, null if the cell is empty; a negative one is rejected. */
export const optionalCost = (row: OpenRow, column: string): Amount | null => {
  const cost = optionalMoney(row, column)
  if (cost !== null && cost < 0) refuseCell(row, column, 'negative-fee')
  return cost
}

/** A cost to subtract from the row's money. Rejected if its sign names a currency that is neither the contract's nor that of the `money` columns, or if it shows dollars while they show another currency. */
export const costInMoney = (row: OpenRow, column: string, contractCurrency: Currency, ...money: readonly string[]): Amount | null => {
  const text = cellText(row, column)
  const beside = money.flatMap((other) => currencySignsIn(cellText(row, other)))
  const named = [contractCurrency, row.signed, ...beside]
  // Many platforms write any currency with a dollar sign, but not only its costs.
  if (currencySignsIn(text).some((currency) => !named.includes(currency)) || (text.includes('$') && beside.length > 0)) refuseCell(row, column, 'contradicts')
  return optionalCost(row, column)
}

/** A fill's fees, null if the cell is empty: a negative fee is rejected, and one in another currency than the contract's is kept separately. */
export const feesOf = (row: OpenRow, column: string, contract: string, product: string | null = null): FillFees => feeByCurrency(row, optionalCost(row, column), contract, product)

type FillFees = { readonly fee: Amount | null; readonly otherFees?: CurrencyAmounts }

/** A fill's fee, kept separately if the row's money is in another currency than the contract's. */
export const feeByCurrency = (row: OpenRow, fee: Amount | null, contract: string, product: string | null): FillFees => {
  const currency = fee === null ? null : signedCurrency(row, namedContractSpec(contract, product).currency)
  return fee === null || currency === null ? { fee } : { fee: zero, otherFees: addCurrencyAmounts(noAmounts, [{ currency, amount: fee }]) }
}

/** A number of contracts of at least 0, or null if the cell is empty. */
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

/** A net position, below zero if short. */
export const requiredNet = (row: OpenRow, column: string): number => {
  const text = requiredText(row, column)
  const size = text === '' ? 0 : orRefuse(row, column, readWhole(text.replace(/^[-+]/, ''), row.decimals), 0)
  if (size > mostContracts) refuseCell(row, column, 'too-large')
  return text.startsWith('-') && size > 0 ? -size : size
}

// A product whose name only contains a known one has its own ticks.
const finestTick = '0.00000001'
const tickSizes = new Map<string, string>()
const mostTickSizes = 1000

/** A row's tick size as an exact decimal, `"0.25"`: its own, otherwise Fillbook's for the product, otherwise the finest. */
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
  const tick = text.length > 20 || isTruncated(text) ? null : parseDecimal(plainNumber(text, row.decimals))
  const plain = tick === null || tick.digits <= 0n ? '' : trimZeros(writeDecimal(tick.digits, tick.scale))
  if (plain === '' || plain.length > finestTick.length) {
    refuseCell(row, '_tickSize', 'bad-number')
    return '1'
  }
  if (tickSizes.size < mostTickSizes) tickSizes.set(key, plain)
  return plain
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text)

/** A required price in whole ticks; float noise snaps to its tick. */
export const requiredPrice = (row: OpenRow, column: string, tickSize: string): Ticks => priceOf(row, column, requiredText(row, column), tickSize)

/** A price in whole ticks as a cell's text means it. */
export const priceOf = (row: OpenRow, column: string, text: string, tickSize: string): Ticks => {
  const filler = 0 as Ticks
  const price = text === '' ? filler : orRefuse(row, column, readPrice(text, tickSize, row.decimals), filler)
  refuseTooHigh(row, column, price, tickSize)
  return price
}

/** Rejects a price in ticks that is impossibly high. */
export const refuseTooHigh = (row: OpenRow, column: string, ticks: number, tickSize: string): void => {
  if (Math.abs(ticks) * Number(tickSize) > highestPrice) refuseCell(row, column, 'too-large')
}

const sides = new Map<string, Side>([
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['buytocover', 'buy'],
  ['sellshort', 'sell'],
  ['b', 'buy'],
  ['s', 'sell'],
  ['0', 'buy'],
  ['1', 'sell'],
])

/** A cell's side: ` Buy`, `Sell`, `BuyToCover`, `SellShort`, B and S, or 0 and 1. */
export const requiredSide = (row: OpenRow, column: string): Side => {
  const text = requiredText(row, column)
  const side = sides.get(text.toLowerCase().replaceAll(' ', ''))
  if (side === undefined) refuseCell(row, column, 'bad-side')
  return side ?? 'buy'
}

/** A cell's symbol of another platform; no name begins with a minus. */
export const requiredSymbol = (row: OpenRow, column: string): string => {
  const text = requiredContract(row, column)
  if (text.startsWith('-')) refuseCell(row, column, 'contradicts')
  return text
}

/** A cell's direction, Long or Short; NinjaTrader writes both in English in every language. */
export const requiredDirection = (row: OpenRow, column: string): 'long' | 'short' => {
  const text = requiredText(row, column).toLowerCase()
  if (text !== 'long' && text !== 'short') refuseCell(row, column, 'bad-side')
  return text === 'short' ? 'short' : 'long'
}

/** The account name as in other files: NinjaTrader may append the firm, `NAME!Firm!Firm`. */
export const accountWithoutFirm = (name: string): string => /^([^!]+)![^!]*![^!]*$/.exec(name)?.[1]?.trim() ?? name

/** The UTC ms of a cell with local time in the row's zone. */
export const requiredTime = (row: OpenRow, column: string): number => {
  const wall = readWall(requiredText(row, column), row.dayFirst)
  if (wall !== null) return timeOfWall(wall, row.zone)
  refuseCell(row, column, 'bad-time')
  return 0
}

/** The UTC ms of a cell with local time in the row's zone, or with a time and its offset. */
export const requiredTimeOrOffset = (row: OpenRow, column: string): number => readOffset(cellText(row, column), row.dayFirst) ?? requiredTime(row, column)

/** The UTC ms of a cell in UTC. */
export const requiredUtc = (row: OpenRow, column: string): number => {
  const time = readUtc(requiredText(row, column))
  if (time === null) refuseCell(row, column, 'bad-time')
  return time ?? 0
}

/** A required date, `YYYY-MM-DD`. */
export const requiredDate = (row: OpenRow, column: string): string => {
  const date = readDate(requiredText(row, column), row.dayFirst)
  if (date === null) refuseCell(row, column, 'bad-date')
  return date ?? ''
}

/** A date, or null if the cell is empty. */
export const optionalDate = (row: OpenRow, column: string): string | null => (cellText(row, column) === '' ? null : requiredDate(row, column))

/** A currency, or null if the cell is empty; the row's money, read before, must not have another sign. */
export const optionalCurrency = (row: OpenRow, column: string): Currency | null => {
  const text = cellText(row, column)
  const currency = parseCurrency(text)
  if (text !== '' && currency === null) refuseCell(row, column, 'bad-currency')
  if (currency !== null && row.signed !== null && row.signed !== currency) refuseCell(row, column, 'contradicts')
  return currency
}

/** A row's product, if its contract's name is not of a known one; null if none. */
export const productOf = (row: OpenRow, contract: string): string | null => {
  const { source, rootIsWhole } = contractSpecOf(contract)
  const product = cellText(row, 'Product').toUpperCase()
  return product === '' || product.length > 40 || (source === 'table' && rootIsWhole) ? null : product
}

/** A row's account name. A contract here, with the same or an unknown contract in the contract column, means shifted cells. */
export const requiredAccount = (row: OpenRow, column: string, contract: string | null): string => {
  const name = requiredText(row, column)
  // NinjaTrader spells the month, ATAS adds the exchange.
  const plain = contractOfInstrument(name.replace(/@.*$/, ''))
  const isContract = contract !== null && (isKnownDelivery(contract) || productRow(contract) !== null)
  if (contract !== null && isKnownDelivery(plain) && (plain === contract || !isContract)) refuseCell(row, column, 'contradicts')
  return name
}

/** A cell's contract, `MNQH5`. */
export const requiredContract = (row: OpenRow, column: string): string => {
  const text = requiredText(row, column)
  if (text.length > 40) refuseCell(row, column, 'too-large')
  // A long number is a broker id in a shifted column.
  if (/^\d{9,}$/.test(text)) refuseCell(row, column, 'contradicts')
  return text.toUpperCase()
}
