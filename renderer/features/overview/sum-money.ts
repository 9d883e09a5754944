import { parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'

/** What a day, a week or a month came to in one currency, as exact decimals. */
export type DayMoney = { readonly currency: string; readonly grossPnl: string; readonly commission: string; readonly netPnl: string }

/** The sum of exact decimals, to the digit, with as many places as the longest of them has. */
export const sumDecimals = (texts: readonly string[]): string => {
  const decimals = texts.flatMap((text) => parseDecimal(text) ?? [])
  const scale = Math.max(2, ...decimals.map((decimal) => decimal.scale))
  return writeDecimal(decimals.reduce((sum, decimal) => sum + decimal.digits * tenTo(scale - decimal.scale), 0n), scale)
}

/** Adds up each currency by itself, in the order of their codes. */
export const sumMoney = (money: readonly DayMoney[]): DayMoney[] =>
  [...Map.groupBy(money, ({ currency }) => currency)]
    .map(([currency, rows]) => ({
      currency,
      grossPnl: sumDecimals(rows.map(({ grossPnl }) => grossPnl)),
      commission: sumDecimals(rows.map(({ commission }) => commission)),
      netPnl: sumDecimals(rows.map(({ netPnl }) => netPnl)),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
