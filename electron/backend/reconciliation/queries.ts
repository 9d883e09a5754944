import type { DayReason, ReconciledCounts, ReconciledDay, ReconciledMonth, ReconciliationAnswer, ReconciledDayProof, ReconciledCash, ReconciledFees, ReconciledPair } from '#shared/api/reconciliation.ts'
import { compareText } from '#shared/base/compare-text.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { keyOf } from '#shared/imports/assembly.ts'
import { contractsOfMovements } from '#shared/imports/cash-fees.ts'
import { amountOf, exactMoney, type Amount, type Currency } from '#shared/money/money.ts'
import { formatPrice } from '#shared/money/price.ts'
import type { ClosedPair } from '#shared/reconcile/closed-pair.ts'
import type { DayCheck, DayFigures } from '#shared/reconcile/day-check.ts'
import { feesByContract } from '#shared/reconcile/day-checks.ts'
import type { PairCheck, PairFigures, PairPrices } from '#shared/reconcile/pair-checks.ts'
import { countDays, countPairs } from '#shared/reconcile/reconcile.ts'
import { query, type Reader } from '../db/database.ts'
import { daysCountedTwice } from '../imports/fills-counted-twice.ts'
import { reconcileAccount, reconciledAccounts, type AccountReconciled, type ReconciledAccount } from './reconcile-account.ts'
import type { OfUser } from '../db/rows.ts'
import { isoTime } from '../db/iso-time.ts'

type Range = { readonly from: string | null; readonly to: string | null }

const isWithin = ({ from, to }: Range, { tradingDay }: { readonly tradingDay: string }): boolean => (from === null || tradingDay >= from) && (to === null || tradingDay <= to)

/** The outcome of an account's days, without their pairs. */
type AccountDays = {
  readonly account: ReconciledAccount
  readonly days: readonly { readonly line: ReconciledDay; readonly check: DayOutcome }[]
  /** The broker's pairs, by trading day. */
  readonly pairs: ReadonlyMap<string, { readonly checked: number; readonly equal: number }>
}

type DayOutcome = Pick<DayCheck, 'account' | 'tradingDay' | 'currency' | 'fillbook' | 'difference' | 'state'>

type CachedDays = { readonly state: string; readonly shared: ReturnType<typeof daysCountedTwice>; readonly days: Map<AccountKey, AccountDays>; opened: AccountReconciled | null }

const kept = new WeakMap<Reader, CachedDays>()

// SQLite changes these numbers with each commit of others, and with each change of this connection. Raw SQL: they are in no table.
const stateSql = 'SELECT data_version AS version, total_changes() AS changes FROM pragma_data_version'

/** The cache of a user's accounts, valid until the file changes: the outcome of all days, and all details of the account that was opened last. */
const keptOf = (reader: Reader, userId: string): CachedDays => {
  const state = JSON.stringify([userId, query(reader, stateSql).get()])
  const known = kept.get(reader)
  if (known?.state === state) return known
  // Free the stale cache before computing the next.
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

type DaysInput = OfUser & { readonly from: string | null; readonly to: string | null; readonly isIn: (account: string) => boolean }

const accountsIn = (reader: Reader, { userId, from, to, isIn }: DaysInput): readonly AccountDays[] =>
  reconciledAccounts(reader, userId)
    .filter(({ key }) => isIn(key))
    .map((account) => daysOfAccount(reader, userId, account))
    .map(({ account, pairs, days }) => ({ account, pairs, days: days.filter(({ check }) => isWithin({ from, to }, check)) }))
    .filter(({ days }) => days.length > 0)

const nothingCounted: ReconciledCounts = { days: 0, daysEqual: 0, daysDiffer: 0, daysUnchecked: 0, pairsChecked: 0, pairsEqual: 0 }

/** How many account days are in each state; a null bound is none. */
export const reconciledCounts = (reader: Reader, asked: DaysInput): ReconciledCounts => accountsIn(reader, asked).map((each) => countsOf(each, asked)).reduce(addCounts, nothingCounted)

/** The whole answer of the call `reconciliation`, as UTF-8 JSON: the fill pairs compared with the broker’s figures. An empty list is all accounts, null no bound. */
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

/** The details of one account, cached: users mostly step from day to day of the same one. */
const openedAccount = (reader: Reader, userId: string, key: string): AccountReconciled | null => {
  const known = keptOf(reader, userId)
  if (known.opened?.account.key === key) return known.opened
  known.opened = null
  const account = reconciledAccounts(reader, userId).find((one) => one.key === key)
  if (account !== undefined) known.opened = reconcileAccount(reader, userId, account, known.shared.get(account.key) ?? [])
  return known.opened
}

/** Null for a day without data on either side. */
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
      account, tradingDay, currency, fillbook: figures(fillbook),
      broker: { grossPnl: orNull(broker.gross), commission: orNull(broker.fees), netPnl: orNull(broker.net), netFrom: broker.netFrom },
      difference: orNull(difference), openings: orNull(terms.find(({ of }) => of === 'openings')?.amount ?? null), state, reason,
      removed: removed.get(place)?.length ?? 0, entered: entered.get(place)?.length ?? 0,
    }
  })
}

