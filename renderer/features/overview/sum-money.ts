import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import type { DayMoney } from '#shared/api/statistics.ts'

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
