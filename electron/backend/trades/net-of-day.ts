import { tradingDay } from '#shared/market/trading-day.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { query, type Reader } from '../db/database.ts'
import { inViewOf } from './filtered-rows.ts'
import { zoneOf } from '../db/zone.ts'
import type { OfUser } from '../db/rows.ts'

/**
 * The farthest from its trading day's start in UTC that a trip may have been closed, in ms: a session begins up to four
 * days before its date, over a weekend with a holiday, and late bookings of the broker are not weeks late. The index
 * finds the day by this.
 */
export const reachMs = 14 * 86_400_000

/** Net of the trips of the trading day of `at` (UTC ms) by currency, like `statisticsJson` for that day, and the profile's time zone. */
export const netOfDay = (reader: Reader, { userId, at }: OfUser & { readonly at: number }): { readonly timeZone: string; readonly net: { readonly currency: Currency; readonly amount: Amount }[] } => {
  const day = tradingDay(at)
  const start = Date.parse(day)
  const there = inViewOf(userId, 'trips')
  const sql = `SELECT row.currency, sum(row.net) AS amount FROM counted_trips AS row
    WHERE row.exit_time BETWEEN ? AND ? AND row.trading_day = ? AND ${there.sql} GROUP BY row.currency ORDER BY row.currency`
  return { timeZone: zoneOf(reader, userId), net: query<{ currency: Currency; amount: Amount }>(reader, sql).all(start - reachMs, start + reachMs, day, ...there.values) }
}
