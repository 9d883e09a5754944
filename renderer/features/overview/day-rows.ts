import type { Overview } from '#shared/api/journal.ts'

/** The element that holds the figures of the equity curve. */
export const daysTableId = 'trading-days'

/** One trading day of one currency, ready for a table: what it came to, and the length of its bar. */
export type DayRow = {
  /** `YYYY-MM-DD`. */
  readonly tradingDay: string
  readonly currency: string
  /** Exact decimals. */
  readonly netPnl: string
  readonly cumulative: string
  /** From 0 to 1: this day's net against the largest of its currency, whatever the sign. */
  readonly share: number
  readonly sign: 'gain' | 'loss' | 'flat'
}

/** The trading days of all currencies, the newest first; days side by side in two currencies are in the order of their codes. */
export const dayRows = (equity: Overview['equity']): DayRow[] =>
  equity
    .flatMap(({ currency, points }) => {
      const largest = Math.max(...points.map((point) => Math.abs(Number(point.netPnl))), 0)
      return points.map((point): DayRow => {
        const net = Number(point.netPnl)
        return { ...point, currency, share: largest === 0 ? 0 : Math.abs(net) / largest, sign: net > 0 ? 'gain' : net < 0 ? 'loss' : 'flat' }
      })
    })
    .sort((a, b) => (a.tradingDay === b.tradingDay ? compare(a.currency, b.currency) : compare(b.tradingDay, a.tradingDay)))

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
