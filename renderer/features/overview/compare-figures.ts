import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import type { StatisticsAnswer, StatMoney } from '#shared/api/statistics.ts'

/** What one side came to in one currency; null is what it has not. Money is exact decimals, and a drawdown is below zero. */
export type SideFigures = Pick<StatMoney, 'netPnl' | 'commission' | 'otherFees' | 'profitFactor' | 'count'> & {
  readonly expectancy: string | null
  readonly averageWin: string | null
  readonly averageLoss: string | null
  readonly winRate: number | null
  readonly drawdown: string | null
  readonly best: SideDay | null
  readonly worst: SideDay | null
  /** Trading days with a trade. */
  readonly days: number
}

type SideDay = { readonly tradingDay: string; readonly netPnl: string }

/** The figures of one currency as the Overview has them of the side's filter; of equal days the first counts. */
export const figuresOf = ({ all, equity, days }: StatisticsAnswer, currency: string): SideFigures => {
  const money = all.money.find((own) => own.currency === currency)
  const traded = days.flatMap(({ tradingDay, money: sums }): SideDay[] => {
    const own = sums.find((sum) => sum.currency === currency)
    return own === undefined ? [] : [{ tradingDay, netPnl: own.netPnl }]
  })
  const deepest = equity.find((curve) => curve.currency === currency)?.deepestByTrade ?? null
  return {
    netPnl: money?.netPnl ?? '0.00',
    commission: money?.commission ?? '0.00',
    ...(money?.otherFees === undefined ? {} : { otherFees: money.otherFees }),
    profitFactor: money?.profitFactor ?? null,
    count: money?.count ?? 0,
    expectancy: money?.expectancy ?? null,
    averageWin: money?.averageWin ?? null,
    averageLoss: money?.averageLoss ?? null,
    winRate: money === undefined || money.count === 0 ? null : money.wins / money.count,
    drawdown: money === undefined ? null : deepest === null ? '0.00' : `-${deepest.depth}`,
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
