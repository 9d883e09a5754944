import type { TradeFigures } from './figures.ts'

/** Wins and losses in a row, in the order of exits. A trade with a gross of zero is neither and ends a streak. */
export type Streaks = {
  readonly longestWins: number
  readonly longestLosses: number
  /** The streak that the latest trade belongs to; null where that is neither a win nor a loss, or there is none. */
  readonly present: { readonly of: 'wins' | 'losses'; readonly length: number } | null
}

/** The streaks of trades that come in the order of their exits; currencies do not matter. */
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
