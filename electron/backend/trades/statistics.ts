import { and, count, eq, isNull } from 'drizzle-orm'
import { amountsOfText } from '#shared/money/currency-amounts.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Direction } from '#shared/pnl/fill-pair.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Unit } from '#shared/api/statistics.ts'
import { createStatistics } from '#shared/stats/statistics.ts'
import { statisticsAnswer } from '#shared/stats/statistics-answer.ts'
import { queryCells, type Reader } from '../db/database.ts'
import { accounts as accountTable } from '../db/schema/brokerage.ts'
import { finances } from '../db/schema/journal.ts'
import { conditionOf, inViewOf, namesOf, rowOf, rowsMeeting, tableOf, tagsOf, type StatisticsQuery } from './filtered-rows.ts'
import { pairRisks, tradeRisks } from './risks.ts'
import { accountKey } from './rows.ts'
import { allKeptExcursions, type StoredExcursions } from '../prices/store/stored-excursions.ts'
import { recentPairs } from './queries.ts'
import { recentTrades } from './trades.ts'
import { zoneOf } from '../db/zone.ts'

const recentCount = 5

type Cells = [
  ...[id: string, tradingDay: string, entryTime: number, exitTime: number, symbol: string, account: string, side: Direction, currency: Currency],
  ...[gross: Amount, commission: Amount, otherFees: string | null, net: Amount, isWarned: 0 | 1, entered: string | null, price: Ticks, tickSize: string, qty: number],
]

const columns = `row.id, row.trading_day, row.entry_time, row.exit_time, row.symbol, ${accountKey}, row.side, row.currency,
  row.gross, row.commission, row.other_fees, row.net, row.warnings <> '[]', row.account`
// A trade's risk only needs its id, and each further column costs time over a million rows.
const riskColumns: Record<Unit, string> = { pairs: 'row.entry_price, row.tick_size, row.qty', trades: "0, '', 0" }

/** The whole answer of the call `statistics`, as UTF-8 JSON. */
export const statisticsJson = (reader: Reader, { userId, unit, zone, timedBy, filter }: StatisticsQuery): Uint8Array => {
  const statistics = createStatistics({ counted: unit, zone: zone ?? zoneOf(reader, userId), timedBy })
  const riskOf = unit === 'pairs' ? pairRisks(reader, userId) : tradeRisks(reader, userId)
  const firms = firmsOf(reader, userId)
  const names = namesOf(reader, userId)
  const tags = tagsOf(reader, userId, unit)
  const excursions = allKeptExcursions(reader, userId)
  const where = rowsMeeting(reader, userId, unit, filter)
  // Raw SQL, since there may be a million rows: the benchmark `reads` measures it.
  const rows = queryCells<Cells>(reader, `SELECT ${columns}, ${riskColumns[unit]} FROM ${tableOf[unit]} AS row WHERE ${where.sql}`)
  let warned = 0
  for (const [id, tradingDay, entryTime, exitTime, symbol, account, side, currency, grossPnl, commission, otherFees, netPnl, isWarned, entered, price, tickSize, qty] of rows.iterate(...where.values)) {
    const risk = riskOf({ id, symbol, side, price, tickSize, qty })
    statistics.take({ id, tradingDay, entryTime, exitTime, symbol, account, side, currency, grossPnl, commission, otherFees: otherFees === null ? undefined : amountsOfText(otherFees), netPnl, firm: firms.get(account) ?? null, tags: tags.get(id) ?? noTags, risk, exitEfficiency: excursions.size === 0 ? null : exitEfficiencyOf(excursions.get(id)) })
    warned += isWarned
    if (entered !== null && !names.has(account)) names.set(account, entered)
  }
  const result = statistics.result()
  const everything = inViewOf(userId, unit)
  const answer = statisticsAnswer(result, {
    accountName: (key) => names.get(key) ?? key,
    recent: (unit === 'pairs' ? recentPairs : recentTrades)(reader, where, recentCount),
    warned,
    accounts: reader.orm.select({ count: count() }).from(accountTable).where(and(eq(accountTable.userId, userId), isNull(accountTable.removedAt))).get()?.count ?? 0,
    trades: where.sql === everything.sql ? result.all.count : (reader.orm.select({ count: count() }).from(rowOf[unit]).where(conditionOf(everything)).get()?.count ?? 0),
  })
  return new TextEncoder().encode(JSON.stringify(answer))
}

const noTags: readonly string[] = []

const exitEfficiencyOf = (kept: StoredExcursions | undefined): { readonly least: number; readonly most: number } | null =>
  kept === undefined || kept.exitLeast === null || kept.exitMost === null ? null : { least: kept.exitLeast, most: kept.exitMost }

/** The firm of each account that has one, by the account's key. */
export const firmsOf = ({ orm }: Reader, userId: string): ReadonlyMap<string, string> => {
  const labels = orm.select({ id: finances.id, firm: finances.firm }).from(finances).where(and(eq(finances.userId, userId), isNull(finances.removedAt))).all()
  return new Map(labels.flatMap(({ id, firm }) => (firm === null ? [] : [[id, firm] as const])))
}
