import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { centRoundings, centsOf, usualRounding, type CentRounding } from '#shared/money/cents.ts'
import { keyOf, type Placed } from './assembly.ts'
import { withoutRepeats } from './contracts.ts'
import type { CashReading, PairReading } from './reading.ts'

type Specs = ReadonlyMap<string, ContractSpec>

/** An exact amount in 1/10,000 as `num / den`, and the broker's booking of it. */
type Rounded = { readonly num: bigint; readonly den: bigint; readonly booked: number }

/** The specs with the broker's own rounding, if its figures show an unusual one, on all contracts whose tick is worth fractions of a cent. */
export const withRounding = (specs: Specs, pairs: readonly Placed<PairReading>[], cash: readonly Placed<CashReading>[]): Specs => {
  if (![...specs.values()].some(hasPartsOfCents)) return specs
  const rounding = roundingShown([...roundedPairs(specs, pairs), ...roundedCash(specs, cash)])
  if (rounding === usualRounding) return specs
  return new Map([...specs].map(([contract, spec]) => [contract, hasPartsOfCents(spec) ? { ...spec, rounding } : spec]))
}

/** Whether a contract's ticks can be worth fractions of a cent. */
export const hasPartsOfCents = ({ tickValue: { num, den } }: Pick<ContractSpec, 'tickValue'>): boolean => num % (den * 100) !== 0

/** The rounding that explains most of the broker's figures; the usual one on a tie. */
const roundingShown = (figures: readonly Rounded[]): CentRounding => {
  let [best, most] = [usualRounding, 0]
  for (const rounding of centRoundings) {
    const explained = figures.filter(({ num, den, booked }) => centsOf(num, den, rounding) === booked).length
    if (explained > most) [best, most] = [rounding, explained]
  }
  return best
}

// A guessed tick value proves nothing.
const showsRounding = (spec: ContractSpec): boolean => hasPartsOfCents(spec) && spec.source !== 'unknown' && spec.rootIsWhole

const roundedPairs = (specs: Specs, pairs: readonly Placed<PairReading>[]): readonly Rounded[] =>
  withoutRepeats(pairs).flatMap(({ contract, buy, sell, qty, pnl }) => {
    const spec = specs.get(contract)
    if (spec === undefined || !showsRounding(spec)) return []
    return [{ num: BigInt(sell.price - buy.price) * BigInt(qty) * BigInt(spec.tickValue.num), den: BigInt(spec.tickValue.den), booked: pnl }]
  })

// If a tick is worth more than two cents, only one number of ticks is within a cent of the booking.
const roundedCash = (specs: Specs, cash: readonly Placed<CashReading>[]): readonly Rounded[] =>
  [...new Map(cash.map((row) => [keyOf(row.account, row.transactionId, row.delta, row.amount), row])).values()].flatMap(({ movement, contract, delta }) => {
    const spec = movement === 'pair' && contract !== null ? specs.get(contract) : undefined
    if (spec === undefined || !showsRounding(spec) || spec.tickValue.num <= 200 * spec.tickValue.den) return []
    const { num, den } = spec.tickValue
    const ticks = Math.round((delta / num) * den)
    const off = BigInt(ticks) * BigInt(num) - BigInt(delta) * BigInt(den)
    return (off < 0n ? -off : off) < 100n * BigInt(den) ? [{ num: BigInt(ticks) * BigInt(num), den: BigInt(den), booked: delta }] : []
  })
