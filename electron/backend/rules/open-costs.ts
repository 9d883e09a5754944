import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { sessionOf } from '#shared/market/session.ts'
import { amountOf, zero, type Amount } from '#shared/money/money.ts'
import { openLots } from '#shared/pnl/position.ts'
import { decodePosition } from '#shared/pnl/position-text.ts'
import { query, type Reader } from '../db/database.ts'
import { trades, type batches } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { specOf } from '../fills/specs.ts'

type OpenRow = Pick<SqlRow<typeof batches>, 'account' | 'contract' | 'end_position'>

const openSql = `SELECT account, contract, end_position FROM batches AS last WHERE user_id = ? AND ends_open = 1
  AND NOT EXISTS (SELECT 1 FROM batches WHERE user_id = last.user_id AND account = last.account AND contract = last.contract AND local_date > last.local_date)`

/** The most fees that an account's balance may include for contracts whose trades were not closed before the trading day `day`, 1/10,000 of the currency. */
export const openCosts = (reader: Reader, userId: string, day: string): ((account: string, currency: string) => Amount) => {
  const costs = new Map<string, number>()
  const add = (account: string, currency: string, amount: number): void => void costs.set(`${currency} ${account}`, (costs.get(`${currency} ${account}`) ?? 0) + amount)
  for (const { account, contract, end_position } of query<OpenRow>(reader, openSql).all(userId)) {
    const spec = specOf(reader, userId, contract)
    for (const { fill } of openLots(decodePosition(end_position, spec))) add(account, spec.currency, fill.fee ?? spec.feePerSide * fill.qty)
  }
  const { opens } = sessionOf(day)
  const held = reader.orm
    .select({ account: trades.accountId, currency: trades.currency, commission: sql<Amount>`sum(${trades.commission})` })
    .from(trades)
    .where(and(eq(trades.userId, userId), gte(trades.exitTime, opens), lt(trades.entryTime, opens), gte(trades.tradingDay, day)))
    .groupBy(trades.accountId, trades.currency)
    .all()
  for (const { account, currency, commission } of held) add(account, currency, commission)
  return (account, currency) => amountOf(costs.get(`${currency} ${account}`) ?? zero)
}
