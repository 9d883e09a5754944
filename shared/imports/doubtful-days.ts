import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { secondOf } from './fill-facts.ts'
import { keyOf, type DoubtfulDays, type ImportedFill, type Placed } from './assembly.ts'
import { orderKey, type Distinct } from './distinct.ts'
import { isBrokersId, wholeIdOf } from './fill-ids.ts'
import { isCovered, type ReadableRows } from './missing-fills.ts'
import type { CashReading, OrderReading, PairReading, RefusedReading } from './reading.ts'

/** A trading day of an account. */
export type AccountDay = { readonly account: AccountKey; readonly day: string }

/** Single days, each for the same reason. */
export const onDays = (days: readonly AccountDay[], reason: DoubtfulDays['reason']): readonly DoubtfulDays[] => days.map(({ account, day }) => ({ account, from: day, to: day, reason }))

/** The trading days that lack a rejected row, unless another row covers it. */
export const daysOfRefused = (refused: readonly Placed<RefusedReading>[], readable: ReadableRows): readonly DoubtfulDays[] => {
  const transactions = new Map<string, Placed<CashReading>[]>()
  if (refused.some(({ kind }) => kind === 'cash-history')) for (const row of readable.cash.values()) transactions.set(row.transactionId, [...(transactions.get(row.transactionId) ?? []), row])
  const isBooked = ({ account, kind, fillIds, days, moved }: Placed<RefusedReading>): boolean => {
    if (kind === 'account-balance-history') return days?.from === days?.to && readable.balances.has(keyOf(account, days?.from ?? ''))
    const { delta = null, amount = null } = moved ?? {}
    return fillIds.some((id) => transactions.get(id)?.some((row) => (delta ?? row.delta) === row.delta && (amount ?? row.amount) === row.amount))
  }
  return refused.flatMap((row) => {
    const isOfBroker = row.kind === 'cash-history' || row.kind === 'account-balance-history'
    if (row.days === undefined || (isOfBroker ? isBooked(row) : isCovered(row, readable))) return []
    return [{ account: row.account, ...row.days, reason: 'row-refused' }]
  })
}

type Contradicting = {
  readonly fills: readonly ImportedFill[]
  readonly isContradicted: (fill: ImportedFill) => boolean
  readonly orders: Distinct<Placed<OrderReading>>
  readonly pairs: Distinct<Placed<PairReading>>
  readonly cash: Distinct<Placed<CashReading>>
}

/** The trading days of fills, orders, pairs, and cash movements on which rows differ. */
export const daysOfContradicting = ({ fills, isContradicted, orders, pairs, cash }: Contradicting): readonly DoubtfulDays[] => {
  const daysOf = <R extends { readonly account: AccountKey }>({ rows, contradicted }: Distinct<R>, dayOf: (row: R) => string): AccountDay[] =>
    [...contradicted].flatMap((key) => {
      const row = rows.get(key)
      return row === undefined ? [] : [{ account: row.account, day: dayOf(row) }]
    })
  const days = [
    ...fills.filter(isContradicted).map((fill) => ({ account: fill.account, day: bookedDay(fill) })),
    ...daysOf(orders, ({ filledAt }) => tradingDay(filledAt)),
    ...daysOf(pairs, ({ tradeDate, buy, sell }) => tradeDate ?? tradingDay(Math.max(buy.time, sell.time))),
    ...daysOf(cash, ({ tradeDate }) => tradeDate),
  ]
  return onDays(days, 'contradicting-rows')
}

/** The trading days of orders that contradict their fills, and of those fills. */
export const daysOfOrders = (orders: readonly Placed<OrderReading>[], fills: readonly ImportedFill[]): readonly DoubtfulDays[] => {
  if (orders.length === 0) return []
  const contradicting = new Set(orders.map(orderKey))
  const own = fills.filter(({ account, orderId }) => orderId !== null && contradicting.has(orderKey({ account, orderId })))
  const days = [...orders.map(({ account, filledAt }) => ({ account, day: tradingDay(filledAt) })), ...own.map((fill) => ({ account: fill.account, day: bookedDay(fill) }))]
  return onDays([...new Map(days.map((day) => [keyOf(day.account, day.day), day])).values()], 'contradicting-rows')
}

// Broker ids this large are unique across accounts; a platform may count from 1 in each.
const longId = 9

/** Two accounts with the same fills, and how many. */
type Alike = { readonly accounts: readonly [AccountKey, AccountKey]; readonly rows: number }

/** A fill to look up in other accounts. */
export type SharedFill = Pick<ImportedFill, 'account' | 'id' | 'contract' | 'side' | 'price' | 'time' | 'orderId' | 'tradeDate'>

/**
 * Fills that two accounts have under one broker id or one order. Either these are one account under two names, and its money counts twice until the
 * user merges them; or a row names the wrong account, and that account's figures are uncertain. `fills`: all candidates in matching order; `countOf`:
 * an account's total number of fills.
 */
export const countedTwice = (fills: readonly SharedFill[], countOf: (account: AccountKey) => number): { readonly days: readonly DoubtfulDays[]; readonly warnings: readonly Alike[] } => {
  const known = new Map<string, SharedFill>()
  const alike = new Map<string, { accounts: readonly [AccountKey, AccountKey]; rows: number }>()
  const shared = new Set<SharedFill>()
  const note = (key: string, fill: SharedFill): boolean => {
    const other = known.get(key)
    if (other === undefined) known.set(key, fill)
    if (other === undefined || other.account === fill.account) return false
    const both = keyOf(other.account, fill.account)
    alike.set(both, { accounts: [other.account, fill.account], rows: (alike.get(both)?.rows ?? 0) + 1 })
    shared.add(other).add(fill)
    return true
  }
  for (const fill of fills) {
    // A platform may split the fill.
    const id = wholeIdOf(fill.id) ?? fill.id
    const isShared = isBrokersId(fill.id) && note(id.length >= longId ? keyOf(id, fill.contract) : keyOf(id, fill.contract, fill.side, fill.price, secondOf(fill.time)), fill)
    if (!isShared && fill.orderId !== null && isBrokersId(fill.orderId)) note(keyOf('order', fill.orderId, fill.contract), fill)
  }
  // If another account has only some of the fills, a row names the wrong account, and every later position is in doubt.
  const days = [...Map.groupBy(shared, ({ account }) => account)].flatMap(([account, own]) => {
    const single = onDays([...new Set(own.map(bookedDay))].map((day) => ({ account, day })), 'counted-twice')
    const [first] = single.map(({ from }) => from).filter((day) => day !== null).toSorted()
    return first === undefined || countOf(account) === own.length ? single : [{ account, from: first, to: null, reason: 'counted-twice' as const }]
  })
  return { days, warnings: [...alike.values()] }
}
