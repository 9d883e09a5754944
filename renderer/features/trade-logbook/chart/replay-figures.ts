import type { TradeChart } from '#shared/api/prices.ts'
import { addAmounts, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { closedBy, openPnl } from '#shared/prices/position-path.ts'
import { dayPathOf } from './chart-fills.ts'

/** The P&L of a trade's account in the session by a moment in µs, gross: what was closed, and what is open in the trade's contract at this price. */
export const dayPnlOf = (chart: TradeChart): ((at: number, price: Ticks) => Amount) => {
  const path = dayPathOf(chart)
  const closed = closedBy(chart.closed.map(({ at, gross }) => ({ at: at * 1000, gross: gross as Amount })))
  return (at, price) => addAmounts(closed(at), openPnl(path.after(path.countBy(at)), price, chart.tickValue))
}
