import { divideRounded } from '#shared/money/decimal.ts'
import type { Amount } from '#shared/money/money.ts'
import type { CountedTrade } from './figures.ts'

/** R-multiples of the trades with a known stop: net P&L over risk, each rounded to 1/10,000 R before summing. */
export type RFigures = {
  /** Trades with a known stop. */
  readonly count: number
  readonly sum: number
  /** Null without such a trade. */
  readonly average: number | null
}

/** A running total of R-multiples. */
export type RSum = { count: number; units: number }

/** The number of trades with an R from `from` up to, but not including, `to`; null is unbounded. */
export type RBucket = { readonly from: number | null; readonly to: number | null; readonly count: number }

const unitsPerR = 10_000
const unitsPerBucket = unitsPerR / 2
const [lowest, highest] = [-3 * unitsPerR, 5 * unitsPerR]
const bucketCount = (highest - lowest) / unitsPerBucket + 2

/** The R-multiple of a trade in 1/10,000 R, rounded half away from zero; null without a known stop. */
export const rUnits = ({ netPnl, risk }: Pick<CountedTrade, 'netPnl' | 'risk'>): number | null =>
  risk === null || risk === undefined || risk <= 0 ? null : roundedRatio(netPnl, risk)

/** The R-multiple of a trade, rounded to 1/10,000 R; null without a known stop. */
export const rMultiple = (trade: Pick<CountedTrade, 'netPnl' | 'risk'>): number | null => {
  const units = rUnits(trade)
  return units === null ? null : units / unitsPerR
}

/** The figures of a running total. */
export const rFigures = ({ count, units }: RSum): RFigures => ({ count, sum: units / unitsPerR, average: count === 0 ? null : units / count / unitsPerR })

/** Counts R-multiples, in 1/10,000 R, in buckets of half an R from below -3 to 5 and above; lists empty buckets too. */
export const createRDistribution = () => {
  const counts = Array.from({ length: bucketCount }, () => 0)
  return {
    take: (units: number): void => {
      const bucket = Math.min(Math.max(Math.floor((units - lowest) / unitsPerBucket) + 1, 0), bucketCount - 1)
      counts[bucket] = (counts[bucket] ?? 0) + 1
    },
    result: (): readonly RBucket[] =>
      counts.map((count, bucket) => ({
        from: bucket === 0 ? null : (lowest + (bucket - 1) * unitsPerBucket) / unitsPerR,
        to: bucket === bucketCount - 1 ? null : (lowest + bucket * unitsPerBucket) / unitsPerR,
        count,
      })),
  }
}

const roundedRatio = (net: Amount, risk: Amount): number => {
  const twice = 2 * Math.abs(net) * unitsPerR + risk
  if (!Number.isSafeInteger(twice)) return Number(divideRounded(BigInt(net) * BigInt(unitsPerR), BigInt(risk), 'half-away'))
  // Adding 0 turns -0 into 0.
  return Math.sign(net) * Math.floor(twice / (2 * risk)) + 0
}
