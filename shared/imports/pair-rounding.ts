import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { centRoundings, centsOf, usualRounding, type CentRounding } from '#shared/money/cents.ts'
import { keyOf, type Placed } from './assembly.ts'
import { toldOnce } from './contracts.ts'
import type { CashReading, PairReading } from './reading.ts'

type Specs = ReadonlyMap<string, ContractSpec>

/** Exact units of 1/10,000 as `num / den`, and what the broker booked for them. */
type Rounded = { readonly num: bigint; readonly den: bigint; readonly booked: number }

/** The specs with the broker's own rounding, where its figures show another than the usual one, on all contracts of which a tick is worth parts of cents. */
export const withRounding = (specs: Specs, pairs: readonly Placed<PairReading>[], cash: readonly Placed<CashReading>[]): Specs => {
  if (![...specs.values()].some(hasPartsOfCents)) return specs
  const rounding = roundingShown([...roundedPairs(specs, pairs), ...roundedCash(specs, cash)])
  if (rounding === usualRounding) return specs
  return new Map([...specs].map(([contract, spec]) => [contract, hasPartsOfCents(spec) ? { ...spec, rounding } : spec]))
}

/** Whether ticks of a contract can come to parts of cents. */
export const hasPartsOfCents = ({ tickValue: { num, den } }: Pick<ContractSpec, 'tickValue'>): boolean => num % (den * 100) !== 0

/** The rounding that explains most of the broker's figures; the usual one where several do. */
const roundingShown = (figures: readonly Rounded[]): CentRounding => {
  let [best, most] = [usualRounding, 0]
  for (const rounding of centRoundings) {
    const explained = figures.filter(({ num, den, booked }) => centsOf(num, den, rounding) === booked).length
    if (explained > most) [best, most] = [rounding, explained]
  }
  return best
}

// A guess at what a tick is worth shows nothing.
const showsRounding = (spec: ContractSpec): boolean => hasPartsOfCents(spec) && spec.source !== 'unknown' && spec.rootIsWhole

const roundedPairs = (specs: Specs, pairs: readonly Placed<PairReading>[]): readonly Rounded[] =>
  toldOnce(pairs).flatMap(({ contract, buy, sell, qty, pnl }) => {
    const spec = specs.get(contract)
    if (spec === undefined || !showsRounding(spec)) return []
    return [{ num: BigInt(sell.price - buy.price) * BigInt(qty) * BigInt(spec.tickValue.num), den: BigInt(spec.tickValue.den), booked: pnl }]
  })

// Where a tick is worth more than two cents, only one number of ticks lies within a cent of what was booked.
const roundedCash = (specs: Specs, cash: readonly Placed<CashReading>[]): readonly Rounded[] =>
  [...new Map(cash.map((row) => [keyOf(row.account, row.transactionId, row.delta, row.amount), row])).values()].flatMap(({ movement, contract, delta }) => {
    const spec = movement === 'pair' && contract !== null ? specs.get(contract) : undefined
    if (spec === undefined || !showsRounding(spec) || spec.tickValue.num <= 200 * spec.tickValue.den) return []
    const { num, den } = spec.tickValue
    const ticks = Math.round((delta / num) * den)
    const off = BigInt(ticks) * BigInt(num) - BigInt(delta) * BigInt(den)
    return (off < 0n ? -off : off) < 100n * BigInt(den) ? [{ num: BigInt(ticks) * BigInt(num), den: BigInt(den), booked: delta }] : []
  })
