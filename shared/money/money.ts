import type { Brand } from '#shared/base/brand.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { divideRounded, parseDecimal, tenTo, writeDecimal } from './decimal.ts'

/** An exact integer in 1/10,000 of a currency, within the safe integers. */
export type Amount = Brand<number, 'Amount'>

/** An ISO 4217 code: `USD`, `EUR`. */
export type Currency = Brand<string, 'Currency'>

/** Why a text is not an amount: not a decimal number, more than four decimals, or beyond the safe integers. */
export type AmountError = 'not-a-number' | 'too-precise' | 'too-large'

const decimals = 4

/** Zero, in any currency. */
export const zero = 0 as Amount

/** A sum or product of money is too large to be exact. */
export class InexactAmount extends RangeError {
  readonly code = 'out-of-range'
}

/** Takes an integer in 1/10,000 of a currency as an amount; throws an InexactAmount if it is not a safe integer. */
export const amountOf = (units: number): Amount => {
  if (!Number.isSafeInteger(units)) throw new InexactAmount('An amount is too large to be kept exactly')
  return units as Amount
}

/** Takes three capital letters as a currency code; anything else is null. */
export const parseCurrency = (code: string): Currency | null => (/^[A-Z]{3}$/.test(code) ? (code as Currency) : null)

/**
 * Parses an amount of a currency from decimal text or from a JSON number, which counts as its shortest decimal text.
 * Rejects more than four decimals, or with `half-even` rounds to the nearest, ties to the even unit: for numbers in
 * which a broker left float noise.
 */
export const parseAmount = (
  input: string | number,
  rounding: 'refuse' | 'half-even' = 'refuse',
): Result<Amount, AmountError> => {
  const decimal = parseDecimal(input)
  if (decimal === null) return err('not-a-number')
  const excess = decimal.scale - decimals
  const divisor = tenTo(Math.max(0, excess))
  const scaled = decimal.digits * tenTo(Math.max(0, -excess))
  if (rounding === 'refuse' && scaled % divisor !== 0n) return err('too-precise')
  const units = Number(divideRounded(scaled, divisor, 'half-even'))
  return Number.isSafeInteger(units) ? ok(units as Amount) : err('too-large')
}

/** A currency that the broker's list does not name, by the broker's number: `#99`. */
export const numberedCurrency = (id: number): Currency => `#${String(id)}` as Currency

/** Whether only the broker's number of a currency is known. */
export const isNumbered = (currency: Currency | null): boolean => currency?.startsWith('#') === true

/** The exact sum, in one currency; throws an InexactAmount if it exceeds the safe integers. */
export const addAmounts = (one: Amount, other: Amount): Amount => amountOf(one + other)

/** The negated amount. */
export const negate = (amount: Amount): Amount => (0 - amount) as Amount

/**
 * The amount `a × b × c / divisor`, exact except for one rounding at the end (half away from zero), whatever the size
 * of the intermediate products; throws an InexactAmount if the result exceeds the safe integers.
 */
export const multiplyDivide = (a: number, b: number, c: number, divisor: number): Amount => {
  const product = a * b * c
  if (divisor === 1 && Number.isSafeInteger(product)) return (product + 0) as Amount
  const exact = BigInt(a) * BigInt(b) * BigInt(c)
  return amountOf(Number(divideRounded(exact, BigInt(divisor), 'half-away')))
}

/** The amount in whole cents, rounded half away from zero: for balances and open positions, which are never summed. */
const toCents = (amount: Amount): number => {
  const rest = amount % 100
  // Both are exact, because they are remainders and multiples of safe integers.
  const whole = (amount - rest) / 100
  return Math.abs(rest) < 50 ? whole : whole + Math.sign(rest)
}

/** The amount as the JSON number nearest to its cents, for API fields that are numbers. */
export const toJsonNumber = (amount: Amount): number => toCents(amount) / 100

/** The amount as decimal text with two places, rounded to cents half away from zero: `-140.00`. */
// The number is within 0.0001 of its cents, so no other two places are as near.
export const toDecimalString = (amount: Amount): string => toJsonNumber(amount).toFixed(2)

/** The exact amount as decimal text with two to four places, so that displayed figures add up: `-140.00`, `0.515`. */
export const exactMoney = (amount: Amount): string => (amount % 100 === 0 ? toDecimalString(amount) : writeDecimal(BigInt(amount), decimals).replace(/0$/, ''))
