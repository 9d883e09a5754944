import { divideRounded, writeDecimal } from '#shared/money/decimal.ts'
import type { Amount } from '#shared/money/money.ts'

/** An average of money, exact: `sum / count`, with a count of at least 1. It is rounded only where it is shown. */
export type Average = { readonly sum: Amount; readonly count: number }

/** The average of so many amounts; null where there are none. */
export const averageOf = (sum: Amount, count: number): Average | null => (count === 0 ? null : { sum, count })

/** The average in decimal text with two places, rounded once, to cents and half away from zero: `-12.33`. */
export const averageToDecimalString = ({ sum, count }: Average): string =>
  writeDecimal(divideRounded(BigInt(sum), BigInt(count) * 100n, 'half-away'), 2)
