import { contractSpecOf, type ContractSpec, type TickValue } from '#shared/market/contract-spec.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'
import { zero, type Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Placed } from './assembly.ts'
import type { FillReading, OrderReading, PairReading } from './reading.ts'

/** What files say with a price in it. */
export type Priced = { readonly fills: readonly Placed<FillReading>[]; readonly orders: readonly Placed<OrderReading>[]; readonly pairs: readonly Placed<PairReading>[] }

/** The same rows with all prices in ticks of their contract's spec, and those specs. */
export type PricedContracts = Priced & {
  readonly specs: ReadonlyMap<string, ContractSpec>
  /** Contracts of which pairs tell P&L that no single tick value explains. */
  readonly unclear: readonly string[]
}

/** Ticks of one size in those of another: times `num`, over `den`. */
type Ratio = { readonly num: bigint; readonly den: bigint }

type Seen = { readonly prices: Map<string, number[]>; readonly pairs: Placed<PairReading>[]; readonly currencies: Set<Currency> }

/**
 * Settles what each contract is: by Fillbook's table; where that does not have it, by the P&L of the broker's own pairs, if
 * one tick value explains all of it exactly. Where rows have prices between the table's ticks, the tick becomes as fine as they need.
 */
export const settleContracts = ({ fills, orders, pairs }: Priced): PricedContracts => {
  const seen = contractsSeen({ fills, orders, pairs })
  const specs = new Map<string, ContractSpec>()
  const ratios = new Map<string, ReadonlyMap<string, Ratio>>()
  const unclear: string[] = []
  for (const [contract, { prices, pairs: own, currencies }] of seen) {
    const table = contractSpecOf(contract)
    const isKnown = table.source === 'table' && table.rootIsWhole
    const tickSize = commonTick(prices, isKnown ? table.tickSize : null)
    const toCommon = new Map([...prices.keys()].map((size) => [size, ratioOf(size, tickSize)]))
    ratios.set(contract, toCommon)
    const told = isKnown ? null : valueFromPairs(own, toCommon)
    if (told === 'unclear') unclear.push(contract)
    specs.set(contract, told === null || told === 'unclear' ? inTicksOf(table, tickSize) : fileSpec(contract, tickSize, told, [...currencies].sort()[0] ?? table.currency))
  }
  const convert = (price: number, { contract, tickSize }: { readonly contract: string; readonly tickSize: string }): number => inRatio(price, ratios.get(contract)?.get(tickSize))
  const sizeOf = ({ contract }: { readonly contract: string }): string => specs.get(contract)?.tickSize ?? ''
  const moved = <R extends { readonly contract: string; readonly tickSize: string }>(rows: readonly R[], reprice: (row: R) => R): readonly R[] =>
    rows.map((row) => (row.tickSize === sizeOf(row) ? row : reprice(row)))
  return {
    specs,
    unclear,
    fills: moved(fills, (row) => ({ ...row, price: convert(row.price, row) as Ticks, tickSize: sizeOf(row) })),
    orders: moved(orders, (row) => ({ ...row, priceSum: convert(row.priceSum, row), tickSize: sizeOf(row) })),
    pairs: moved(pairs, (row) => ({
      ...row,
      buy: { ...row.buy, price: convert(row.buy.price, row) as Ticks },
      sell: { ...row.sell, price: convert(row.sell.price, row) as Ticks },
      tickSize: sizeOf(row),
    })),
  }
}

const contractsSeen = ({ fills, orders, pairs }: Priced): ReadonlyMap<string, Seen> => {
  const seen = new Map<string, Seen>()
  const note = ({ contract, tickSize }: { readonly contract: string; readonly tickSize: string }, prices: readonly number[]): Seen => {
    let of = seen.get(contract)
    if (of === undefined) seen.set(contract, (of = { prices: new Map(), pairs: [], currencies: new Set() }))
    const known = of.prices.get(tickSize)
    if (known === undefined) of.prices.set(tickSize, [...prices])
    else known.push(...prices)
    return of
  }
  for (const row of fills) note(row, [row.price])
  for (const row of orders) {
    const { currencies } = note(row, [row.priceSum])
    if (row.currency !== null) currencies.add(row.currency)
  }
  for (const row of pairs) {
    const of = note(row, [row.buy.price, row.sell.price])
    of.pairs.push(row)
    if (row.currency !== null) of.currencies.add(row.currency)
  }
  return seen
}

