import { err, ok, type Result } from '#shared/base/result.ts'
import { parseDecimal, tenTo, writeDecimal, type Decimal } from '#shared/money/decimal.ts'
import type { CentRounding } from '#shared/money/cents.ts'
import { parseAmount, parseCurrency, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { findContractRow, wholeRootOf } from './contract-name.ts'
import { contractTable, type ContractRow } from './contract-table.ts'

/** Where a figure came from: the broker's own product row, the P&L in an exported file, Fillbook's table, or nowhere (unknown contract). */
export type SpecSource = 'broker' | 'file' | 'table' | 'unknown'

/** Worth of one tick of one contract: `num / den` units of 1/10,000 of the currency; `den` is 1 wherever that is whole. */
export type TickValue = { readonly num: number; readonly den: number }

/** What is known of a contract, enough to turn ticks into money. */
export type ContractSpec = {
  /** The contract's name, `MESM6`. */
  readonly contract: string
  /** The product code, `MES`; null where none was found in the name. */
  readonly root: string | null
  /** False where the code that was found is not the whole root of the name (`MNGH6` holds NG and is not NG). */
  readonly rootIsWhole: boolean
  readonly currency: Currency
  /** The tick as an exact decimal, `"0.25"`. For an unknown contract the finest step that is kept, `"0.00000001"`. */
  readonly tickSize: string
  readonly tickValue: TickValue
  /** Commission per side and contract that applies where the fill carries no fee of its own; 0 where nobody told it. */
  readonly feePerSide: Amount
  /** How the broker rounds the gross of a fill pair to cents; null where no figure of the broker shows it, and `usualRounding` applies. */
  readonly rounding: CentRounding | null
  /** Where tick value came from. */
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

/** What Fillbook's own table knows of a contract by its name; an unknown one is worth its price, multiplier 1 and commission 0. */
export const contractSpecOf = (contract: string): ContractSpec => {
  const known = specs.get(contract)
  if (known !== undefined) return known
  const row = findContractRow(contract)
  const spec = row === null ? unknownSpec(contract) : tableSpec(contract, row)
  specs.set(contract, spec)
  return spec
}

/**
 * What the broker tells of a contract, with the table's commission where the table has that very product.
 * Refuses a product whose point value or tick size is not a number above zero, or whose currency is no ISO code.
 */
export const brokerContractSpec = (contract: string, product: BrokerProduct): Result<ContractSpec, 'bad-product'> => {
  const tick = parseDecimal(product.tickSize)
  const point = parseDecimal(product.valuePerPoint)
  const currency = parseCurrency(product.currency)
  if (tick === null || point === null || currency === null || tick.digits <= 0n || point.digits <= 0n) return err('bad-product')
  const tickValue = tickValueOf(tick, point)
  if (tickValue === null) return err('bad-product')
  const row = contractTable.find(({ root }) => root === product.name)
  return ok({
    contract,
    root: product.name,
    rootIsWhole: true,
    currency,
    tickSize: writeDecimal(tick.digits, tick.scale),
    tickValue,
    feePerSide: row === undefined ? zero : tableAmount(row.commission),
    rounding: null,
    source: 'broker',
  })
}

const tableSpec = (contract: string, row: ContractRow): ContractSpec => ({
  contract,
  root: row.root,
  rootIsWhole: wholeRootOf(contract) === row.root,
  currency: row.currency as Currency,
  tickSize: row.tickSize,
  tickValue: { num: tableAmount(row.tickValue), den: 1 },
  feePerSide: tableAmount(row.commission),
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

const tableAmount = (text: string): Amount => {
  const amount = parseAmount(text)
  if (!amount.ok) throw new Error(`The contract table has a bad figure: ${text}`)
  return amount.value
}

const tickValueOf = (tick: Decimal, point: Decimal): TickValue | null => {
  const num = tick.digits * point.digits * 10_000n
  const den = tenTo(tick.scale + point.scale)
  const common = greatestCommon(num, den)
  const value = { num: Number(num / common), den: Number(den / common) }
  return Number.isSafeInteger(value.num) && Number.isSafeInteger(value.den) ? value : null
}

const greatestCommon = (one: bigint, other: bigint): bigint => (other === 0n ? one : greatestCommon(other, one % other))
