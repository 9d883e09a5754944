import { sumDecimals } from '#renderer/lib/sum-decimals.ts'

/** What a day, a week or a month came to in one currency, as exact decimals. */
export type DayMoney = { readonly currency: string; readonly grossPnl: string; readonly commission: string; readonly netPnl: string }

/** Sums each currency separately, in the order of their codes. */
export const sumMoney = (money: readonly DayMoney[]): DayMoney[] =>
  [...Map.groupBy(money, ({ currency }) => currency)]
    .map(([currency, rows]) => ({
      currency,
      grossPnl: sumDecimals(rows.map(({ grossPnl }) => grossPnl)),
      commission: sumDecimals(rows.map(({ commission }) => commission)),
      netPnl: sumDecimals(rows.map(({ netPnl }) => netPnl)),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
