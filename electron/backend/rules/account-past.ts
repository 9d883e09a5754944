import type { RuleSet } from '#shared/api/rules.ts'
import { amountOf, zero } from '#shared/money/money.ts'
import { emptyPast, foldDays } from '#shared/rules/fold.ts'
import { resetDayOf } from '#shared/rules/reset-day.ts'
import { termsOf } from '#shared/rules/terms.ts'
import { writtenResets, type ToldTransfer } from '../imports/cash-transfers.ts'
import type { Reader } from '../db/database.ts'
import { daysOf, tradedDays } from './rule-days.ts'
import { peaksOf } from './session-extremes.ts'
import type { OfDays, RuledAccount } from './rows.ts'

/** What the journal tells of an account's rules beyond what is set. */
export type Reckoned = Pick<RuledAccount, 'past' | 'dayMoved' | 'dayPeak' | 'earlierPeak' | 'resetDay'>

/** Folds an account's days before `day` by its rules; `told` is what `toldTransfers` gives of its user. */
export const reckoned = (reader: Reader, of: OfDays, told: ReadonlyMap<string, readonly ToldTransfer[]>, { set, day }: { readonly set: RuleSet | null; readonly day: string }): Reckoned => {
  const resets = writtenResets(reader, of.userId, of.account)
  const nothing = { past: emptyPast, dayMoved: zero, dayPeak: null, earlierPeak: null }
  if (set === null && resets.length === 0) return { ...nothing, resetDay: null }
  const traded = tradedDays(reader, of)
  const resetDay = resetDayOf(traded, resets, set === null ? [] : setBack(told.get(of.account) ?? [], set))
  if (set === null) return { ...nothing, resetDay }
  const days = daysOf(reader, of, told, traded)
  const moved = days.filter(({ tradingDay }) => tradingDay >= day).reduce((sum, { adjustment, moves = [] }) => moves.reduce((all, { amount }) => all + amount, sum + adjustment), 0)
  return {
    past: foldDays(set, days.filter(({ tradingDay }) => tradingDay < day)).past,
    dayMoved: amountOf(moved),
    ...peaksOf(reader, of.userId, of.account, { since: of.since ?? days[0]?.tradingDay ?? '', day }),
    resetDay,
  }
}

/** The deposits after which an account held just what its rules have it begin with. */
const setBack = (told: readonly ToldTransfer[], set: RuleSet): readonly ToldTransfer[] => {
  const { start } = termsOf(set)
  return start === 0 ? [] : told.filter(({ amount, after }) => amount > 0 && after === start)
}
