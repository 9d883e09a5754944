/** An exact decimal: `digits / 10^scale`. */
export type Decimal = { readonly digits: bigint; readonly scale: number }

const pattern = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:e([+-]?\d{1,3}))?$/i

/** The power of ten with a whole, non-negative exponent. */
export const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent)

/** The greatest common divisor. */
export const greatestCommon = (one: bigint, other: bigint): bigint => (other === 0n ? one : greatestCommon(other, one % other))

/** Parses decimal text, or a number by its shortest decimal text; null for anything else, including blanks and infinities. */
export const parseDecimal = (input: string | number): Decimal | null => {
  const match = pattern.exec(String(input))
  if (match === null) return null
  const [, sign = '', mantissa = '', exponent = '0'] = match
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * tenTo(-scale), scale: 0 }
}

/** Negative, zero or positive: the first is less than, equal to or greater than the second. */
export const compareDecimals = (one: Decimal, other: Decimal): number => {
  const [left, right] = [one.digits * tenTo(other.scale), other.digits * tenTo(one.scale)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Writes `digits / 10^places` with exactly that many places: `-0.05`; zero has no sign. */
export const writeDecimal = (digits: bigint, places: number): string => {
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0')
  const sign = digits < 0n ? '-' : ''
  return places === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`
}

/** The integer nearest to `dividend / divisor` (divisor above zero); ties go away from zero or to the even neighbor. */
export const divideRounded = (dividend: bigint, divisor: bigint, ties: 'half-away' | 'half-even'): bigint => {
  const size = dividend < 0n ? -dividend : dividend
  const quotient = size / divisor
  const twice = (size % divisor) * 2n
  const up = twice > divisor || (twice === divisor && (ties === 'half-away' || quotient % 2n === 1n))
  const rounded = up ? quotient + 1n : quotient
  return dividend < 0n ? -rounded : rounded
}
