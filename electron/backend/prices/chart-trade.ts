import { and, between, eq, sql, type SQL } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { specInTicks, type TickValue } from '#shared/market/contract-spec.ts'
import { latestTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay as tradingDayOf } from '#shared/market/trading-day.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { TradeFill } from '#shared/prices/excursions.ts'
import type { Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import type { fillPairs } from '../db/schema/journal.ts'
import { specOf } from '../fills/specs.ts'
import { workedOrdersIn, type PastOrder } from '../sync/worked-orders.ts'
import { conditionOf, inViewOf } from '../trades/filtered-rows.ts'
import { accountKey, pairRow } from '../trades/rows.ts'
import { fillsOf, pairColumns, type PairToPrice } from './priced-trade.ts'

/** A trade as its chart shows it, with what else its account did in the session; times are UTC ms. */
export type ChartTrade = {
  readonly contract: string
  readonly tickSize: string
  readonly tickValue: TickValue
  readonly currency: Currency
  readonly tradingDay: string
  readonly session: { readonly from: number; readonly to: number }
  readonly fills: readonly TradeFill[]
  readonly others: readonly TradeFill[]
  /** The stop and limit orders of the account in this contract that worked during the trade. */
  readonly orders: readonly PastOrder[]
  /** What was closed in other contracts, in the trade's currency, gross. */
  readonly closed: readonly { readonly at: number; readonly gross: Amount }[]
}

const account = sql<string>`${sql.raw(accountKey)}`

type ChartPair = PairToPrice & Pick<typeof fillPairs.$inferSelect, 'tradingDay' | 'gross' | 'net'> & { readonly account: string }

const pairsMeeting = ({ orm }: Reader, userId: string, condition: SQL | undefined): ChartPair[] =>
  orm
    .select({ ...pairColumns, account, tradingDay: pairRow.tradingDay, gross: pairRow.gross, net: pairRow.net })
    .from(pairRow)
    .where(and(conditionOf(inViewOf(userId, 'pairs')), condition))
    .all()

/** A trade's fill pairs by its id, or the one of the id, and what else its account closed in its sessions in its currency; null where there is none. */
export const pairsOfSession = (reader: Reader, { userId, id }: OfUser & { readonly id: string }) => {
  const rows = (condition: SQL | undefined): ChartPair[] => pairsMeeting(reader, userId, condition)
  const ofTrade = rows(eq(pairRow.tradeId, id))
  const own = ofTrade.length > 0 ? ofTrade : rows(eq(pairRow.id, id))
  const [first] = own
  if (first === undefined) return null
  const [began, ended] = [Math.min(...own.map(({ entryTime }) => entryTime)), Math.max(...own.map(({ exitTime }) => exitTime))]
  const days = [tradingDayOf(began), tradingDayOf(ended)] as const
  const besides = rows(and(between(pairRow.tradingDay, ...days), eq(account, first.account), eq(pairRow.currency, first.currency))).filter((row) => !own.some((one) => one.id === row.id))
  const isAlike = (row: ChartPair): boolean => row.symbol === first.symbol && row.tickSize === first.tickSize
  return { first, own, besides, began, ended, isAlike }
}

/** A trade from flat to flat, or one fill pair, by its id; null where there is none, or where nobody knows what a tick of it is worth. */
export const chartTrade = (reader: Reader, { userId, id }: OfUser & { readonly id: string }): ChartTrade | null => {
  const found = pairsOfSession(reader, { userId, id })
  if (found === null) return null
  const { first, own, besides, began, ended, isAlike } = found
  const spec = specInTicks(specOf(reader, userId, first.symbol), first.tickSize)
  if (spec === null || spec.source === 'unknown') return null
  const [opened, closes] = [sessionOf(latestTradingDay(began)).opens, sessionOf(latestTradingDay(ended)).closes]
  const tradingDay = latestTradingDay(ended)
  // Of an account by hand there are fills at any hour.
  const session = { from: Math.min(opened, began), to: Math.max(closes, ended + 1) }
  return {
    contract: first.symbol, tickSize: first.tickSize, tickValue: spec.tickValue, currency: first.currency, tradingDay, session, fills: fillsOf(own),
    orders: workedOrdersIn(reader, userId, { account: first.account as AccountKey, contract: first.symbol, from: began, to: ended + 1 }).filter((order) => order.tickSize === first.tickSize),
    others: fillsOf(besides.filter((row) => isAlike(row))),
    closed: besides.filter((row) => !isAlike(row)).map(({ exitTime, gross }) => ({ at: exitTime, gross })),
  }
}
