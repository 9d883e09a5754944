import type { Brand } from '#shared/base/brand.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { divideRounded, parseDecimal, tenTo, writeDecimal, type Decimal } from './decimal.ts'

/** A price in whole ticks of its contract's tick size. */
export type Ticks = Brand<number, 'Ticks'>

/** Why a text is not a price: not a decimal number, further from a tick than float noise, or beyond the safe integers. */
export type PriceError = 'not-a-number' | 'off-tick' | 'too-large'

/** A tick size, also as the nearest numbers to numerator and denominator of its fraction. */
type Tick = Decimal & { readonly size: number; readonly divisor: number }

const ticks = new Map<string, Tick>()

const tickOf = (tickSize: string): Tick => {
  const known = ticks.get(tickSize)
  if (known !== undefined) return known
  const decimal = parseDecimal(tickSize)
  if (decimal === null || decimal.digits <= 0n) throw new RangeError(`Not a tick size: ${tickSize}`)
  const tick = { ...decimal, size: Number(decimal.digits), divisor: Number(tenTo(decimal.scale)) }
  ticks.set(tickSize, tick)
  return tick
}

/**
 * Parses a price from decimal text or a JSON number as whole ticks of `tickSize` (`"0.25"`). Less than a thousandth of
 * a tick off is float noise and snaps to the tick; anything further off is rejected.
 */
export const parsePrice = (input: string | number, tickSize: string): Result<Ticks, PriceError> => {
  const price = parseDecimal(input)
  if (price === null) return err('not-a-number')
  const tick = tickOf(tickSize)
  const size = tick.digits * tenTo(price.scale)
  const value = price.digits * tenTo(tick.scale)
  const count = divideRounded(value, size, 'half-even')
  const noise = value - count * size
  if ((noise < 0n ? -noise : noise) * 1000n >= size) return err('off-tick')
  const whole = Number(count)
  return Number.isSafeInteger(whole) ? ok(whole as Ticks) : err('too-large')
}

/**
 * Writes a price exactly, with the decimals of its tick size: 6759.00 for a tick of 0.25, 112.50000 for one of 1/32.
 * With `trimmed`, without trailing zeros: 112.5, and 27000 for 27000.00.
 */
export const formatPrice = (price: Ticks, tickSize: string, style: 'full' | 'trimmed' = 'full'): string => {
  const tick = tickOf(tickSize)
  const text = writeDecimal(BigInt(price) * tick.digits, tick.scale)
  return style === 'full' ? text : trimZeros(text)
}

/** The same price in ticks of another size; null if it is between two of them. */
export const reprice = (price: Ticks, from: string, to: string): Ticks | null => {
  if (from === to) return price
  const parsed = parsePrice(formatPrice(price, from), to)
  return parsed.ok ? parsed.value : null
}

/** The nearest JSON number to the price. */
export const priceToJsonNumber = (price: Ticks, tickSize: string): number => {
  const { size, divisor } = tickOf(tickSize)
  const digits = price * size
  // Dividing two exact numbers gives the nearest number to their quotient.
  return Number.isSafeInteger(digits) && Number.isSafeInteger(divisor) ? digits / divisor : Number(formatPrice(price, tickSize))
}

/**
 * Writes the average price `base + sum / qty` (ticks), rounded half away from zero to `more` decimals more than the tick
 * size has, without trailing zeros: 6759.375.
 */
export const formatAveragePrice = (base: Ticks, sum: number, qty: number, tickSize: string, more = 2): string => {
  const tick = tickOf(tickSize)
  const total = (BigInt(base) * BigInt(qty) + BigInt(sum)) * tick.digits * tenTo(more)
  return trimZeros(writeDecimal(divideRounded(total, BigInt(qty), 'half-away'), tick.scale + more))
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
