import { compareText } from '#shared/base/compare-text.ts'
import type { DayState, ReconciledDay, ReconciledMonth, ReconciliationAnswer } from '#shared/api/reconciliation.ts'

/** A row of the list: the totals of an account's month, or one of its days below. */
export type ReconciliationLine =
  | { readonly kind: 'month'; readonly key: string; readonly month: ReconciledMonth; readonly name: string }
  | { readonly kind: 'day'; readonly key: string; readonly day: ReconciledDay; readonly name: string; readonly fileOnly: boolean }

/** The days, or those of one state, under the totals of their account and month: the latest month first, then by account. */
export const linesOf = ({ days, months, accounts }: ReconciliationAnswer, state: DayState | null = null): readonly ReconciliationLine[] => {
  const accountById = new Map(accounts.map((account) => [account.account, account]))
  const nameOf = (account: string): string => accountById.get(account)?.name ?? account
  const daysIn = Map.groupBy(state === null ? days : days.filter((day) => day.state === state), (day) => groupOf(day.account, day.tradingDay.slice(0, 7), day.currency))
  const sorted = months.toSorted(
    (one, other) =>
      compareText(other.month, one.month) ||
      compareText(nameOf(one.account), nameOf(other.account)) ||
      compareText(one.account, other.account) ||
      compareText(one.currency ?? '', other.currency ?? ''),
  )
  return sorted.flatMap((month): ReconciliationLine[] => {
    const group = groupOf(month.account, month.month, month.currency)
    const shown = daysIn.get(group) ?? []
    if (state !== null && shown.length === 0) return []
    const name = nameOf(month.account)
    const fileOnly = accountById.get(month.account)?.fileOnly ?? false
    return [
      { kind: 'month', key: group, month, name },
      ...shown.map((day): ReconciliationLine => ({ kind: 'day', key: `${group} ${day.tradingDay}`, day, name, fileOnly })),
    ]
  })
}

const groupOf = (account: string, month: string, currency: string | null): string => JSON.stringify([account, month, currency])
