import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { divideRounded, parseDecimal, tenTo, type Decimal } from '#shared/money/decimal.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'

/** The assumed stop distance of a trade without a stop: an exact decimal above zero, in ticks or points. */
export type DefaultStop = { readonly distance: string; readonly unit: 'ticks' | 'points' }

/** Default stops by product: `MES`. */
export type DefaultStops = ReadonlyMap<string, DefaultStop>

/** The entry of a fill pair. `price` is in ticks of `tickSize`; `stop` is an exact decimal price, null if the user gave none. */
export type PairEntry = { readonly symbol: string; readonly side: 'long' | 'short'; readonly price: Ticks; readonly tickSize: string; readonly qty: number; readonly stop: string | null }

// A distance in ticks, `num / den`.
type Distance = { readonly num: bigint; readonly den: bigint }

/**
 * Returns a function that computes the loss at the stop: from the entry to the stop in ticks x tick value x quantity, rounded once
 * to 1/10,000. It is negative for a stop where only a profit would be stopped: that pair alone risks nothing, and takes from
 * the risk of its trade. A pair's own stop wins over its product's default. Null without a stop, for a stop at the entry, and for
 * an invalid stop or default.
 */
export const riskBy = (defaults: DefaultStops): ((entry: PairEntry, spec: Pick<ContractSpec, 'tickSize' | 'tickValue'>) => Amount | null) => {
  const known = new Map([...defaults].map(([product, { distance, unit }]) => [product.toUpperCase(), { distance: parseDecimal(distance), unit }]))
  return (entry, spec) => {
    const byDefault = known.get(wholeRootOf(entry.symbol))
    if (entry.stop === null && byDefault === undefined) return null
    const tick = parseDecimal(spec.tickSize)
    if (tick === null) return null
    const distance = entry.stop !== null ? ownDistance(entry, entry.stop, tick) : aboveZero(byDefault?.unit === 'points' ? inTicks(byDefault.distance, tick) : asTicks(byDefault?.distance ?? null))
    return distance === null || distance.num === 0n ? null : amountAt(distance, spec, entry.qty)
  }
}

/** Sums the risks of fill pairs to those of their trades. A trade has a risk if each of its fill pairs has one and their sum is exact. */
export const createTradeRisks = () => {
  const risks = new Map<string, Amount | null>()
  return {
    take: (tradeId: string, risk: Amount | null): void => {
      const before = risks.get(tradeId)
      const sum = before === null || risk === null ? null : (before ?? 0) + risk
      risks.set(tradeId, sum !== null && Number.isSafeInteger(sum) ? amountOf(sum) : null)
    },
    /** The risk of a trade; null also if none of its fill pairs was added. */
    of: (tradeId: string): Amount | null => risks.get(tradeId) ?? null,
  }
}

const ownDistance = ({ side, price, tickSize }: PairEntry, text: string, tick: Decimal): Distance | null => {
  const [stop, step] = [parseDecimal(text), parseDecimal(tickSize)]
  if (stop === null || step === null) return null
  const distance = BigInt(price) * step.digits * tenTo(stop.scale) - stop.digits * tenTo(step.scale)
  return inTicks({ digits: side === 'long' ? distance : -distance, scale: stop.scale + step.scale }, tick)
}

const aboveZero = (distance: Distance | null): Distance | null => (distance !== null && distance.num > 0n ? distance : null)

const inTicks = (points: Decimal | null, tick: Decimal): Distance | null => points && { num: points.digits * tenTo(tick.scale), den: tick.digits * tenTo(points.scale) }

const asTicks = (ticks: Decimal | null): Distance | null => ticks && { num: ticks.digits, den: tenTo(ticks.scale) }

const amountAt = ({ num, den }: Distance, { tickValue }: Pick<ContractSpec, 'tickValue'>, qty: number): Amount | null => {
  const worth = Number(divideRounded(num * BigInt(tickValue.num) * BigInt(qty), den * BigInt(tickValue.den), 'half-away'))
  return worth !== 0 && Number.isSafeInteger(worth) ? amountOf(worth) : null
}
