import { remembering } from '#shared/base/remembering.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { tenTo, writeDecimal } from '#shared/money/decimal.ts'
import { parseAmount, parseCurrency, type Amount, type Currency } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'

/** Why a cell is not a valid number. */
export type NumberProblem = 'bad-number' | 'unclear-number' | 'off-tick' | 'too-large'

/** The decimal sign of a file's numbers; `open` if undecided: then only numbers that mean the same either way are read. */
export type DecimalSign = 'point' | 'comma' | 'open'

const moneyShape = /^(-|\()?[$€£]?(-|\()?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(\))?[$€£]?(\))?$/
// Files write `$` before money of any currency.
const signedCurrencies = new Map([['€', 'EUR'], ['£', 'GBP']])
const groupedShape = /^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/
const wholeShape = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?$/
const cutShape = /[.,]\s*$/

/** Whether the decimals of a number were cut off: `0.`, `6100.` */
export const isTruncated = (text: string): boolean => cutShape.test(text)

const besideNoDigit = /(?<![\d\s])\s+|\s+(?![\d\s])/g
// No account moves more in any currency, so a file's sums stay exact; ids in a money column are larger.
const mostMoney = 100_000_000_000_000
// No trade needs more digits, and parsing a hostile cell is quadratic in them.
const longest = 40

/** The currencies that a cell of money names by their signs. */
export const currencySignsIn = (text: string): readonly Currency[] => (text.match(/[€£]/g) ?? []).flatMap((sign) => parseCurrency(signedCurrencies.get(sign) ?? '') ?? [])

/**
 * Reads money in every broker format: `$62.50`, `$(41.25)` and `(125.50)` for losses, `-12.50`, `$1,200.00`,
 * and with a decimal comma `0,62 $`. More than four decimals are float noise and rounded to the nearest.
 */
export const readMoney = (text: string, sign: DecimalSign = 'point'): Result<Amount, NumberProblem> => moneyBySign[sign](text)

const moneyBySign: Readonly<Record<DecimalSign, (text: string) => Result<Amount, NumberProblem>>> = {
  point: remembering((text) => parseMoney(text, 'point')),
  comma: remembering((text) => parseMoney(text, 'comma')),
  open: remembering((text) => parseMoney(text, 'open')),
}

const parseMoney = (text: string, sign: DecimalSign): Result<Amount, NumberProblem> => {
  if (text.length > longest) return err('too-large')
  if (isUnclear(text, sign)) return err('unclear-number')
  const match = moneyShape.exec(plainText(text, sign))
  if (match === null) return err('bad-number')
  const [, before, after, digits = '', inner, outer] = match
  const opens = [before, after].filter((sign) => sign === '(').length
  const minuses = [before, after].filter((sign) => sign === '-').length
  const closes = [inner, outer].filter((sign) => sign === ')').length
  if (opens !== closes || opens + minuses > 1) return err('bad-number')
  const amount = parseAmount(`${opens + minuses === 1 ? '-' : ''}${digits.replaceAll(',', '')}`, 'half-even')
  if (amount.ok) return Math.abs(amount.value) > mostMoney ? err('too-large') : ok((amount.value + 0) as Amount)
  return err(amount.error === 'too-large' ? 'too-large' : 'bad-number')
}

/** Reads a price as whole ticks of `tickSize`; float noise snaps to its tick. */
export const readPrice = (text: string, tickSize: string, sign: DecimalSign = 'point'): Result<Ticks, NumberProblem> => {
  if (text.length > longest) return err('too-large')
  if (isUnclear(text, sign)) return err('unclear-number')
  if (isTruncated(text)) return err('bad-number')
  const price = sign === 'point' ? priceWithPoint(`${tickSize} ${text}`) : parsePrice(plainNumber(text, sign), tickSize)
  if (price.ok) return price
  return err(price.error === 'not-a-number' ? 'bad-number' : price.error)
}

// Tick size and cell; a session's prices repeat.
const priceWithPoint = remembering((tickAndText) => {
  const at = tickAndText.indexOf(' ')
  return parsePrice(plainNumber(tickAndText.slice(at + 1)), tickAndText.slice(0, at))
}, 10_000)

