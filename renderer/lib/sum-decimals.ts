import { parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'

/** The exact sum of decimals, with as many places as the longest of them. */
export const sumDecimals = (texts: readonly string[]): string => {
  const decimals = texts.flatMap((text) => parseDecimal(text) ?? [])
  const scale = Math.max(2, ...decimals.map((decimal) => decimal.scale))
  return writeDecimal(decimals.reduce((sum, decimal) => sum + decimal.digits * tenTo(scale - decimal.scale), 0n), scale)
}
