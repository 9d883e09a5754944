import { divideRounded } from '#shared/money/decimal.ts'
import type { Amount } from '#shared/money/money.ts'
import type { CountedTrade } from './figures.ts'

/** R-multiples of the trades whose stop is known. R is a trade's net over its risk; each is rounded to 1/10,000 R before it is added. */
export type RFigures = {
  /** Trades with a known stop. */
  readonly count: number
  readonly sum: number
  /** Null without such a trade. */
  readonly average: number | null
}

/** R-multiples under way. */
export type RSum = { count: number; units: number }

/** So many trades had an R from `from` up to, not with, `to`; null where a bucket has no such end. */
export type RBucket = { readonly from: number | null; readonly to: number | null; readonly count: number }

const unitsPerR = 10_000
const unitsPerBucket = unitsPerR / 2
const [lowest, highest] = [-3 * unitsPerR, 5 * unitsPerR]
const bucketCount = (highest - lowest) / unitsPerBucket + 2

/** The R-multiple of a trade in 1/10,000 R, half away from zero; null where its stop is not known. */
export const rUnits = ({ netPnl, risk }: Pick<CountedTrade, 'netPnl' | 'risk'>): number | null =>
  risk === null || risk === undefined || risk <= 0 ? null : roundedRatio(netPnl, risk)

/** The R-multiple of a trade, rounded to 1/10,000 R; null where its stop is not known. */
export const rMultiple = (trade: Pick<CountedTrade, 'netPnl' | 'risk'>): number | null => {
  const units = rUnits(trade)
  return units === null ? null : units / unitsPerR
}

/** How the R-multiples stand. */
export const rFigures = ({ count, units }: RSum): RFigures => ({ count, sum: units / unitsPerR, average: count === 0 ? null : units / count / unitsPerR })

/** Counts R-multiples, given in 1/10,000 R, in buckets of half an R from below -3 to 5 and above; all of them are listed. */
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
  // Less than half a unit below zero is a plain zero.
  return Math.sign(net) * Math.floor(twice / (2 * risk)) + 0
}
