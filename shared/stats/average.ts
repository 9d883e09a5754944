import { divideRounded, writeDecimal } from '#shared/money/decimal.ts'
import type { Amount } from '#shared/money/money.ts'

/** An exact average of money, `sum / count`, with a count of at least 1. Round it only for display. */
export type Average = { readonly sum: Amount; readonly count: number }

/** The average of `count` amounts; null for none. */
export const averageOf = (sum: Amount, count: number): Average | null => (count === 0 ? null : { sum, count })

/** The average as decimal text, rounded to cents, half away from zero: `-12.33`. */
export const averageToDecimalString = ({ sum, count }: Average): string =>
  writeDecimal(divideRounded(BigInt(sum), BigInt(count) * 100n, 'half-away'), 2)
