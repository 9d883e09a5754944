import { and, eq, gt, gte, lt, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { sessionOf } from '#shared/market/session.ts'
import { amountOf, zero, type Amount } from '#shared/money/money.ts'
import { openLots } from '#shared/pnl/position.ts'
import { decodePosition } from '#shared/pnl/position-text.ts'
import type { Reader } from '../db/database.ts'
import { batches, fillPairs } from '../db/schema/journal.ts'
import { ownFeesOf } from '../fills/own-fees.ts'
import { specOf } from '../fills/specs.ts'

/** The last batch of each account's contract, if it ends open. */
const openBatches = ({ orm }: Reader, userId: string) => {
  const later = alias(batches, 'later')
  const isLater = and(eq(later.userId, batches.userId), eq(later.account, batches.account), eq(later.contract, batches.contract), gt(later.localDate, batches.localDate))
  return orm.select().from(batches).where(and(eq(batches.userId, userId), eq(batches.endsOpen, true), notExists(orm.select().from(later).where(isLater)))).all()
}

/** The most fees that an account's balance may include for contracts that were still open when the trading day `day` began, 1/10,000 of the currency. */
export const openCosts = (reader: Reader, userId: string, day: string): ((account: string, currency: string) => Amount) => {
  const costs = new Map<string, number>()
  const add = (account: string, currency: string, amount: number): void => void costs.set(`${currency} ${account}`, (costs.get(`${currency} ${account}`) ?? 0) + amount)
  const ownFees = ownFeesOf(reader, userId)
  for (const { account, contract, endPosition } of openBatches(reader, userId)) {
    const spec = specOf(reader, userId, contract)
    const own = ownFees(account, contract)
    const perSide = Math.max(spec.feePerSide, own?.currency === spec.currency ? own.perSide : zero)
    for (const { fill } of openLots(decodePosition(endPosition, spec))) add(account, spec.currency, fill.fee ?? perSide * fill.qty)
  }
  const { opens } = sessionOf(day)
  const held = reader.orm
    .select({ account: fillPairs.accountId, currency: fillPairs.currency, commission: sql<Amount>`sum(${fillPairs.commission})` })
    .from(fillPairs)
    .where(and(eq(fillPairs.userId, userId), gte(fillPairs.exitTime, opens), lt(fillPairs.entryTime, opens), gte(fillPairs.tradingDay, day)))
    .groupBy(fillPairs.accountId, fillPairs.currency)
    .all()
  for (const { account, currency, commission } of held) add(account, currency, commission)
  return (account, currency) => amountOf(costs.get(`${currency} ${account}`) ?? zero)
}
