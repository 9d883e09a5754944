import { compareText } from '#shared/base/compare-text.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { type Balance, type Placed } from '#shared/imports/assembly.ts'
import { isTransfer } from '#shared/imports/cash-rows.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import type { IncompleteDay } from '#shared/imports/derive-trades.ts'
import { amountOf, isNumbered, type Amount, type Currency } from '#shared/money/money.ts'
import { cashChain, statedChain, type CashChain, type CashDay } from './cash-chain.ts'
import type { ClosedPair } from './closed-pair.ts'
import type { BookedFee, DayMovement } from './day-check.ts'
import type { PairCheck } from './pair-checks.ts'

/** Fillbook's side of an account, trading day, and currency. */
export type OwnSide = {
  readonly closed: ClosedPair[]
  /** Trades in another currency that cost something in this one. */
  readonly charged: ClosedPair[]
  readonly fees: BookedFee[]
  /** Some fills were matched while the position was in doubt: whole trades may be missing. */
  isIncomplete: boolean
}

/** Both sides of an account and trading day. */
export type AccountDay = {
  readonly tradingDay: string
  readonly own: Map<Currency, OwnSide>
  readonly checks: PairCheck[]
  balance: Balance | null
  /** The broker's realized P&L before fees when the session was last read. */
  readonly running: Map<Currency, Amount>
}

/** An account with its days, its cash by currency, and the currency of its balances; null if unknown. */
export type AccountDays = {
  readonly account: AccountKey
  readonly days: ReadonlyMap<string, AccountDay>
  readonly chains: ReadonlyMap<Currency | null, CashChain>
  readonly base: Currency | null
}

/** The rows that days are built from. */
export type DayRows = {
  readonly closed: readonly ClosedPair[]
  /** Of every active fill. */
  readonly fees: readonly BookedFee[]
  readonly incompleteDays: readonly IncompleteDay[]
  readonly pairChecks: readonly PairCheck[]
  readonly cash: readonly Placed<CashReading>[]
  /** What the broker states of fills, as bookings without balances. */
  readonly stated: readonly Placed<CashReading>[]
  readonly balances: readonly Balance[]
  readonly running: readonly RunningSession[]
}

/** The broker's realized P&L, before fees, of a session not settled yet. */
export type RunningSession = { readonly account: AccountKey; readonly tradingDay: string; readonly currency: Currency; readonly realized: Amount }

export const emptySide = (): OwnSide => ({ closed: [], charged: [], fees: [], isIncomplete: false })

const emptyDay = (tradingDay: string): AccountDay => ({ tradingDay, own: new Map(), checks: [], balance: null, running: new Map() })

type Collected = { readonly days: Map<string, AccountDay>; readonly cash: Placed<CashReading>[]; readonly stated: Placed<CashReading>[]; readonly balances: Balance[] }

/** Groups both sides' rows by account and trading day, sorted by account key. */
export const accountDays = ({ closed, fees, incompleteDays, pairChecks, cash, stated, balances, running }: DayRows): readonly AccountDays[] => {
  const accounts = new Map<AccountKey, Collected>()
  const accountOf = (account: AccountKey): Collected => getOrInsert(accounts, account, () => ({ days: new Map(), cash: [], stated: [], balances: [] }))
  const dayOf = ({ account, tradingDay }: { readonly account: AccountKey; readonly tradingDay: string }): AccountDay =>
    getOrInsert(accountOf(account).days, tradingDay, () => emptyDay(tradingDay))
  const sideOf = (row: { readonly account: AccountKey; readonly tradingDay: string; readonly currency: Currency }): OwnSide => getOrInsert(dayOf(row).own, row.currency, emptySide)
  for (const pair of closed) {
    sideOf(pair).closed.push(pair)
    for (const { currency } of pair.otherFees) sideOf({ ...pair, currency }).charged.push(pair)
  }
  for (const fee of fees) sideOf(fee).fees.push(fee)
  // A fill may be missing on any day between two fills: check only days with data.
  for (const { account, tradingDay, currency } of incompleteDays) {
    for (const [own, side] of accounts.get(account)?.days.get(tradingDay)?.own ?? []) if (own === currency || side.closed.length === 0) side.isIncomplete = true
  }
  for (const check of pairChecks) dayOf(check).checks.push(check)
  for (const session of running) if (session.realized !== 0 || accounts.get(session.account)?.days.has(session.tradingDay) === true) dayOf(session).running.set(session.currency, session.realized)
  for (const row of cash) accountOf(row.account).cash.push(row)
  for (const row of stated) accountOf(row.account).stated.push(row)
  for (const balance of balances) {
    dayOf({ account: balance.account, tradingDay: balance.tradeDate }).balance = balance
    accountOf(balance.account).balances.push(balance)
  }
  return [...accounts].sort(([one], [other]) => compareText(one, other)).map(([account, collected]) => withChains(account, collected))
}

