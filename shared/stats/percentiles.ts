/** The smallest values that 50%, 95% and 99% of `count` values do not exceed. */
export type NearestRanks = { readonly count: number; readonly p50: number; readonly p95: number; readonly p99: number }

/** p50, p95 and p99 by nearest rank, rounded to a thousandth; null without values. */
export const nearestRanks = (values: readonly number[]): NearestRanks | null => {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  // Multiply by whole percents: 0.95 times a count may round to the wrong side of a whole number.
  const rank = (percent: number): number => Math.round((sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? 0) * 1000) / 1000
  return { count: sorted.length, p50: rank(50), p95: rank(95), p99: rank(99) }
}