const sum = (amounts: readonly Amount[]): Amount => amountOf(amounts.reduce((total, amount) => total + amount, 0))

const monthsOf = (checks: readonly DayOutcome[]): ReconciledMonth[] =>
  [...Map.groupBy(checks, ({ tradingDay, currency }) => keyOf(tradingDay.slice(0, 7), currency ?? '')).values()].map((days) => {
    const [first] = days
    const known = days.flatMap(({ difference }) => difference ?? [])
    return {
      account: first?.account ?? '', month: first?.tradingDay.slice(0, 7) ?? '', currency: first?.currency ?? null,
      fillbook: figures({ gross: sum(days.map(({ fillbook }) => fillbook.gross)), fees: sum(days.map(({ fillbook }) => fillbook.fees)), net: sum(days.map(({ fillbook }) => fillbook.net)) }),
      difference: known.length === 0 ? null : exactMoney(sum(known)),
      days: days.length, ...countDays(days),
    }
  })

/** The pairs and fees of an account's trading day on either side. Pairs that differ come first, then those of one side only, by time. */
const dayProof = (reconciled: AccountReconciled, day: string): Pick<ReconciledDayProof, 'pairs' | 'fees'> => ({ pairs: pairsOfDay(reconciled, day), fees: feesOfDay(reconciled, day) })

/** A day's cash: its balances, every movement by name, and what breaks the chain. */
const cashOfDay = ({ currency, balance, movements, broken, unexplained, terms }: DayCheck): ReconciledCash => ({
  currency,
  balance: balance && { start: exactMoney(balance.start), end: exactMoney(balance.end) },
  movements: movements.map(({ amount, ...movement }) => ({ ...movement, amount: exactMoney(amount) })),
  broken: broken && { ...broken, time: isoTime(broken.time), expected: exactMoney(broken.expected), found: exactMoney(broken.found) },
  unexplained: unexplained === null ? null : exactMoney(unexplained),
  terms: terms.map(({ amount, ...term }) => ({ ...term, amount: exactMoney(amount) })),
})

const rank = { differs: 0, unchecked: 1, equal: 2 }

const pairsOfDay = ({ own, result }: AccountReconciled, day: string): ReconciledPair[] => {
  const checks = result.pairs.filter(({ tradingDay }) => tradingDay === day)
  const removed = new Map(own.removed.filter(({ tradingDay }) => tradingDay === day).map((pair) => [fillsOf(pair.buy.fillId, pair.sell.fillId), pair]))
  const lines: ReconciledPair[] = checks.map((check) => {
    const gone = check.fillbook === null ? removedOf(check, removed) : undefined
    if (gone !== undefined) removed.delete(fillsOf(gone.buy.fillId, gone.sell.fillId))
    return lineOfCheck(check, gone, own.entered)
  })
  const covered = new Set(checks.flatMap((check) => check.own))
  const alone = result.closed.filter((pair) => pair.tradingDay === day && !covered.has(pair))
  return [
    ...lines,
    ...alone.map((pair): ReconciledPair => ({ ...lineOf(pair), fillbook: sideOf(pair), state: 'unchecked', removed: null, entered: own.entered.has(pair) })),
    ...[...removed.values()].map((pair): ReconciledPair => ({ ...lineOf(pair), fillbook: null, state: 'differs', removed: sideOf(pair), entered: false })),
  ].sort((one, other) => rank[one.state] - rank[other.state] || compareText(one.time, other.time))
}

