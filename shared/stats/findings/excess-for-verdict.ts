import type { Evidence, Finding } from '#shared/api/reports.ts'

type Excess = NonNullable<Finding['excess']>

/** Whether an interval, rounded to cents, includes zero. */
export const holdsZero = ({ low, high }: Pick<Excess, 'low' | 'high'>): boolean => Number(low) <= 0 && Number(high) >= 0

/**
 * An excess as reports before this version store it, with an interval that agrees with the verdict: theirs is for a
 * single finding, but the verdict is corrected for all tests. So the interval of a finding that is not evident is
 * widened to include zero, and an evident finding whose interval includes zero has no excess. Newer reports already
 * agree.
 */
export const excessForVerdict = (evidence: Evidence, excess: Excess | null): Excess | null => {
  if (excess === null) return null
  if (evidence === 'evident') return holdsZero(excess) ? null : excess
  return holdsZero(excess) ? excess : Number(excess.low) > 0 ? { ...excess, low: '0.00' } : { ...excess, high: '0.00' }
}
