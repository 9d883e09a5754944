import type { DayReason, ReconciledCounts, ReconciledDay, ReconciledMonth, ReconciliationAnswer, ReconciledDayProof } from '#shared/api/reconciliation.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { compareText, keyOf } from '#shared/imports/assembly.ts'
import { amountOf, exactMoney, type Amount } from '#shared/money/money.ts'
import type { ClosedPair } from '#shared/reconcile/closed-pair.ts'
import type { DayCheck, DayFigures } from '#shared/reconcile/day-check.ts'
import { countDays, countPairs } from '#shared/reconcile/reconcile.ts'
import { query, type Reader } from '../db/database.ts'
import { cashOfDay, dayProof } from './reconciled-day.ts'
import { daysCountedTwice } from './fills-counted-twice.ts'
import { reconcileAccount, reconciledAccounts, type AccountReconciled, type ReconciledAccount } from './reconcile-account.ts'
import type { OfUser } from '../db/rows.ts'

type Range = { readonly from: string | null; readonly to: string | null }

const isWithin = ({ from, to }: Range, { tradingDay }: { readonly tradingDay: string }): boolean => (from === null || tradingDay >= from) && (to === null || tradingDay <= to)

/** What an account's days came to, without the pairs that are behind them. */
type AccountDays = {
  readonly account: ReconciledAccount
  readonly days: readonly { readonly line: ReconciledDay; readonly check: DayOutcome }[]
  /** The broker's pairs, by trading day. */
  readonly pairs: ReadonlyMap<string, { readonly checked: number; readonly equal: number }>
}

type DayOutcome = Pick<DayCheck, 'account' | 'tradingDay' | 'currency' | 'fillbook' | 'difference' | 'state'>

type Kept = { readonly state: string; readonly shared: ReturnType<typeof daysCountedTwice>; readonly days: Map<AccountKey, AccountDays>; opened: AccountReconciled | null }

const kept = new WeakMap<Reader, Kept>()

// SQLite's own word for what is in the file: another one after each commit of others, and after each change of this connection.
const stateSql = 'SELECT data_version AS version, total_changes() AS changes FROM pragma_data_version'

/** What is known of a user's accounts for as long as the file stays as it is: of all what their days came to, of one that was opened all that is behind them. */
const keptOf = (reader: Reader, userId: string): Kept => {
  const state = JSON.stringify([userId, query(reader, stateSql).get()])
  const known = kept.get(reader)
  if (known?.state === state) return known
  // What is of no use any more must not be held beside what takes its place.
  kept.delete(reader)
  const fresh = { state, shared: daysCountedTwice(reader, userId), days: new Map<AccountKey, AccountDays>(), opened: null }
  kept.set(reader, fresh)
  return fresh
}

const daysOfAccount = (reader: Reader, userId: string, account: ReconciledAccount): AccountDays => {
  const { shared, days } = keptOf(reader, userId)
  const known = days.get(account.key)
  if (known !== undefined) return known
  const reconciled = reconcileAccount(reader, userId, account, shared.get(account.key) ?? [])
  const { result } = reconciled
  const lines = daysOf(reconciled, result.days)
  const fresh: AccountDays = {
    account,
    days: result.days.flatMap(({ account: key, tradingDay, currency, fillbook, difference, state }, index) => {
      const line = lines[index]
      return line === undefined ? [] : [{ line, check: { account: key, tradingDay, currency, fillbook, difference, state } }]
    }),
    pairs: new Map([...Map.groupBy(result.pairs, ({ tradingDay }) => tradingDay)].map(([day, checks]) => [day, { checked: countPairs(checks), equal: countPairs(checks.filter(({ equal }) => equal)) }])),
  }
  days.set(account.key, fresh)
  return fresh
}

type Asked = OfUser & { readonly from: string | null; readonly to: string | null; readonly isIn: (account: string) => boolean }

const accountsIn = (reader: Reader, { userId, from, to, isIn }: Asked): readonly AccountDays[] =>
  reconciledAccounts(reader, userId)
    .filter(({ key }) => isIn(key))
    .map((account) => daysOfAccount(reader, userId, account))
    .map(({ account, pairs, days }) => ({ account, pairs, days: days.filter(({ check }) => isWithin({ from, to }, check)) }))
    .filter(({ days }) => days.length > 0)

