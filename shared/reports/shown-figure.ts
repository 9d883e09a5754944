import { tenTo, type Decimal } from '#shared/money/decimal.ts'

/** A magnitude as a text shows it: any value from `low` to `high`, both included, rounds to it. */
export type Shown = { readonly low: Decimal; readonly high: Decimal; readonly whole: boolean; readonly isZero: boolean }

const grammar = /^(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/
const longest = 18

/** A number under way: its digits, their scale, and in units of the last digit how coarse it is. */
export type Magnitude = { readonly digits: bigint; readonly scale: number; readonly step: bigint }

/** Reads digits with an English point and commas between thousands; null for anything else, and for more than 18 characters. */
export const readMagnitude = (raw: string): Magnitude | null => {
  if (raw === '' || raw.length > longest || !grammar.test(raw)) return null
  const [whole = '', fraction = ''] = raw.replaceAll(',', '').split('.')
  if (whole.length > 1 && whole.startsWith('0')) return null
  return { digits: BigInt(`${whole}${fraction}`), scale: fraction.length, step: 1n }
}

/** A whole number that a word says. */
export const wholeMagnitude = (value: number): Magnitude => ({ digits: BigInt(value), scale: 0, step: 1n })

/** So many times as much, and as coarse. */
export const times = ({ digits, scale, step }: Magnitude, factor: bigint): Magnitude => ({ digits: digits * factor, scale, step: step * factor })

/** A hundredth of it. */
export const percent = (value: Magnitude): Magnitude => ({ ...value, scale: value.scale + 2 })

/** The sum of both, as coarse as the second: `1 h 20 m`. */
export const plus = (one: Magnitude, other: Magnitude): Magnitude => {
  const scale = Math.max(one.scale, other.scale)
  return { digits: one.digits * tenTo(scale - one.scale) + other.digits * tenTo(scale - other.scale), scale, step: other.step * tenTo(scale - other.scale) }
}

/** As 'about' has it: zeros at the end of a whole number say nothing, but its first two digits always count. */
export const about = (value: Magnitude): Magnitude => {
  let { step } = value
  if (value.scale > 0) return value
  while (value.digits >= step * 100n && value.digits % (step * 10n) === 0n) step *= 10n
  return { ...value, step }
}

/** What rounds to a magnitude. */
export const shownOf = ({ digits, scale, step }: Magnitude): Shown => ({
  low: { digits: digits * 10n - 5n * step, scale: scale + 1 },
  high: { digits: digits * 10n + 5n * step, scale: scale + 1 },
  whole: scale === 0 && step === 1n,
  isZero: digits === 0n && step === 1n,
})

/** Below zero, zero or above, as the first is less than, equal to or more than the second. */
export const compareDecimals = (one: Decimal, other: Decimal): number => {
  const [left, right] = [one.digits * tenTo(other.scale), other.digits * tenTo(one.scale)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Whether a magnitude, without its sign, is shown so. */
export const isShownAs = ({ digits, scale }: Decimal, { low, high, isZero }: Shown): boolean => {
  const size = { digits: digits < 0n ? -digits : digits, scale }
  // `$0k` shows nothing.
  return (isZero || low.digits >= 0n) && compareDecimals(low, size) <= 0 && compareDecimals(size, high) <= 0
}

/** Whether a chance is shown as one in so many. */
export const isOneIn = ({ digits, scale }: Decimal, { low, high }: Shown): boolean => {
  if (digits <= 0n || low.digits <= 0n) return false
  // low <= 1 / chance <= high
  return compareDecimals({ digits: low.digits * digits, scale: low.scale + scale }, { digits: 1n, scale: 0 }) <= 0 && compareDecimals({ digits: high.digits * digits, scale: high.scale + scale }, { digits: 1n, scale: 0 }) >= 0
}
