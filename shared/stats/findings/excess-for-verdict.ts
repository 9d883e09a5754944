import type { Evidence, Finding } from '#shared/api/reports.ts'

type Excess = NonNullable<Finding['excess']>

/** Whether an interval, to the cent, holds zero. */
export const holdsZero = ({ low, high }: Pick<Excess, 'low' | 'high'>): boolean => Number(low) <= 0 && Number(high) >= 0

/**
 * An excess whose interval agrees with the verdict: it leaves zero out exactly where the finding is evident. The interval is of one finding by itself, and
 * the verdict counts all that was tested: what the tests of the whole report cannot tell from zero stays in the interval, which only widens it. Of an evident
 * finding whose interval holds zero, as only a report of before may have, there is no figure.
 */
export const excessForVerdict = (evidence: Evidence, excess: Excess | null): Excess | null => {
  if (excess === null) return null
  if (evidence === 'evident') return holdsZero(excess) ? null : excess
  return holdsZero(excess) ? excess : Number(excess.low) > 0 ? { ...excess, low: '0.00' } : { ...excess, high: '0.00' }
}
