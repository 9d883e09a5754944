import type { StatisticsAnswer } from '#shared/api/statistics.ts'

/** One trading day of one currency, ready for a table: what it came to, and the length of its bar. */
export type DayRow = {
  /** `YYYY-MM-DD`. */
  readonly tradingDay: string
  readonly currency: string
  /** Exact decimals; the running total is null where a long curve was thinned. */
  readonly netPnl: string
  readonly cumulative: string | null
  /** From 0 to 1: this day's net against the largest of its currency, whatever the sign. */
  readonly share: number
  readonly sign: 'gain' | 'loss' | 'flat'
}

/** The trading days of all currencies, the newest first; days side by side in two currencies are in the order of their codes. */
export const dayRows = ({ days, equity }: Pick<StatisticsAnswer, 'days' | 'equity'>): DayRow[] => {
  const totals = new Map(equity.flatMap(({ currency, points }) => points.map(({ tradingDay, cumulative }) => [`${currency} ${tradingDay}`, cumulative])))
  const largest = new Map<string, number>()
  for (const { money } of days) for (const { currency, netPnl } of money) largest.set(currency, Math.max(largest.get(currency) ?? 0, Math.abs(Number(netPnl))))
  return days
    .flatMap(({ tradingDay, money }) =>
      money.map(({ currency, netPnl }): DayRow => {
        const [net, most] = [Number(netPnl), largest.get(currency) ?? 0]
        return { tradingDay, currency, netPnl, cumulative: totals.get(`${currency} ${tradingDay}`) ?? null, share: most === 0 ? 0 : Math.abs(net) / most, sign: net > 0 ? 'gain' : net < 0 ? 'loss' : 'flat' }
      }),
    )
    .sort((a, b) => (a.tradingDay === b.tradingDay ? compare(a.currency, b.currency) : compare(b.tradingDay, a.tradingDay)))
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
