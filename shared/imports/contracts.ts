import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { namedContractSpec, specInTicks, type ContractSpec, type TickValue } from '#shared/market/contract-spec.ts'
import { productRow, wholeRootOf } from '#shared/market/contract-name.ts'
import { divideRounded, greatestCommon, parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'
import { zero, type Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { keyOf, type DifferingValue, type Placed } from './assembly.ts'
import type { FillReading, OrderReading, PairReading } from './reading.ts'

/** All rows with prices. */
export type Priced = { readonly fills: readonly Placed<FillReading>[]; readonly orders: readonly Placed<OrderReading>[]; readonly pairs: readonly Placed<PairReading>[] }

/** The rows with prices in ticks of their contract's spec, and the specs. */
export type PricedContracts = Priced & {
  readonly specs: ReadonlyMap<string, ContractSpec>
  /** Contracts whose pairs' P&L fits no single tick value. */
  readonly unclear: readonly string[]
  /** Contracts whose value is known only from the P&L of platforms' closed trades, which it cannot prove. */
  readonly selfValued: ReadonlySet<string>
  /** Known contracts whose pairs' P&L implies another point value than the table's. */
  readonly differing: readonly DifferingValue[]
}

/** Converts ticks of one size to another: times `num`, over `den`. */
type Ratio = { readonly num: bigint; readonly den: bigint }

type SeenContract = { readonly prices: Map<string, number[]>; readonly pairs: Placed<PairReading>[]; readonly currencies: Set<Currency> }

/**
 * Resolves each contract's spec: from Fillbook's table, if needed by the product that a row names; otherwise from the broker's own pairs, if one tick
 * value explains all their P&L. If rows have prices between the table's ticks, the tick becomes as fine as needed. `productsOf`: the products named
 * in rows, by contract.
 */
export const settleContracts = ({ fills, orders, pairs }: Priced, productsOf: ReadonlyMap<string, ReadonlySet<string>>): PricedContracts => {
  const seen = contractsSeen({ fills, orders, pairs })
  const specs = new Map<string, ContractSpec>()
  const ratios = new Map<string, ReadonlyMap<string, Ratio>>()
  const unclear: string[] = []
  const selfValued = new Set<string>()
  const differing: DifferingValue[] = []
  for (const [contract, { prices, pairs: own, currencies }] of seen) {
    const table = namedContractSpec(contract, [...(productsOf.get(contract) ?? [])].sort()[0] ?? null)
    const isKnown = table.source === 'table' && table.rootIsWhole
    const inQuoted = (size: string): string => (isKnown ? quotedTick(table, size) : size)
    const quoted = new Map<string, readonly number[]>()
    for (const [size, values] of prices) quoted.set(inQuoted(size), [...(quoted.get(inQuoted(size)) ?? []), ...values])
    const tickSize = commonTick(quoted, isKnown ? table.tickSize : null)
    const toCommon = new Map([...prices.keys()].map((size) => [size, ratioOf(inQuoted(size), tickSize)]))
    ratios.set(contract, toCommon)
    const moves = withoutRepeats(own).map((pair) => moveOf(pair, toCommon))
    const shown = isKnown ? null : valueShown(moves, tickSize)
    if (shown === 'unclear') unclear.push(contract)
    else if (shown !== null && own.every(({ closing }) => closing !== undefined)) selfValued.add(contract)
    const spec = shown === null || shown === 'unclear' ? inTicksOf(table, tickSize) : fileSpec(table, tickSize, shown, [...currencies].sort()[0] ?? table.currency)
    specs.set(contract, spec)
    const other = isKnown ? otherValue(moves, spec) : null
    if (other !== null) differing.push({ contract, ...other })
  }
  const convert = (price: number, { contract, tickSize }: { readonly contract: string; readonly tickSize: string }): number => inRatio(price, ratios.get(contract)?.get(tickSize))
  const sizeOf = ({ contract }: { readonly contract: string }): string => specs.get(contract)?.tickSize ?? ''
  const moved = <R extends { readonly contract: string; readonly tickSize: string }>(rows: readonly R[], reprice: (row: R) => R): readonly R[] =>
    rows.map((row) => (row.tickSize === sizeOf(row) ? row : reprice(row)))
  return {
    specs,
    unclear,
    selfValued,
    differing,
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

const contractsSeen = ({ fills, orders, pairs }: Priced): ReadonlyMap<string, SeenContract> => {
  const seen = new Map<string, SeenContract>()
  const note = ({ contract, tickSize }: { readonly contract: string; readonly tickSize: string }, prices: readonly number[]): SeenContract => {
    const of = getOrInsert(seen, contract, () => ({ prices: new Map(), pairs: [], currencies: new Set<Currency>() }))
    getOrInsert(of.prices, tickSize, () => []).push(...prices)
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

/** The table's tick if all prices fit it, otherwise the coarsest common divisor of all sizes. */
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

const reduced = (num: bigint, den: bigint): Ratio => {
  const common = greatestCommon(num < 0n ? -num : num, den)
  return { num: num / common, den: den / common }
}

const ratioOf = (size: string, target: string): Ratio => {
  const [a, b] = [decimalOf(size), decimalOf(target)]
  return reduced(a.digits * tenTo(b.scale), b.digits * tenTo(a.scale))
}

/** Whether every tick of one size is a tick of another. */
export const liesOnTicks = (size: string, target: string): boolean => ratioOf(size, target).den === 1n

const inRatio = (price: number, ratio: Ratio | undefined): number => (ratio === undefined ? price : Number((BigInt(price) * ratio.num) / ratio.den))

/** The tick size of prices written in dollars when the exchange quotes cents: the same ticks, a hundredth in size. */
const quotedTick = ({ root, tickSize }: ContractSpec, size: string): string => {
  const quoting = root === null ? undefined : productRow(root)?.quoting
  const { num, den } = ratioOf(tickSize, size)
  return (quoting === 'cents' || quoting === 'eighths') && num === 100n && den === 1n ? tickSize : size
}

const inTicksOf = (spec: ContractSpec, tickSize: string): ContractSpec => {
  const same = specInTicks(spec, tickSize)
  if (same === null) throw new RangeError(`No exact worth of a tick of ${tickSize}`)
  return same
}

const toTickValue = ({ num, den }: Ratio): TickValue | null => {
  const value = { num: Number(num), den: Number(den) }
  return Number.isSafeInteger(value.num) && Number.isSafeInteger(value.den) ? value : null
}

/** Pairs without duplicates: repetition proves nothing. */
export const withoutRepeats = (pairs: readonly Placed<PairReading>[]): readonly Placed<PairReading>[] => [
  ...new Map(pairs.map((pair) => [keyOf(pair.account, pair.buy.fillId, pair.sell.fillId, pair.buy.price, pair.sell.price, pair.qty, pair.pnl), pair])).values(),
]

/** A pair's price move in ticks times contracts, and the broker's P&L of it. */
type Move = { readonly ticks: bigint; readonly pnl: bigint }

const moveOf = ({ buy, sell, qty, pnl, tickSize }: Placed<PairReading>, ratios: ReadonlyMap<string, Ratio>): Move => {
  const ratio = ratios.get(tickSize) ?? { num: 1n, den: 1n }
  return { ticks: (BigInt(sell.price - buy.price) * BigInt(qty) * ratio.num) / ratio.den, pnl: BigInt(pnl) }
}

/** The one tick value that explains all moves, exactly or with the broker's rounding to cents. Null if no price moved. */
const valueShown = (moves: readonly Move[], tickSize: string): TickValue | 'unclear' | null => {
  const moved = moves.filter(({ ticks, pnl }) => ticks !== 0n || pnl !== 0n)
  const [first] = moved
  if (first === undefined) return null
  if (moved.some(({ ticks, pnl }) => ticks === 0n || ticks * pnl < 0n)) return 'unclear'
  if (first.pnl !== 0n && moved.every(({ ticks, pnl }) => pnl * first.ticks === first.pnl * ticks)) return toTickValue(reduced(size(first.pnl), size(first.ticks))) ?? 'unclear'
  const point = simplestPoint(moved, tickSize)
  return point === null ? 'unclear' : (toTickValue(reduced(point.num * decimalOf(tickSize).digits * 10_000n, point.den * tenTo(decimalOf(tickSize).scale))) ?? 'unclear')
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)

/** The point value with the fewest digits that puts every move within a cent of its booking. */
const simplestPoint = (moves: readonly Move[], tickSize: string): Ratio | null => {
  const tick = decimalOf(tickSize)
  const isWithin = ({ num, den }: Ratio): boolean =>
    moves.every(({ ticks, pnl }) => size(size(ticks) * tick.digits * num * 10_000n - size(pnl) * tenTo(tick.scale) * den) < 100n * tenTo(tick.scale) * den)
  const largest = moves.reduce((one, other) => (size(other.ticks) > size(one.ticks) ? other : one))
  const exact = reduced(size(largest.pnl) * tenTo(tick.scale), size(largest.ticks) * tick.digits * 10_000n)
  for (let figures = 1; figures <= mostFigures; figures += 1) {
    const rounded = toFigures(exact, figures)
    if (rounded.num > 0n && isWithin(rounded)) return rounded
  }
  return null
}

// Point values have few significant digits: 12500000, 62.5, 0.1.
const mostFigures = 6

const toFigures = ({ num, den }: Ratio, figures: number): Ratio => {
  const whole = (num / den).toString()
  // Leading zeros below one are not significant.
  let scale = figures - (num >= den ? whole.length : 0)
  if (num > 0n && num < den) for (let value = num * 10n; value < den; value *= 10n) scale += 1
  const [up, down] = [tenTo(Math.max(0, scale)), tenTo(Math.max(0, -scale))]
  return { num: divideRounded(num * up, den * down, 'half-away') * down, den: up }
}

/** The point value of the pairs that differ from ours by more than rounding, if most of the contract's pairs agree on it. */
const otherValue = (moves: readonly Move[], { tickSize, tickValue }: ContractSpec): Omit<DifferingValue, 'contract'> | null => {
  const [num, den] = [BigInt(tickValue.num), BigInt(tickValue.den)]
  const moved = moves.filter(({ ticks }) => ticks !== 0n)
  const off = moved.filter(({ ticks, pnl }) => size(ticks * num - pnl * den) >= 100n * den)
  const shown = off.length * 2 > moved.length ? valueShown(off, tickSize) : null
  if (shown === null || shown === 'unclear') return null
  return { file: pointText(shown, tickSize), table: pointText(tickValue, tickSize), pairs: off.length }
}

/** The point value with at most six decimals. */
const pointText = ({ num, den }: TickValue, tickSize: string): string => {
  const tick = decimalOf(tickSize)
  const text = writeDecimal(divideRounded(BigInt(num) * tenTo(tick.scale + 2), BigInt(den) * tick.digits, 'half-away'), 6)
  return text.replace(/\.?0+$/, '')
}

const fileSpec = (table: ContractSpec, tickSize: string, tickValue: TickValue, currency: Currency): ContractSpec => ({
  ...table,
  root: table.source === 'unknown' && table.root !== null ? table.root : wholeRootOf(table.contract),
  rootIsWhole: true,
  currency,
  tickSize,
  tickValue,
  feePerSide: zero,
  source: 'file',
})