/** The table's tick where all prices lie on it, else the coarsest that all sizes are multiples of. */
const commonTick = (prices: ReadonlyMap<string, readonly number[]>, wanted: string | null): string => {
  const fits = (size: string): boolean => {
    const { num, den } = ratioOf(size, wanted ?? size)
    return den === 1n || (prices.get(size) ?? []).every((price) => (BigInt(price) * num) % den === 0n)
  }
  const sizes = [...prices.keys()]
  if (wanted !== null && sizes.every(fits)) return wanted
  return [...sizes, ...(wanted === null ? [] : [wanted])].reduce(commonDivisor)
}

const decimalOf = (size: string): { readonly digits: bigint; readonly scale: number } => {
  const decimal = parseDecimal(size)
  if (decimal === null || decimal.digits <= 0n) throw new RangeError(`Not a tick size: ${size}`)
  return decimal
}

const commonDivisor = (one: string, other: string): string => {
  const [a, b] = [decimalOf(one), decimalOf(other)]
  const scale = Math.max(a.scale, b.scale)
  return writeDecimal(greatestCommon(a.digits * tenTo(scale - a.scale), b.digits * tenTo(scale - b.scale)), scale)
}

const greatestCommon = (one: bigint, other: bigint): bigint => (other === 0n ? one : greatestCommon(other, one % other))

const reduced = (num: bigint, den: bigint): Ratio => {
  const common = greatestCommon(num < 0n ? -num : num, den)
  return { num: num / common, den: den / common }
}

const ratioOf = (size: string, target: string): Ratio => {
  const [a, b] = [decimalOf(size), decimalOf(target)]
  return reduced(a.digits * tenTo(b.scale), b.digits * tenTo(a.scale))
}

/** Whether every price in ticks of a size lies on ticks of another. */
export const liesOnTicks = (size: string, target: string): boolean => ratioOf(size, target).den === 1n

const inRatio = (price: number, ratio: Ratio | undefined): number => (ratio === undefined ? price : Number((BigInt(price) * ratio.num) / ratio.den))

/** The table's figures for a tick of another size. */
const inTicksOf = (spec: ContractSpec, tickSize: string): ContractSpec => {
  const { num, den } = ratioOf(tickSize, spec.tickSize)
  const value = toTickValue(reduced(num * BigInt(spec.tickValue.num), den * BigInt(spec.tickValue.den)))
  if (value === null) throw new RangeError(`No exact worth of a tick of ${tickSize}`)
  return spec.tickSize === tickSize ? spec : { ...spec, tickSize, tickValue: value }
}

const toTickValue = ({ num, den }: Ratio): TickValue | null => {
  const value = { num: Number(num), den: Number(den) }
  return Number.isSafeInteger(value.num) && Number.isSafeInteger(value.den) ? value : null
}

const valueFromPairs = (pairs: readonly Placed<PairReading>[], ratios: ReadonlyMap<string, Ratio>): TickValue | 'unclear' | null => {
  let agreed: Ratio | null = null
  for (const { buy, sell, qty, pnl, tickSize } of pairs) {
    const ratio = ratios.get(tickSize) ?? { num: 1n, den: 1n }
    const ticks = (BigInt(sell.price - buy.price) * BigInt(qty) * ratio.num) / ratio.den
    if (ticks === 0n && pnl === 0) continue
    if (ticks === 0n) return 'unclear'
    const value = reduced(ticks < 0n ? -BigInt(pnl) : BigInt(pnl), ticks < 0n ? -ticks : ticks)
    if (value.num <= 0n || (agreed !== null && (value.num !== agreed.num || value.den !== agreed.den))) return 'unclear'
    agreed = value
  }
  return agreed === null ? null : (toTickValue(agreed) ?? 'unclear')
}

const fileSpec = (contract: string, tickSize: string, tickValue: TickValue, currency: Currency): ContractSpec => ({
  ...contractSpecOf(contract),
  root: wholeRootOf(contract),
  rootIsWhole: true,
  currency,
  tickSize,
  tickValue,
  feePerSide: zero,
  source: 'file',
})
