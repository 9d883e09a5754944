import { err, ok, type Result } from '#shared/base/result.ts'
import { type Decimal, greatestCommon, parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'
import type { CentRounding } from '#shared/money/cents.ts'
import { parseAmount, parseCurrency, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { guessedRow, productRow, wholeRootOf } from './contract-name.ts'
import type { ContractRow } from './contract-table.ts'

/** The source of a figure: the broker's own product row, the P&L in an exported file, the user, Fillbook's table, or none (unknown contract). */
export type SpecSource = 'broker' | 'file' | 'user' | 'table' | 'unknown'

/** The value of one tick of one contract: `num / den` units of 1/10,000 of the currency; `den` is 1 if that is whole. */
export type TickValue = { readonly num: number; readonly den: number }

/** What is known of a contract: enough to turn ticks into money. */
export type ContractSpec = {
  /** The contract's name, `MESM6`. */
  readonly contract: string
  /** The product code, `MES`; null if the name contains none. */
  readonly root: string | null
  /** False if the code is not the whole root of the name (`MNGH6` contains NG but is not NG). */
  readonly rootIsWhole: boolean
  readonly currency: Currency
  /** The tick as an exact decimal, `"0.25"`. For an unknown contract the finest stored step, `"0.00000001"`. */
  readonly tickSize: string
  readonly tickValue: TickValue
  /** Commission per side and contract for fills without a fee of their own; 0 if unknown. */
  readonly feePerSide: Amount
  /** How the broker rounds a fill pair's gross to cents; null if none of its figures shows it, and `usualRounding` applies. */
  readonly rounding: CentRounding | null
  /** The source of the tick value. */
  readonly source: SpecSource
}

/** A product as the broker describes it: `MES`, 5 dollars a point, ticks of 0.25. */
export type BrokerProduct = {
  readonly name: string
  /** Money per 1.00 of price. */
  readonly valuePerPoint: string | number
  readonly tickSize: string | number
  /** The ISO 4217 code. */
  readonly currency: string
}

const dollar = 'USD' as Currency
const specs = new Map<string, ContractSpec>()

/**
 * The contract table's figures by a contract's name: of the product whose code the name is built on; else of a guess by
 * the longest code in it (`rootIsWhole` is false then); else its price, multiplier 1 and commission 0.
 */
export const contractSpecOf = (contract: string): ContractSpec => {
  const known = specs.get(contract)
  if (known !== undefined) return known
  const row = productRow(wholeRootOf(contract))
  const guess = row ?? guessedRow(contract)
  const spec = guess === null ? unknownSpec(contract) : tableSpec(contract, guess, row !== null)
  specs.set(contract, spec)
  return spec
}

/**
 * The table's figures of a contract whose product a file or a platform names (null if it names none): of the product
 * that the contract's own code means, else of the named one. Never guesses if there is a name that the table does not
 * have.
 */
export const namedContractSpec = (contract: string, product: string | null): ContractSpec => {
  const byName = contractSpecOf(contract)
  if (product === null || (byName.source === 'table' && byName.rootIsWhole)) return byName
  const row = productRow(product)
  return row === null ? { ...unknownSpec(contract), root: product.trim().toUpperCase() } : tableSpec(contract, row, true)
}

/** The same figures for another tick size; null if the value of such a tick is not exact within the safe integers. */
export const specInTicks = (spec: ContractSpec, tickSize: string): ContractSpec | null => {
  if (spec.tickSize === tickSize) return spec
  const [from, to] = [parseDecimal(spec.tickSize), parseDecimal(tickSize)]
  if (from === null || to === null || from.digits <= 0n) return null
  const tickValue = fraction(to.digits * tenTo(from.scale) * BigInt(spec.tickValue.num), from.digits * tenTo(to.scale) * BigInt(spec.tickValue.den))
  return tickValue === null ? null : { ...spec, tickSize, tickValue }
}

/**
 * The broker's figures of a contract, with the table's commission if it has exactly that product. Refuses a
 * product whose point value or tick size is not a number above zero, or whose currency is not an ISO code.
 */
export const brokerContractSpec = (contract: string, product: BrokerProduct): Result<ContractSpec, 'bad-product'> => {
  const tick = parseDecimal(product.tickSize)
  const point = parseDecimal(product.valuePerPoint)
  const currency = parseCurrency(product.currency)
  if (tick === null || point === null || currency === null || tick.digits <= 0n || point.digits <= 0n) return err('bad-product')
  const tickValue = tickValueOf(tick, point)
  if (tickValue === null) return err('bad-product')
  const row = productRow(product.name)
  return ok({
    contract,
    root: product.name,
    rootIsWhole: true,
    currency,
    tickSize: writeDecimal(tick.digits, tick.scale),
    tickValue,
    feePerSide: feeOf(row),
    rounding: null,
    source: 'broker',
  })
}

/**
 * A contract's figures from the broker's tick value, in dollars; its product is the one in the contract's name. Null if
 * either figure is not a number above zero, or the tick value is not exact within the safe integers.
 */
export const tickedContractSpec = (contract: string, stated: { readonly tickSize: string | number; readonly tickValue: string | number }): ContractSpec | null => {
  const [tick, worth] = [parseDecimal(stated.tickSize), parseDecimal(stated.tickValue)]
  const tickValue = tick === null || worth === null || tick.digits <= 0n || worth.digits <= 0n ? null : fraction(worth.digits * 10_000n, tenTo(worth.scale))
  if (tick === null || tickValue === null) return null
  const root = wholeRootOf(contract)
  return { contract, root, rootIsWhole: true, currency: dollar, tickSize: writeDecimal(tick.digits, tick.scale), tickValue, feePerSide: feeOf(productRow(root)), rounding: null, source: 'broker' }
}

/** Whether a contract's point value is uncertain: its product is in no table, or only a part of its name is. */
export const isUncertain = ({ source, rootIsWhole }: Pick<ContractSpec, 'source' | 'rootIsWhole'>): boolean => source === 'unknown' || (source === 'table' && !rootIsWhole)

/** A point value set by the user: an exact decimal above zero, and its currency. */
export type PointValue = { readonly amount: string; readonly currency: Currency }

/** The same contract with the user's point value; null if the value of its tick is not exact within the safe integers. */
export const pointValueSpec = (spec: ContractSpec, { amount, currency }: PointValue): ContractSpec | null => {
  const [tick, point] = [parseDecimal(spec.tickSize), parseDecimal(amount)]
  const tickValue = tick === null || point === null || point.digits <= 0n ? null : tickValueOf(tick, point)
  return tickValue === null ? null : { ...spec, root: wholeRootOf(spec.contract), rootIsWhole: true, currency, tickValue, feePerSide: zero, source: 'user' }
}

const tableSpec = (contract: string, row: ContractRow, rootIsWhole: boolean): ContractSpec => ({
  contract,
  root: row.root,
  rootIsWhole,
  currency: row.currency as Currency,
  tickSize: row.tickSize,
  tickValue: tableTickValue(row),
  feePerSide: feeOf(row),
  rounding: null,
  source: 'table',
})

const unknownSpec = (contract: string): ContractSpec => ({
  contract,
  root: null,
  rootIsWhole: true,
  currency: dollar,
  tickSize: '0.00000001',
  tickValue: { num: 1, den: 10_000 },
  feePerSide: zero,
  rounding: null,
  source: 'unknown',
})

const feeOf = (row: ContractRow | null): Amount => (row === null || row.commission === null ? zero : tableAmount(row.commission))

const tableTickValue = ({ root, tickSize, multiplier }: ContractRow): TickValue => {
  const [tick, point] = [parseDecimal(tickSize), parseDecimal(multiplier)]
  const value = tick === null || point === null ? null : tickValueOf(tick, point)
  if (value === null) throw new Error(`The contract table has a bad figure: ${root}`)
  return value
}

const tableAmount = (text: string): Amount => {
  const amount = parseAmount(text)
  if (!amount.ok) throw new Error(`The contract table has a bad figure: ${text}`)
  return amount.value
}

const tickValueOf = (tick: Decimal, point: Decimal): TickValue | null => fraction(tick.digits * point.digits * 10_000n, tenTo(tick.scale + point.scale))

const fraction = (num: bigint, den: bigint): TickValue | null => {
  const common = greatestCommon(num, den)
  const value = { num: Number(num / common), den: Number(den / common) }
  return Number.isSafeInteger(value.num) && Number.isSafeInteger(value.den) ? value : null
}
