import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import type { Counted } from '#renderer/ui/statistics.tsx'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'

/** What one side came to on a trading day. */
export type SideDay = { readonly tradingDay: string; readonly netPnl: string }

/** The trades of a side in one currency. */
export const countedIn = ({ all, equity }: StatisticsAnswer, currency: string): Counted => ({
  money: all.money.find((own) => own.currency === currency) ?? null,
  curve: equity.find((own) => own.currency === currency),
})

/** The best and the worst trading day in one currency, of equal ones the first, and the number of days with a trade. */
export const daysIn = ({ days }: StatisticsAnswer, currency: string): { readonly best: SideDay | null; readonly worst: SideDay | null; readonly days: number } => {
  const traded = days.flatMap(({ tradingDay, money }): SideDay[] => {
    const own = money.find((sum) => sum.currency === currency)
    return own === undefined ? [] : [{ tradingDay, netPnl: own.netPnl }]
  })
  return {
    best: traded.reduce<SideDay | null>((most, day) => (most === null || Number(day.netPnl) > Number(most.netPnl) ? day : most), null),
    worst: traded.reduce<SideDay | null>((least, day) => (least === null || Number(day.netPnl) < Number(least.netPnl) ? day : least), null),
    days: traded.length,
  }
}

/** The currencies of all sides, that of the most trades first. */
export const currenciesOf = (sides: readonly StatisticsAnswer[]): string[] => {
  const trades = new Map<string, number>()
  for (const { all } of sides) for (const { currency, count } of all.money) trades.set(currency, (trades.get(currency) ?? 0) + count)
  return [...trades].toSorted(([one, some], [other, others]) => others - some || (one < other ? -1 : 1)).map(([currency]) => currency)
}

/** A decimal less another, to the digit. */
export const lessThan = (own: string, first: string): string => sumDecimals([own, first.startsWith('-') ? first.slice(1) : `-${first}`])

/** A number less another, both as they are shown, with so many decimals: what a reader who subtracts them gets. */
export const shownLessThan = (own: number, first: number, decimals: number): number => {
  const scale = 10 ** decimals
  const [one, other] = [own, first].map((value) => Math.round(Number(value.toFixed(decimals)) * scale)) as [number, number]
  return (one - other) / scale
}
