import { err, type Result } from '#shared/base/result.ts'
import { parseAmount, type Amount, type AmountError } from './money.ts'

/**
 * A typed number (`$1,500.00`, `1'500`, `−2.5`) as plain decimal text: without a currency sign and without digit group
 * separators. Returns anything else unchanged, for the parser to reject.
 */
export const typedNumber = (text: string): string => {
  const bare = text.trim().replace('\u2212', '-').replace(/^([+-]?)\s*[$€£]\s*/u, '$1').replace(/^\+/, '')
  return grouped.test(bare) ? bare.replaceAll(separators, '') : bare
}

/** A typed amount. Rejects exponents: in typed text they are a slip. */
export const typedAmount = (text: string): Result<Amount, AmountError> => {
  const typed = typedNumber(text)
  return hasExponent(typed) ? err('not-a-number') : parseAmount(typed)
}

/** A typed whole number, not negative; NaN for anything else: `1e3` and `0x10` are numbers to JavaScript, but a person's typos. */
export const typedWhole = (text: string): number => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN)

/** Whether a number is written with an exponent, `1e3`. */
export const hasExponent = (text: string): boolean => /e/i.test(text)

// Thousands, or lakhs and crores before the last thousand; the same separator throughout.
const grouped = /^-?\d{1,3}(?:([,'\u2019\u00a0\u202f ])\d{2,3}(?:\1\d{2,3})*(?<=\1\d{3}))(?:\.\d+)?$/u
const separators = /[,'\u2019\u00a0\u202f ]/gu