/** The plain decimal text of a grouped number, `6,759.25`, a number with decimal comma, or a fractional price, `112'165`; anything else is returned unchanged. */
export const plainNumber = (text: string, sign: DecimalSign = 'point'): string => {
  const plain = plainText(text, sign)
  return fractionText(plain) ?? (groupedShape.test(plain) ? plain.replaceAll(',', '') : plain)
}

const fractionShape = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)['’](?:(\d)|(\d\d)(?:(\d)|\.(\d{1,4})|(\+))?)$/
// The last digit of 112'165 is a truncated quarter or eighth of a 32nd: 2 is .25, 3 is .375.
const eighths = '01235678'

/** A fractional price as decimal text: `452'4` four eighths (grains), `112'16` sixteen 32nds, `112'165`, `112'16.5` and `112'16+` sixteen and a half (treasuries). */
const fractionText = (plain: string): string | null => {
  const [, sign = '', whole = '', ofEight, ofThirtyTwo = '0', cut, behind = '', half] = fractionShape.exec(plain) ?? []
  if (whole === '') return null
  const finer = half !== undefined ? 4 : cut !== undefined ? eighths.indexOf(cut) : 0
  const coarse = ofEight === undefined ? Number(ofThirtyTwo) : Number(ofEight) * 4
  if (coarse > 31 || finer < 0) return null
  const scale = 8 + behind.length
  const digits = (BigInt(whole.replaceAll(',', '')) * 256n + BigInt(coarse * 8 + finer)) * 390_625n * tenTo(behind.length) + BigInt(behind === '' ? '0' : behind) * 3_125_000n
  return `${sign}${writeDecimal(digits, scale)}`
}

/** Reads a whole number of at least 0: `2`, `1,000`, or `2.0`. */
export const readWhole = (text: string, sign: DecimalSign = 'point'): Result<number, NumberProblem> => {
  if (text.length > longest) return err('too-large')
  if (isUnclear(text, sign)) return err('unclear-number')
  if (isTruncated(text)) return err('bad-number')
  const match = wholeShape.exec(sign === 'point' ? text : plainText(text, sign))
  if (match?.[1] === undefined) return err('bad-number')
  const number = Number(match[1].replaceAll(',', ''))
  return Number.isSafeInteger(number) ? ok(number) : err('too-large')
}

// The last of the two signs is the decimal sign; a sign that occurs several times separates groups.
const plainText = (text: string, sign: DecimalSign): string => {
  if (sign === 'point') return text.replace(besideNoDigit, '')
  const plain = text.replace(/\s+/g, '')
  const [comma, point] = [plain.lastIndexOf(','), plain.lastIndexOf('.')]
  if (comma < 0 && point < 0) return plain
  const [decimal, group] = comma > point ? [',', '.'] : ['.', ',']
  if (plain.indexOf(decimal) !== plain.lastIndexOf(decimal)) return (comma < 0 || point < 0) && groupsOnly.test(plain) ? plain.replaceAll(decimal, '') : plain
  return groupsBefore(decimal).test(plain) ? plain.replaceAll(group, '').replace(decimal, '.') : plain
}

const groupsOnly = /^\D*\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+\D*$/
const beforeComma = /^\D*(?:\d+|\d{1,3}(?:\.\d{3})+)?,\d*\D*$/
const beforePoint = /^\D*(?:\d+|\d{1,3}(?:,\d{3})+)?\.\d*(?:e-?\d+)?\D*$/i
const groupsBefore = (decimal: string): RegExp => (decimal === ',' ? beforeComma : beforePoint)

const eitherWay = /^\D*[1-9]\d{0,2}([.,])\d{3}\D*$/

/** Whether a number depends on the decimal sign and the file does not show which: `6.100`. */
export const isUnclear = (text: string, sign: DecimalSign): boolean => {
  if (sign === 'point') return false
  const between = eitherWay.exec(text.replace(/\s+/g, ''))?.[1]
  return between !== undefined && (sign === 'open' || between === '.')
}

/** The decimal sign that a number proves; null if it could be either. */
export const decimalSignOf = (text: string): 'point' | 'comma' | null => {
  const plain = text.replace(/\s+/g, '')
  if (isTruncated(plain) || eitherWay.test(plain) || !/\d/.test(plain)) return null
  if (plain.includes(',') && beforeComma.test(plain)) return 'comma'
  return plain.includes('.') && beforePoint.test(plain) ? 'point' : null
}
