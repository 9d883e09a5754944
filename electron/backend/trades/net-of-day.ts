import { and, asc, inArray, sql } from 'drizzle-orm'
import { lastBookedDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Reader } from '../db/database.ts'
import { conditionOf, inViewOf } from './filtered-rows.ts'
import { pairRow } from './rows.ts'
import { zoneOf } from '../db/zone.ts'
import type { OfUser } from '../db/rows.ts'

/** Net of what was closed on the trading day of `at` (UTC ms) by currency, as the broker books it: of fill pairs, since a trade may last several days, and with those of a holiday, which count on the next day. And the profile's time zone. */
export const netOfDay = (reader: Reader, { userId, at }: OfUser & { readonly at: number }): { readonly timeZone: string; readonly net: { readonly currency: Currency; readonly amount: Amount }[] } => {
  const day = tradingDay(at)
  const { currency, tradingDay: closedOn, net } = pairRow
  const closed = and(inArray(closedOn, [day, lastBookedDay(day)]), conditionOf(inViewOf(userId, 'pairs')))
  return { timeZone: zoneOf(reader, userId), net: reader.orm.select({ currency, amount: sql<Amount>`sum(${net})` }).from(pairRow).where(closed).groupBy(currency).orderBy(asc(currency)).all() }
}