const nothingCounted: ReconciledCounts = { days: 0, daysEqual: 0, daysDiffer: 0, daysUnchecked: 0, pairsChecked: 0, pairsEqual: 0 }

/** How many account days are in each state; a null bound is none. */
export const reconciledCounts = (reader: Reader, asked: Asked): ReconciledCounts => accountsIn(reader, asked).map((each) => countsOf(each, asked)).reduce(addCounts, nothingCounted)

/** The whole answer of the call `reconciliation`, as UTF-8 JSON: the trades compared with the broker’s figures. An empty list is all accounts, null no bound. */
export const reconciliationJson = (reader: Reader, { userId, from, to, accounts }: OfUser & { readonly from: string | null; readonly to: string | null; readonly accounts: readonly string[] }): Uint8Array => {
  const range = { from, to }
  const traded = accountsIn(reader, { userId, ...range, isIn: (key) => accounts.length === 0 || accounts.includes(key) })
  const summed = traded.map((each) => ({ ...placeOf(each.account), ...countsOf(each, range) }))
  const answer: ReconciliationAnswer = {
    days: traded.flatMap(({ days }) => days.map(({ line }) => line)).sort((one, other) => compareText(other.tradingDay, one.tradingDay) || compareText(one.account, other.account)),
    months: traded.flatMap(({ days }) => monthsOf(days.map(({ check }) => check))),
    accounts: summed,
    all: summed.reduce(addCounts, nothingCounted),
  }
  return new TextEncoder().encode(JSON.stringify(answer))
}

/** The account whose day is opened: the next and the one before are mostly of the same. */
const openedAccount = (reader: Reader, userId: string, key: string): AccountReconciled | null => {
  const known = keptOf(reader, userId)
  if (known.opened?.account.key === key) return known.opened
  known.opened = null
  const account = reconciledAccounts(reader, userId).find((one) => one.key === key)
  if (account !== undefined) known.opened = reconcileAccount(reader, userId, account, known.shared.get(account.key) ?? [])
  return known.opened
}

/** Null for a day of which neither side tells. */
export const reconciledDay = (reader: Reader, { userId, account, day }: OfUser & { readonly account: string; readonly day: string }): ReconciledDayProof | null => {
  const reconciled = openedAccount(reader, userId, account)
  if (reconciled === null) return null
  const checks = reconciled.result.days.filter(({ tradingDay }) => tradingDay === day)
  return checks.length === 0 ? null : { days: daysOf(reconciled, checks), cash: checks.map(cashOfDay), ...dayProof(reconciled, day) }
}

/** Whether an account's broker states the P&L of each fill. */
const statesFills = (account: string): boolean => account.startsWith('topstepx:')

const placeOf = ({ key, name, fileOnly, byHand }: ReconciledAccount) => ({ account: key, name, fileOnly, statedBy: !fileOnly && !byHand && statesFills(key) ? platformOf(key) : null })

const countsOf = ({ days, pairs }: AccountDays, range: Range): ReconciledCounts => {
  const held = [...pairs].filter(([tradingDay]) => isWithin(range, { tradingDay })).map(([, counts]) => counts)
  return {
    days: days.length,
    ...countDays(days.map(({ check }) => check)),
    pairsChecked: held.reduce((sum, { checked }) => sum + checked, 0),
    pairsEqual: held.reduce((sum, { equal }) => sum + equal, 0),
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
    const { account, tradingDay, currency, fillbook, broker, difference, terms, state } = check
    const place = keyOf(tradingDay, currency ?? '')
    const isEntered = entered.has(place) && !byBroker.has(place)
    const reason: DayReason | null = check.reason === 'no-broker-figures' && isEntered ? 'entered-by-hand' : check.reason
    return {
      ...{ account, tradingDay, currency, fillbook: figures(fillbook) },
      broker: { grossPnl: orNull(broker.gross), commission: orNull(broker.fees), netPnl: orNull(broker.net), netFrom: broker.netFrom },
      ...{ difference: orNull(difference), openings: orNull(terms.find(({ of }) => of === 'openings')?.amount ?? null), state, reason },
      ...{ removed: removed.get(place)?.length ?? 0, entered: entered.get(place)?.length ?? 0 },
    }
  })
}

const sum = (amounts: readonly Amount[]): Amount => amountOf(amounts.reduce((total, amount) => total + amount, 0))

const monthsOf = (checks: readonly DayOutcome[]): ReconciledMonth[] =>
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
