import type { Brand } from '#shared/base/brand.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { divideRounded, parseDecimal, tenTo, writeDecimal } from './decimal.ts'

/** An exact integer in 1/10,000 of a currency, within the safe integers. */
export type Amount = Brand<number, 'Amount'>

/** An ISO 4217 code: `USD`, `EUR`. */
export type Currency = Brand<string, 'Currency'>

/** Why a text is no amount: not a decimal number, more than four decimals, or beyond the safe integers. */
export type AmountError = 'not-a-number' | 'too-precise' | 'too-large'

const decimals = 4

/** Nothing, in whatever currency. */
export const zero = 0 as Amount

/** A sum or a product of money is beyond what can be kept exactly. */
export class InexactAmount extends RangeError {
  readonly code = 'out-of-range'
}

/** Takes an integer in 1/10,000 of a currency as an amount; throws an InexactAmount where it is not a safe integer. */
export const amountOf = (units: number): Amount => {
  if (!Number.isSafeInteger(units)) throw new InexactAmount('An amount is too large to be kept exactly')
  return units as Amount
}

/** Takes three capital letters as a currency code; anything else is null. */
export const parseCurrency = (code: string): Currency | null => (/^[A-Z]{3}$/.test(code) ? (code as Currency) : null)

/**
 * Reads an amount of a currency from decimal text or from a JSON number, which counts as its shortest decimal text.
 * More than four decimals are refused, or with `half-even` rounded to the nearest, ties to the even unit:
 * for numbers in which a broker left float noise.
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

/** The currency that a broker names by a number which its list of currencies does not have: `#99`. */
export const numberedCurrency = (id: number): Currency => `#${String(id)}` as Currency

/** Whether of a currency only the broker's number is known. */
export const isNumbered = (currency: Currency | null): boolean => currency?.startsWith('#') === true

/** The exact sum, in one currency; throws an InexactAmount where it leaves the safe integers. */
export const addAmounts = (one: Amount, other: Amount): Amount => amountOf(one + other)

/** The same amount the other way round. */
export const negate = (amount: Amount): Amount => (0 - amount) as Amount

/**
 * The amount `a × b × c / divisor`, exact up to the one rounding at the end (half away from zero), whatever the
 * size of the products on the way; throws an InexactAmount where the result itself leaves the safe integers.
 */
export const multiplyDivide = (a: number, b: number, c: number, divisor: number): Amount => {
  const product = a * b * c
  if (divisor === 1 && Number.isSafeInteger(product)) return (product + 0) as Amount
  const exact = BigInt(a) * BigInt(b) * BigInt(c)
  return amountOf(Number(divideRounded(exact, BigInt(divisor), 'half-away')))
}

/** The amount in whole cents, rounded half away from zero: for balances and open positions, which nothing adds up. */
const toCents = (amount: Amount): number => {
  const rest = amount % 100
  // Both are exact, as remainders and multiples of safe integers.
  const whole = (amount - rest) / 100
  return Math.abs(rest) < 50 ? whole : whole + Math.sign(rest)
}

/** The amount as the JSON number nearest to its cents, for calls whose contract wants a number. */
export const toJsonNumber = (amount: Amount): number => toCents(amount) / 100

/** The amount in decimal text with two places, rounded to cents half away from zero: `-140.00`. */
// The number lies within 0.0001 of its cents, so that no other two places are as near.
export const toDecimalString = (amount: Amount): string => toJsonNumber(amount).toFixed(2)

/** The amount to its last place, in decimal text with two to four of them, so that what is shown adds up: `-140.00`, `0.515`. */
export const exactMoney = (amount: Amount): string => (amount % 100 === 0 ? toDecimalString(amount) : writeDecimal(BigInt(amount), decimals).replace(/0$/, ''))
