import type { RuleSet } from '#shared/api/rules.ts'
import { amountOf, zero } from '#shared/money/money.ts'
import { emptyPast } from '#shared/rules/fold.ts'
import { resetDayOf } from '#shared/rules/reset-day.ts'
import { termsOf } from '#shared/rules/terms.ts'
import { foldHeld, unexplainedBy, type BalanceAt } from '#shared/rules/unexplained.ts'
import { writtenResets, type CashTransfer } from '../imports/cash-transfers.ts'
import type { Reader } from '../db/database.ts'
import { daysOf, tradedDays } from './rule-days.ts'
import { peaksOf } from './session-extremes.ts'
import type { OfDays, RuledAccount } from './rows.ts'

/** The facts of the journal that an account's rules need. */
export type PastFacts = Pick<RuledAccount, 'past' | 'dayMoved' | 'dayPeak' | 'earlierPeak' | 'resetDay'>

/** Folds an account's days before `day` by its rules, checked against its `balance`; `transfers` are the user's, by `cashTransfers`. */
export const foldPast = (reader: Reader, of: OfDays, transfers: ReadonlyMap<string, readonly CashTransfer[]>, { set, day, balance }: { readonly set: RuleSet | null; readonly day: string; readonly balance: BalanceAt | null }): PastFacts => {
  const resets = writtenResets(reader, of.userId, of.account)
  const nothing = { past: emptyPast, dayMoved: zero, dayPeak: null, earlierPeak: null }
  if (set === null && resets.length === 0) return { ...nothing, resetDay: null }
  const traded = tradedDays(reader, of)
  const resetDay = resetDayOf(traded, resets, set === null ? [] : setBack(transfers.get(of.account) ?? [], set))
  if (set === null) return { ...nothing, resetDay }
  const days = daysOf(reader, of, transfers, traded)
  const moved = days.filter(({ tradingDay }) => tradingDay >= day).reduce((sum, { adjustment, moves = [] }) => moves.reduce((all, { amount }) => all + amount, sum + adjustment), 0)
  return {
    past: foldHeld(set, days.filter(({ tradingDay }) => tradingDay < day), balance === null ? zero : unexplainedBy(days, set, balance)),
    dayMoved: amountOf(moved),
    ...peaksOf(reader, of.userId, of.account, { since: of.since ?? days[0]?.tradingDay ?? '', day }),
    resetDay,
  }
}

/** The deposits after which an account held exactly its rules' starting balance. */
const setBack = (transfers: readonly CashTransfer[], set: RuleSet): readonly CashTransfer[] => {
  const { start } = termsOf(set)
  return start === 0 ? [] : transfers.filter(({ amount, after }) => amount > 0 && after === start)
}
