import type { Currency, Amount } from '#shared/money/money.ts'
import { toDecimalString } from '#shared/money/money.ts'
import type { TradeFigures } from '#shared/stats/figures.ts'
import { summarise } from '#shared/stats/summary.ts'
import { query, type Reader } from './database.ts'
import type { Read } from './part.ts'
import type { MoneyTotals } from './rows.ts'
import { inView, tradeInView } from './trade-view.ts'
import { recentTrades } from './trades.ts'

type FiguresRow = { date: string; trading_day: string; exit_time: number; currency: Currency; gross: Amount; commission: Amount; net: Amount }
type Span = { first: string | null; last: string | null; warned: number }

const recentCount = 5

const sourceOf = (unit: 'pairs' | 'trips', userId: string) =>
  unit === 'pairs' ? { from: `FROM trades AS row WHERE ${tradeInView}`, values: [userId, userId, userId] } : { from: `FROM counted_trips AS row WHERE ${inView}`, values: [userId, userId] }

const countOf = (reader: Reader, sql: string, ...values: string[]): number => query<{ count: number }>(reader, sql).get(...values)?.count ?? 0

const connected = 'SELECT key FROM accounts WHERE user_id = ? AND removed_at IS NULL'

export const overview: Read<'overview'> = (reader, { userId, unit }) => {
  const { from, values } = sourceOf(unit, userId)
  const figures: TradeFigures[] = []
  for (const row of query<FiguresRow>(reader, `SELECT date, trading_day, exit_time, currency, gross, commission, net ${from}`).iterate(...values)) {
    figures.push({ date: row.date, tradingDay: row.trading_day, exitTime: row.exit_time, currency: row.currency, grossPnl: row.gross, commission: row.commission, netPnl: row.net })
  }
  const span = query<Span>(reader, `SELECT min(trading_day) AS first, max(trading_day) AS last, count(*) FILTER (WHERE warnings <> '[]') AS warned ${from}`).get(...values)
  const { count, wins, losses, winRate, currencies } = summarise(unit, figures)
  const [only] = currencies
  return {
    unit,
    count,
    wins,
    losses,
    winRate,
    // A ratio of mixed currencies would add them.
    profitFactor: currencies.length === 1 && only !== undefined ? only.profitFactor : null,
    money: currencies.map(({ currency, grossPnl, commission, netPnl, maxDrawdown }) => ({
      currency,
      grossPnl: toDecimalString(grossPnl),
      commission: toDecimalString(commission),
      netPnl: toDecimalString(netPnl),
      maxDrawdown: toDecimalString(maxDrawdown),
    })),
    equity: currencies.map(({ currency, equity }) => ({
      currency,
      points: equity.map(({ tradingDay, net, cumulative }) => ({ tradingDay, netPnl: toDecimalString(net), cumulative: toDecimalString(cumulative) })),
    })),
    recent: recentTrades(reader, userId, recentCount),
    accounts: countOf(reader, `SELECT count(*) AS count FROM (${connected})`, userId),
    firstDay: span?.first ?? null,
    lastDay: span?.last ?? null,
    warned: span?.warned ?? 0,
  }
}

const sums = 'row.currency, sum(row.gross) AS grossPnl, sum(row.commission) AS commission, sum(row.net) AS netPnl'

export const totals: Read<'totals'> = (reader, { userId }) => {
  const users = [userId, userId, userId]
  const byDay = `SELECT COALESCE(row.account, accounts.name, row.account_id) AS account, row.trading_day AS tradingDay, ${sums} FROM trades AS row
    LEFT JOIN accounts ON accounts.user_id = row.user_id AND accounts.key = row.account_id
    WHERE ${tradeInView} GROUP BY row.account_id, 1, 2, row.currency ORDER BY 2, 1, row.currency`
  return {
    accounts: countOf(reader, `SELECT count(*) AS count FROM (${connected})`, userId),
    fills: countOf(reader, `SELECT count(*) AS count FROM fills WHERE user_id = ? AND account IN (${connected})`, userId, userId),
    pairs: countOf(reader, `SELECT count(*) AS count FROM trades AS row WHERE ${tradeInView}`, ...users),
    trips: countOf(reader, `SELECT count(*) AS count FROM trips AS row WHERE ${inView}`, userId, userId),
    money: query<MoneyTotals>(reader, `SELECT ${sums} FROM trades AS row WHERE ${tradeInView} GROUP BY row.currency ORDER BY row.currency`).all(...users),
    byTradingDay: query<MoneyTotals & { account: string; tradingDay: string }>(reader, byDay).all(...users),
  }
}
