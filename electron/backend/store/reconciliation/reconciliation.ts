import type { DayReason, ReconciledCounts, ReconciledDay, ReconciledMonth, ReconciliationAnswer } from '#shared/api/reconciliation.ts'
import { compareText, keyOf } from '#shared/imports/assembly.ts'
import { amountOf, exactMoney, type Amount } from '#shared/money/money.ts'
import type { ClosedPair } from '#shared/reconcile/closed-pair.ts'
import type { DayCheck, DayFigures } from '#shared/reconcile/day-check.ts'
import { countDays, countPairs } from '#shared/reconcile/reconcile.ts'
import type { Read } from '../part.ts'
import { cashOfDay, dayProof } from './reconciled-day.ts'
import { reconcileAccounts, type AccountReconciled } from './reconcile-account.ts'

type Range = { readonly from: string | null; readonly to: string | null }

const isWithin = ({ from, to }: Range, { tradingDay }: { readonly tradingDay: string }): boolean => (from === null || tradingDay >= from) && (to === null || tradingDay <= to)

export const reconciliationJson: Read<'reconciliationJson'> = (reader, { userId, from, to, accounts }) => {
  const range = { from, to }
  const reconciled = reconcileAccounts(reader, userId, accounts).map((each) => ({ each, checks: each.result.days.filter((day) => isWithin(range, day)) }))
  const traded = reconciled.filter(({ checks }) => checks.length > 0)
  const summed = traded.map(({ each, checks }) => ({ ...placeOf(each), ...countsOf(checks, each, range) }))
  const answer: ReconciliationAnswer = {
    days: traded.flatMap(({ each, checks }) => daysOf(each, checks)).sort((one, other) => compareText(other.tradingDay, one.tradingDay) || compareText(one.account, other.account)),
    months: traded.flatMap(({ checks }) => monthsOf(checks)),
    accounts: summed,
    all: summed.reduce(addCounts, { days: 0, daysEqual: 0, daysDiffer: 0, daysUnchecked: 0, pairsChecked: 0, pairsEqual: 0 }),
  }
  return new TextEncoder().encode(JSON.stringify(answer))
}

export const reconciledDay: Read<'reconciledDay'> = (reader, { userId, account, day }) => {
  const [reconciled] = reconcileAccounts(reader, userId, [account])
  if (reconciled === undefined) return null
  const checks = reconciled.result.days.filter(({ tradingDay }) => tradingDay === day)
  return checks.length === 0 ? null : { days: daysOf(reconciled, checks), cash: checks.map(cashOfDay), ...dayProof(reconciled, day) }
}

const placeOf = ({ account: { key, name, fileOnly } }: AccountReconciled) => ({ account: key, name, fileOnly })

const countsOf = (days: readonly DayCheck[], { result }: AccountReconciled, range: Range): ReconciledCounts => {
  const pairs = result.pairs.filter((check) => isWithin(range, check))
  return {
    days: days.length,
    ...countDays(days),
    pairsChecked: countPairs(pairs),
    pairsEqual: countPairs(pairs.filter(({ equal }) => equal)),
  }
}

const addCounts = (one: ReconciledCounts, other: ReconciledCounts): ReconciledCounts => ({
  days: one.days + other.days,
  daysEqual: one.daysEqual + other.daysEqual,
  daysDiffer: one.daysDiffer + other.daysDiffer,
  daysUnchecked: one.daysUnchecked + other.daysUnchecked,
  pairsChecked: one.pairsChecked + other.pairsChecked,
  pairsEqual: one.pairsEqual + other.pairsEqual,
})

const figures = ({ gross, fees, net }: DayFigures) => ({ grossPnl: exactMoney(gross), commission: exactMoney(fees), netPnl: exactMoney(net) })

const orNull = (amount: Amount | null): string | null => (amount === null ? null : exactMoney(amount))

const placeOfPair = ({ tradingDay, currency }: ClosedPair): string => keyOf(tradingDay, currency)

const daysOf = ({ own }: AccountReconciled, checks: readonly DayCheck[]): ReconciledDay[] => {
  const entered = Map.groupBy(own.entered, placeOfPair)
  const removed = Map.groupBy(own.removed, placeOfPair)
  const byBroker = new Set(own.closed.flatMap((pair) => (own.entered.has(pair) ? [] : [placeOfPair(pair)])))
  return checks.map((check) => {
    const { account, tradingDay, currency, fillbook, broker, difference, state } = check
    const place = keyOf(tradingDay, currency ?? '')
    const isEntered = entered.has(place) && !byBroker.has(place)
    const reason: DayReason | null = check.reason === 'no-broker-figures' && isEntered ? 'entered-by-hand' : check.reason
    return {
      ...{ account, tradingDay, currency, fillbook: figures(fillbook) },
      broker: { grossPnl: orNull(broker.gross), commission: orNull(broker.fees), netPnl: orNull(broker.net), netFrom: broker.netFrom },
      ...{ difference: orNull(difference), state, reason },
      ...{ removed: removed.get(place)?.length ?? 0, entered: entered.get(place)?.length ?? 0 },
    }
  })
}

const sum = (amounts: readonly Amount[]): Amount => amountOf(amounts.reduce((total, amount) => total + amount, 0))

const monthsOf = (checks: readonly DayCheck[]): ReconciledMonth[] =>
  [...Map.groupBy(checks, ({ tradingDay, currency }) => keyOf(tradingDay.slice(0, 7), currency ?? '')).values()].map((days) => {
    const [first] = days
    const known = days.flatMap(({ difference }) => difference ?? [])
    return {
      ...{ account: first?.account ?? '', month: first?.tradingDay.slice(0, 7) ?? '', currency: first?.currency ?? null },
      fillbook: figures({ gross: sum(days.map(({ fillbook }) => fillbook.gross)), fees: sum(days.map(({ fillbook }) => fillbook.fees)), net: sum(days.map(({ fillbook }) => fillbook.net)) }),
      difference: known.length === 0 ? null : exactMoney(sum(known)),
      ...{ days: days.length, ...countDays(days) },
    }
  })
