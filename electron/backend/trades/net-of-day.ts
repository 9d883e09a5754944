import { lastBookedDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { query, type Reader } from '../db/database.ts'
import { inViewOf } from './filtered-rows.ts'
import { zoneOf } from '../db/zone.ts'
import type { OfUser } from '../db/rows.ts'

/** Net of what was closed on the trading day of `at` (UTC ms) by currency, as the broker books it: of fill pairs, since a trade may last several days, and with those of a holiday, which count on the next day. And the profile's time zone. */
export const netOfDay = (reader: Reader, { userId, at }: OfUser & { readonly at: number }): { readonly timeZone: string; readonly net: { readonly currency: Currency; readonly amount: Amount }[] } => {
  const [day, there] = [tradingDay(at), inViewOf(userId, 'pairs')]
  const sql = `SELECT row.currency, sum(row.net) AS amount FROM trades AS row WHERE row.trading_day IN (?, ?) AND ${there.sql} GROUP BY row.currency ORDER BY row.currency`
  return { timeZone: zoneOf(reader, userId), net: query<{ currency: Currency; amount: Amount }>(reader, sql).all(day, lastBookedDay(day), ...there.values) }
}
