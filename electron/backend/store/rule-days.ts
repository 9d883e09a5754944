import { wholeRootOf } from '#shared/market/contract-name.ts'
import { zero, type Amount } from '#shared/money/money.ts'
import type { DayFacts, RuleTrade } from '#shared/rules/day-facts.ts'
import { replay } from '#shared/rules/replay.ts'
import { query, type Reader } from './database.ts'
import { inViewOf } from './filtered-rows.ts'
import type { Read } from './part.ts'
import type { OfDays } from './rules-calls.ts'

type TradeRow = { symbol: string; trading_day: string; side: 'long' | 'short'; qty: number; entry_time: number; exit_time: number; net: Amount }

/** An account's days on which it traded, oldest first, with the trades as the screens show them. A day that no trade tells of is not among them, nor is a payout: files do not tell it from what options cost. */
export const daysOf = (reader: Reader, { userId, account, since, currency }: OfDays): DayFacts[] => {
  const there = inViewOf(userId, 'pairs')
  const sql = `SELECT symbol, trading_day, side, qty, entry_time, exit_time, net FROM trades AS row
    WHERE row.account_id = ? AND row.currency = ? AND row.trading_day >= ? AND ${there.sql} ORDER BY row.exit_time, row.id`
  const products = new Map<string, string>()
  const days = new Map<string, RuleTrade[]>()
  for (const { symbol, trading_day, side, qty, entry_time, exit_time, net } of query<TradeRow>(reader, sql).iterate(account, currency, since ?? '', ...there.values)) {
    const product = products.get(symbol) ?? wholeRootOf(symbol)
    products.set(symbol, product)
    const trades = days.get(trading_day) ?? []
    if (trades.length === 0) days.set(trading_day, trades)
    trades.push({ contract: symbol, product, side, qty, entryAt: entry_time, exitAt: exit_time, net })
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([tradingDay, trades]) => ({ tradingDay, trades, adjustment: zero }))
}

const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

export const ruleDays: Read<'ruleDays'> = (reader, of) => {
  const days = daysOf(reader, of)
  return { days: encoded(days), count: days.length }
}

/** The account's balance, where it was told after the last of these trades. */
const balanceAfter = (reader: Reader, { userId, account, currency }: OfDays, days: readonly DayFacts[]): Amount | null => {
  const sql = 'SELECT balance FROM accounts WHERE user_id = ? AND key = ? AND currency = ? AND balance_at >= ?'
  return query<{ balance: Amount | null }>(reader, sql).get(userId, account, currency, days.at(-1)?.trades.at(-1)?.exitAt ?? 0)?.balance ?? null
}

export const replayJson: Read<'replayJson'> = (reader, { set, own, ...of }) => {
  const days = daysOf(reader, of)
  return encoded(replay(set, days, own ? balanceAfter(reader, of, days) : null))
}
