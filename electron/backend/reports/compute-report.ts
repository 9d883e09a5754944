import { gzipSync } from 'node:zlib'
import { and, asc, eq, sql } from 'drizzle-orm'
import { firm as firmShape } from '#shared/api/records.ts'
import type { Report } from '#shared/api/reports.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { addAmounts, exactMoney, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { Direction } from '#shared/pnl/fill-pair.ts'
import { factsOf } from '#shared/reports/facts.ts'
import { searchFindings } from '#shared/stats/findings/find.ts'
import type { ReportTrade } from '#shared/stats/findings/report-trade.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { breachDaysOf } from '../rules/breach-days.ts'
import { eachCells, type Reader } from '../db/database.ts'
import { accounts as accountTable } from '../db/schema/brokerage.ts'
import { allKeptExcursions } from '../prices/store/stored-excursions.ts'
import { reconciledCounts } from '../reconciliation/queries.ts'
import { conditionOf, copies, namesOf, rowsMeeting } from '../trades/filtered-rows.ts'
import { tradeRisks } from '../trades/risks.ts'
import { accountKey, tradeRow } from '../trades/rows.ts'
import { firmsOf } from '../trades/statistics.ts'
import { zoneOf } from '../db/zone.ts'
import type { ComputedReport } from './rows.ts'

/** Which trades a report covers: those of these trading days and accounts. Without accounts it covers all of them except copier followers. */
export type ReportRequest = { readonly userId: string; readonly period: Report['period']; readonly accounts: readonly string[] }

type Cells = [
  id: string, date: string, tradingDay: string, entryTime: number, exitTime: number, symbol: string, account: string, entered: string | null, side: Direction, currency: Currency,
  gross: Amount, commission: Amount, net: Amount, quantity: number,
]

const columns = {
  id: tradeRow.id, date: tradeRow.date, tradingDay: tradeRow.tradingDay, entryTime: tradeRow.entryTime, exitTime: tradeRow.exitTime, symbol: tradeRow.symbol, account: sql.raw(accountKey), entered: tradeRow.account,
  side: tradeRow.side, currency: tradeRow.currency, gross: tradeRow.gross, commission: tradeRow.commission, net: tradeRow.net,
  quantity: sql.raw('COALESCE((SELECT max_position FROM trades WHERE trades.ref = row.ref), row.qty)'),
}

/** Reads the trades of a report and computes its findings and facts. Slow: run it on a worker thread. */
export const computeReport = (reader: Reader, { userId, period, accounts }: ReportRequest): ComputedReport => {
  const zone = zoneOf(reader, userId)
  const firms = firmsOf(reader, userId)
  const names = namesOf(reader, userId)
  const riskOf = tradeRisks(reader, userId)
  const filter = { ...everyTrade, from: period.from, to: period.to, accounts, leaderOnly: accounts.length === 0 }
  const rows = reader.orm.select(columns).from(tradeRow).where(conditionOf(rowsMeeting(reader, userId, 'trades', filter))).orderBy(asc(tradeRow.exitTime), asc(tradeRow.id))
  const excursions = allKeptExcursions(reader, userId)
  const trades: ReportTrade[] = []
  for (const [id, date, tradingDay, entryTime, exitTime, symbol, account, entered, side, currency, grossPnl, commission, netPnl, quantity] of eachCells<Cells>(reader, rows)) {
    trades.push({ id, date, tradingDay, entryTime, exitTime, symbol, account, side, currency, grossPnl, commission, netPnl, quantity, firm: firms.get(account) ?? null, risk: riskOf({ id }), excursions: excursions.get(id) ?? null })
    if (entered !== null && !names.has(account)) names.set(account, entered)
  }
  const traded = [...new Set(trades.map(({ account }) => account))]
  const found = searchFindings(trades, { zone, breachDays: breachDaysOf(reader, userId, traded, period) })
  const facts = factsOf(trades, found, { zone })
  const findings = found.findings.map(({ finding }) => finding)
  return {
    zone, findings, facts: facts.map(({ fact }) => fact), tried: found.tried, level: found.level,
    names: pseudonymsOf(traded, names, firms),
    trades: trades.length,
    net: netsOf(trades),
    days: daysOf(trades),
    reconciled: reconciledOf(reader, { userId, period, accounts }),
    evident: findings.filter(({ evidence }) => evidence === 'evident').length,
    tradeIds: new Uint8Array(gzipSync(JSON.stringify(trades.map(({ id }) => id)))),
    members: [
      ...found.findings.map(({ finding, members }) => ({ of: finding.key, members: bitmapOf(members, trades.length) })),
      ...facts.map(({ fact, members }) => ({ of: fact.id, members: bitmapOf(members, trades.length) })),
    ],
  }
}

/** The account days of a report's period and accounts by state. Days on which the broker has trades that the journal lacks count as well. */
const reconciledOf = (reader: Reader, { userId, period, accounts }: ReportRequest): NonNullable<ComputedReport['reconciled']> => {
  const isCopy = conditionOf({ sql: `key IN (${copies})`, values: [userId] })
  const copied = new Set<string>(reader.orm.select({ key: accountTable.key }).from(accountTable).where(and(eq(accountTable.userId, userId), isCopy)).all().map(({ key }) => key))
  const isIn = (account: string): boolean => (accounts.length === 0 ? !copied.has(account) : accounts.includes(account))
  const { days, daysEqual, daysDiffer, daysUnchecked } = reconciledCounts(reader, { userId, from: period.from, to: period.to, isIn })
  return { days, daysEqual, daysDiffer, daysUnchecked }
}

const bitmapOf = (members: Uint32Array, size: number): Uint8Array => {
  const bits = new Uint8Array(Math.ceil(size / 8))
  for (const member of members) bits[member >> 3] = (bits[member >> 3] ?? 0) | (1 << (member & 7))
  return bits
}

const netsOf = (trades: readonly ReportTrade[]): ComputedReport['net'] => {
  const nets = new Map<Currency, Amount>()
  for (const { currency, netPnl } of trades) nets.set(currency, addAmounts(nets.get(currency) ?? zero, netPnl))
  return [...nets].sort(([one], [other]) => (one < other ? -1 : 1)).map(([currency, amount]) => ({ currency, amount: exactMoney(amount) }))
}

const daysOf = (trades: readonly ReportTrade[]): ComputedReport['days'] => {
  const days = new Map<string, { readonly day: string; readonly currency: Currency; net: Amount; trades: number }>()
  for (const { tradingDay, currency, netPnl } of trades) {
    const sum = getOrInsert(days, `${tradingDay} ${currency}`, () => ({ day: tradingDay, currency, net: zero, trades: 0 }))
    sum.net = addAmounts(sum.net, netPnl)
    sum.trades += 1
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, { net, ...day }]) => ({ ...day, net: exactMoney(net) }))
}

/** 0 is `A`, 25 `Z`, 26 `AA`. */
const letters = (index: number): string => (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

// Sorted by key, not by P&L, so that a letter reveals nothing.
const pseudonymsOf = (accounts: readonly string[], names: ReadonlyMap<string, string>, firms: ReadonlyMap<string, string>): Report['names'] =>
  accounts.toSorted().map((account, index) => ({ account, name: names.get(account) ?? account, pseudonym: `Account ${letters(index)}`, firm: firmShape.safeParse(firms.get(account)).data ?? null }))
