import type { RuleSet } from '#shared/api/rules.ts'
import { sessionOf } from '#shared/market/session.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import type { DayFacts, Past } from './day-facts.ts'
import { emptyPast, foldDays } from './fold.ts'
import { termsOf } from './terms.ts'

/** A balance, its time (UTC ms), and the most fees that it may include for trades that are not closed. */
export type BalanceAt = { readonly amount: Amount; readonly at: number; readonly openCosts: Amount }

/** The unexplained part of a difference between balance and trades: zero if fees of open trades explain it. */
export const leaves = (difference: number, openCosts: number): number => (difference <= 0 && difference >= 0 - openCosts ? 0 : difference)

/** The part of a balance beyond the starting balance and everything that these days booked by then; 0 if they add up. */
export const unexplainedBy = (days: readonly DayFacts[], set: RuleSet, { amount, at, openCosts }: BalanceAt): Amount => {
  let booked = 0
  for (const { tradingDay, adjustment, trades, moves = [] } of days) {
    // A booking without a time counts from its session's start.
    if (sessionOf(tradingDay).opens <= at) booked += adjustment
    for (const { exitAt, net } of trades) if (exitAt <= at) booked += net
    for (const move of moves) if (move.at <= at) booked += move.amount
  }
  return amountOf(leaves(amount - termsOf(set).start - booked, openCosts))
}

/** The past of an account that made `unexplained` before its first day. */
export const pastWithUnexplained = (unexplained: Amount): Past => {
  const peak = amountOf(Math.max(0, unexplained))
  return { ...emptyPast, profit: unexplained, highestClose: peak, highest: peak }
}

/**
 * Folds days whose balance has an `unexplained` part: made before them, or booked after them. Only what is true either
 * way counts as a breach or a pass.
 */
export const foldHeld = (set: RuleSet, days: readonly DayFacts[], unexplained: Amount): Past => {
  const { past } = foldDays(set, days)
  if (unexplained === 0 || (past.breach === null && past.passed === null && past.lost['max-loss'] === null)) return past
  const other = foldDays(set, days, pastWithUnexplained(unexplained)).past
  return {
    ...past,
    lost: { 'max-loss': other.lost['max-loss'] && past.lost['max-loss'], 'daily-loss': past.lost['daily-loss'] },
    breach: other.breach && past.breach,
    passed: other.passed && past.passed,
  }
}