const withChains = (account: AccountKey, { days, cash, stated, balances }: Collected): AccountDays => {
  // A currency known only by number may be any of the others.
  const own = new Set([...days.values()].flatMap((day) => [...day.own.keys()]).filter((currency) => !isNumbered(currency)))
  const named = new Set<Currency>()
  for (const { currency } of cash) if (currency !== null) named.add(currency)
  const only = onlyOf(named.size > 0 ? named : own)
  const totals = new Map(balances.flatMap(({ tradeDate, total, contradicted }) => (contradicted ? [] : [[tradeDate, total] as const])))
  const byCurrency = Map.groupBy(cash, ({ currency }) => currency ?? only)
  const currencies = new Set([...named, ...own])
  const balanceCurrencies = new Set(balances.flatMap(({ currency }) => currency ?? []))
  const base = balanceCurrencies.size > 0 ? onlyOf(balanceCurrencies) : currencies.size <= 1 ? onlyOf(currencies) : baseOf(currencies, days, byCurrency, totals)
  const chains = new Map([...byCurrency].map(([currency, rows]) => [currency, cashChain(rows, (day) => (currency === base ? (totals.get(day) ?? null) : null))]))
  // An account's Cash History has these bookings already.
  for (const [currency, rows] of Map.groupBy(stated, (row) => row.currency)) if (!chains.has(currency)) chains.set(currency, statedChain(rows))
  for (const chain of chains.values()) {
    for (const tradingDay of chain.days.keys()) getOrInsert(days, tradingDay, () => emptyDay(tradingDay))
  }
  return { account, days, chains, base }
}

const onlyOf = (currencies: ReadonlySet<Currency>): Currency | null => (currencies.size === 1 ? ([...currencies][0] ?? null) : null)

/** The currency of an account's balances if it has several: the one whose cash and trades agree most often. */
const baseOf = (currencies: ReadonlySet<Currency>, days: Collected['days'], cash: ReadonlyMap<Currency | null, Collected['cash']>, totals: ReadonlyMap<string, Amount>): Currency | null => {
  const agreeing = [...currencies].map((currency) => {
    const ends = cashChain(cash.get(currency) ?? [], () => null).days
    const byCash = [...totals].filter(([day, total]) => ends.get(day)?.end === total).length
    const byNet = [...days.values()].filter(({ own, balance }) => balance !== null && own.size === 1 && balance.realized !== 0 && netOf(own.get(currency)) === balance.realized).length
    return { currency, score: byCash + byNet }
  })
  const [best, next] = agreeing.toSorted((one, other) => other.score - one.score)
  return best !== undefined && best.score > (next?.score ?? 0) ? best.currency : null
}

const netOf = (side: OwnSide | undefined): number | null => (side === undefined ? null : side.closed.reduce((sum, { net }) => sum + net, 0))

/** Which part of a day's movements a cash row is. */
export const partOf = (row: Pick<CashReading, 'movement' | 'transfer' | 'contract'>): DayMovement['of'] => (row.movement !== 'other' ? row.movement : isTransfer(row) ? 'transfer' : 'other')

const parts = ['pair', 'fee', 'other', 'transfer'] as const

/** A day's cash by name: pairs, fees, then the rest. */
export const movementsOf = ({ rows }: Pick<CashDay, 'rows'>): readonly DayMovement[] => {
  const sums: { readonly of: DayMovement['of']; readonly name: string | null; amount: number; rows: number }[] = []
  for (const row of rows) {
    const [of, name] = [partOf(row), row.type ?? null]
    let sum = sums.find((one) => one.of === of && one.name === name)
    if (sum === undefined) sums.push((sum = { of, name, amount: 0, rows: 0 }))
    sum.amount += row.delta
    sum.rows += 1
  }
  return sums.map((sum) => ({ ...sum, amount: amountOf(sum.amount) })).sort((one, other) => parts.indexOf(one.of) - parts.indexOf(other.of) || compareText(one.name ?? '', other.name ?? ''))
}

/** The exact sum of an amount over rows. */
export const sumOf = <R>(rows: Iterable<R>, amount: (row: R) => number): Amount => {
  let sum = 0
  for (const row of rows) sum += amount(row)
  return amountOf(sum)
}
