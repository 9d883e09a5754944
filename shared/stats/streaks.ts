import type { TradeFigures } from './figures.ts'

/** Streaks of wins and losses by exit. A trade with a gross P&L of zero is neither and ends a streak. */
export type Streaks = {
  readonly longestWins: number
  readonly longestLosses: number
  /** The streak of the latest trade; null if it is neither win nor loss, or there is none. */
  readonly present: { readonly of: 'wins' | 'losses'; readonly length: number } | null
}

/** The streaks of trades in order of their exits, over all currencies. */
export const streaksOf = (trades: Iterable<Pick<TradeFigures, 'grossPnl'>>): Streaks => {
  let [longestWins, longestLosses, sign, length] = [0, 0, 0, 0]
  for (const { grossPnl } of trades) {
    length = Math.sign(grossPnl) === sign ? length + 1 : 1
    sign = Math.sign(grossPnl)
    if (sign > 0) longestWins = Math.max(longestWins, length)
    if (sign < 0) longestLosses = Math.max(longestLosses, length)
  }
  return { longestWins, longestLosses, present: sign === 0 ? null : { of: sign > 0 ? 'wins' : 'losses', length } }
}
