import { divideRounded } from './decimal.ts'
import { amountOf, type Amount } from './money.ts'

/** Every way in which a broker may round a fill pair's gross to cents, most common first; `exact` does not round. */
export const centRoundings = ['half-away', 'half-even', 'half-up', 'half-toward-zero', 'toward-zero', 'down', 'exact'] as const

/** How a broker rounds a fill pair's gross to cents. `half-up` sends ties toward plus infinity; `down` rounds everything toward minus infinity. */
export type CentRounding = (typeof centRoundings)[number]

/** The rounding to use when no broker figure shows it. */
export const usualRounding: CentRounding = 'half-away'

/**
 * The amount `a × b × c / divisor` in whole cents, rounded once from the exact value; `exact` rounds only to 1/10,000,
 * half away from zero. Throws an InexactAmount if the result exceeds the safe integers.
 */
export const multiplyToCents = (a: number, b: number, c: number, divisor: number, rounding: CentRounding): Amount => {
  const product = a * b * c
  if (divisor === 1 && Number.isSafeInteger(product) && product % 100 === 0) return (product + 0) as Amount
  return centsOf(BigInt(a) * BigInt(b) * BigInt(c), BigInt(divisor), rounding)
}

/** `num / den` units of 1/10,000 (`den` above zero) as an amount of whole cents, rounded by `rounding`. */
export const centsOf = (num: bigint, den: bigint, rounding: CentRounding): Amount => {
  if (rounding === 'exact') return amountOf(Number(divideRounded(num, den, 'half-away')))
  return amountOf(Number(wholeCents(num, den * 100n, rounding)) * 100)
}

const wholeCents = (num: bigint, den: bigint, rounding: Exclude<CentRounding, 'exact'>): bigint => {
  const rest = ((num % den) + den) % den
  const below = (num - rest) / den
  if (rest === 0n) return below
  const toZero = num < 0n ? below + 1n : below
  const twice = rest * 2n
  if (rounding === 'down') return below
  if (rounding === 'toward-zero') return toZero
  if (twice !== den) return twice < den ? below : below + 1n
  if (rounding === 'half-up') return below + 1n
  if (rounding === 'half-toward-zero') return toZero
  if (rounding === 'half-even') return below % 2n === 0n ? below : below + 1n
  return num < 0n ? below : below + 1n
}
