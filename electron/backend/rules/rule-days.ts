import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { nextTradingDay, sessionOf } from '#shared/market/session.ts'
import { zero, type Amount } from '#shared/money/money.ts'
import type { DayFacts, RuleTrade } from '#shared/rules/day-facts.ts'
import { replay } from '#shared/rules/replay.ts'
import { withTransfers } from '#shared/rules/transfers.ts'
import type { RuleSet } from '#shared/api/rules.ts'
import { cashTransfers, writtenPayouts, type CashTransfer } from '../imports/cash-transfers.ts'
import { perConnection, type Reader } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { isInView } from '../trades/filtered-rows.ts'
import { pairRow } from '../trades/rows.ts'
import { openCosts } from './open-costs.ts'
import { watchedDays } from './session-extremes.ts'
import type { OfDays } from './rows.ts'

const selectTraded = perConnection(({ orm }: Reader) => {
  const { id, accountId, symbol, tradingDay, qty, entryTime: entryAt, exitTime: exitAt, net, currency } = pairRow
  return orm
    .select({ symbol, tradingDay, qty, entryAt, exitAt, net, currency })
    .from(pairRow)
    .where(and(eq(accountId, sql.placeholder('account')), gte(tradingDay, sql.placeholder('since')), isInView))
    .orderBy(asc(exitAt), asc(id))
    .prepare()
})

/** An account's days with trades, oldest first, with the trades as the screens show them. What one in another currency made is left out, since currencies are never added. */
export const tradedDays = (reader: Reader, { userId, account, since, currency }: OfDays): DayFacts[] => {
  const products = new Map<string, string>()
  const days = new Map<string, RuleTrade[]>()
  for (const { symbol, tradingDay, net, currency: own, ...trade } of selectTraded(reader).all({ userId, account, since: since ?? '' })) {
    const product = products.get(symbol) ?? wholeRootOf(symbol)
    products.set(symbol, product)
    const trades = days.get(tradingDay) ?? []
    if (trades.length === 0) days.set(tradingDay, trades)
    trades.push({ product, ...trade, ...(own === currency ? { net } : { net: zero, foreign: true }) })
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([tradingDay, trades]) => ({ tradingDay, trades, adjustment: zero }))
}

const selectBalance = perConnection(({ orm }: Reader) => {
  const isIt = and(eq(accounts.userId, sql.placeholder('userId')), eq(accounts.key, sql.placeholder('account')), eq(accounts.currency, sql.placeholder('currency')))
  return orm.select({ balance: accounts.balance, balanceAt: accounts.balanceAt }).from(accounts).where(isIt).prepare()
})

/** The account's balance, if the account is in that currency. */
const balanceOf = (reader: Reader, { userId, account, currency }: OfDays) => selectBalance(reader).get({ userId, account, currency })

/** The days of `tradedDays` with transfers: by the Cash History, and payouts that only the user entered, up to the date `until` if given. The highs of watched sessions apply only in the account's own currency. */
export const daysOf = (reader: Reader, of: OfDays, transfers: ReadonlyMap<string, readonly CashTransfer[]> = cashTransfers(reader, of.userId), traded = tradedDays(reader, of), until: string | null = null): readonly DayFacts[] => {
  const { userId, account, since, currency } = of
  const booked = (transfers.get(account) ?? []).filter((one) => one.currency === null || one.currency === currency)
  const isOwn = balanceOf(reader, of) !== undefined
  const written = writtenPayouts(reader, userId, account, currency).filter(({ date }) => until === null || date <= until)
  return withTransfers(traded, booked, written, isOwn ? watchedDays(reader, userId, account, since ?? '') : [])
}

const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** The days of an account whose P&L is known, as UTF-8 JSON of `DayFacts[]`, and their number; none if the account is unknown. */
export const ruleDays = (reader: Reader, of: OfDays): { readonly days: Uint8Array; readonly count: number } => {
  const days = tradedDays(reader, of).filter(({ trades }) => trades.every(({ foreign }) => foreign !== true))
  return { days: encoded(days), count: days.length }
}

/** The account's balance, if it is newer than the last of these days. */
const balanceAfter = (reader: Reader, of: OfDays, days: readonly DayFacts[]): Amount | null => {
  const { balance = null, balanceAt = null } = balanceOf(reader, of) ?? {}
  return balanceAt !== null && balanceAt >= lastMomentOf(days) ? balance : null
}

// A booking without a time counts from its session's start.
const lastMomentOf = (days: readonly DayFacts[]): number => Math.max(0, ...days.slice(-1).map(({ tradingDay, trades, moves = [] }) => Math.max(sessionOf(tradingDay).opens, trades.at(-1)?.exitAt ?? 0, moves.at(-1)?.at ?? 0)))

/** The whole answer of the call `replay`, as UTF-8 JSON; `own`: the set is the account's own, so the days should add up to its balance. Entered payouts count up to the date `until`. */
export const replayJson = (reader: Reader, { set, own, until = null, ...of }: OfDays & { readonly set: RuleSet; readonly own: boolean; readonly until?: string | null }): Uint8Array => {
  const days = daysOf(reader, of, cashTransfers(reader, of.userId), tradedDays(reader, of), until)
  const balance = own ? balanceAfter(reader, of, days) : null
  // The days lack only what is still open.
  return encoded(replay(set, days, balance === null ? null : { amount: balance, openCosts: openCosts(reader, of.userId, nextTradingDay(days.at(-1)?.tradingDay ?? '2000-01-03'))(of.account, of.currency) }))
}
