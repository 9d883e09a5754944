import type { Evidence, Finding } from '#shared/api/reports.ts'

type Excess = NonNullable<Finding['excess']>

/** Whether an interval, rounded to cents, includes zero. */
export const holdsZero = ({ low, high }: Pick<Excess, 'low' | 'high'>): boolean => Number(low) <= 0 && Number(high) >= 0

/**
 * An excess with an interval that agrees with the verdict: it excludes zero if and only if the finding is evident. The interval is of a single finding,
 * but the verdict is corrected for all tests, so the interval of a finding that is not evident is widened to include zero. An evident finding with an
 * interval that includes zero, possible only in older reports, has no excess.
 */
export const excessForVerdict = (evidence: Evidence, excess: Excess | null): Excess | null => {
  if (excess === null) return null
  if (evidence === 'evident') return holdsZero(excess) ? null : excess
  return holdsZero(excess) ? excess : Number(excess.low) > 0 ? { ...excess, low: '0.00' } : { ...excess, high: '0.00' }
}