/** The removed pair of a check; a broker that states fills names the closing one alone. */
const removedOf = ({ buyFillId, sellFillId, closedBy }: PairCheck, removed: ReadonlyMap<string, ClosedPair>): ClosedPair | undefined =>
  closedBy === undefined ? removed.get(fillsOf(buyFillId ?? '', sellFillId ?? '')) : [...removed.values()].find(({ buy, sell }) => (buyFillId === null ? sell.fillId === sellFillId : buy.fillId === buyFillId))

const fillsOf = (buy: string, sell: string): string => keyOf(buy, sell)

const lineOf = ({ contract, currency, closedAt, buy, sell }: ClosedPair) =>
  ({ by: null, contract, currency, time: isoTime(closedAt), buyFillId: buy.fillId, sellFillId: sell.fillId, closedBy: null, broker: null, difference: null }) as const

type PairSide = NonNullable<ReconciledPair['fillbook']>

const sideOf = ({ qty, buy, sell, tickSize, gross }: ClosedPair): PairSide => ({ qty, buyPrice: formatPrice(buy.price, tickSize), sellPrice: formatPrice(sell.price, tickSize), grossPnl: exactMoney(gross) })

const lineOfCheck = (check: PairCheck, gone: ClosedPair | undefined, entered: ReadonlySet<ClosedPair>): ReconciledPair => {
  const { by, contract, time, buyFillId, sellFillId, closedBy = null, fillbook, broker, own, equal } = check
  const pricesOf = (prices: PairPrices | null) => ({ buyPrice: prices && formatPrice(prices.buy, prices.tickSize), sellPrice: prices && formatPrice(prices.sell, prices.tickSize) })
  // Only some of the broker's files state the contracts of a sum.
  const side = (figures: PairFigures | null): PairSide | null => figures && { qty: figures.qty === 0 ? null : figures.qty, ...pricesOf(figures.prices), grossPnl: exactMoney(figures.gross) }
  return {
    by, contract, currency: (own[0] ?? gone)?.currency ?? null, time: isoTime(time), buyFillId, sellFillId, closedBy,
    fillbook: side(fillbook), broker: side(broker),
    difference: exactMoney(amountOf(equal ? 0 : (fillbook?.gross ?? 0) - (broker?.gross ?? 0))),
    state: equal ? 'equal' : 'differs',
    removed: gone === undefined ? null : sideOf(gone),
    entered: own.some((pair) => entered.has(pair)),
  }
}

type BrokerFigures = AccountReconciled['sources']['broker']

const feesOfDay = ({ account, sources: { fees, fills, broker }, result: { cutOff, stated } }: AccountReconciled, day: string): ReconciledFees[] => {
  const cash = cutOff.has(keyOf(account.key, day)) ? [] : (broker.cash.length > 0 ? broker.cash : stated).filter(({ tradeDate, movement }) => tradeDate === day && movement !== 'other')
  const own = fees.filter(({ tradingDay }) => tradingDay === day)
  const named = new Set(own.map(({ currency }) => currency))
  const [only = null] = named.size === 1 ? named : []
  const currencyOf = (row: BrokerFigures['cash'][number]): Currency | null => row.currency ?? only
  const currencies = [...new Set([...named, ...cash.map(currencyOf)])]
  const contractOf = contractsOfMovements(fills)
  return currencies
    .flatMap((currency) => feesByContract(own.filter((fee) => fee.currency === currency), cash.filter((row) => currencyOf(row) === currency), contractOf).map((line) => ({ ...line, currency })))
    .map(({ contract, currency, fillbook, broker }) => ({
      contract, currency,
      fillbook: exactMoney(fillbook),
      broker: broker === null ? null : exactMoney(broker),
      difference: broker === null ? null : exactMoney(amountOf(fillbook - broker)),
    }))
    .sort((one, other) => Number(isZero(one.difference)) - Number(isZero(other.difference)) || ((one.contract ?? '') < (other.contract ?? '') ? -1 : 1))
}

const isZero = (difference: string | null): boolean => difference === null || /^-?0\.00$/.test(difference)
