import { and, eq, isNull, like, max, min, ne, notLike } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import type { DoubtfulDays } from '#shared/imports/assembly.ts'
import { countedTwice, type SharedFill } from '#shared/imports/doubtful-days.ts'
import { isBrokersId, isPlatformsId, wholeIdOf } from '#shared/imports/fill-ids.ts'
import { query, type Reader } from '../db/database.ts'
import { accounts as own } from '../db/schema/brokerage.ts'
import { fills } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { accountsWithBaseFills } from '../fills/base-fills.ts'
import { accountsWithImports } from './queries.ts'

type SharedFillRow = Pick<SqlRow<typeof fills>, 'account' | 'id' | 'contract' | 'side' | 'price' | 'time' | 'order_id' | 'trade_date'>

// Raw SQL in this file: the benchmark `memory` looks for shared ids among all fills of an import, and drizzle cannot read fills one by one.
// A platform names the parts of a fill by the broker's id and a count.
const wholeId = "CASE instr(id, '_') WHEN 0 THEN id ELSE substr(id, 1, instr(id, '_') - 1) END"
const sharedIdsSql = `SELECT ${wholeId} AS id FROM fills WHERE user_id = ? GROUP BY 1 HAVING min(account) <> max(account)`
const sharedOrdersSql = 'SELECT order_id AS id FROM fills WHERE user_id = ? AND order_id IS NOT NULL GROUP BY 1 HAVING min(account) <> max(account)'

const fillsSql = 'SELECT account, id, contract, side, price, time, order_id, trade_date FROM fills WHERE user_id = ?'

const other = alias(own, 'other')

/** All days of accounts that both NinjaTrader's database and a login at another broker have: NinjaTrader trades accounts of other brokers under their names. */
const reachedTwice = ({ orm }: Reader, userId: string): readonly DoubtfulDays[] =>
  orm
    .select({ ofNinjaTrader: own.key, ofBroker: other.key })
    .from(own)
    .innerJoin(other, and(eq(other.userId, own.userId), eq(other.name, own.name)))
    .where(and(eq(own.userId, userId), like(own.key, 'ninjatrader:%'), ne(own.name, ''), isNull(own.removedAt), notLike(other.key, 'ninjatrader:%'), ne(other.loginId, ''), isNull(other.removedAt)))
    .all()
    .flatMap(({ ofNinjaTrader, ofBroker }) => [ofNinjaTrader, ofBroker].map((account): DoubtfulDays => ({ account, from: null, to: null, reason: 'counted-twice' })))

/** The trading days on which two accounts may have the same fills, by account. */
export const daysCountedTwice = (reader: Reader, userId: string): ReadonlyMap<AccountKey, readonly DoubtfulDays[]> => Map.groupBy([...reachedTwice(reader, userId), ...daysOfSharedFills(reader, userId)], ({ account }) => account)

/** The broker's own answers alone never report a fill twice. */
const daysOfSharedFills = (reader: Reader, userId: string): readonly DoubtfulDays[] => {
  const accounts = reader.orm.select({ first: min(fills.account), last: max(fills.account) }).from(fills).where(eq(fills.userId, userId)).get()
  if (accounts?.first === accounts?.last || (accountsWithImports(reader, userId)?.size === 0 && accountsWithBaseFills(reader, userId).length === 0)) return []
  const idsOf = (sql: string): ReadonlySet<string> => new Set(query<{ id: string }>(reader, sql).all(userId).map(({ id }) => id).filter(isBrokersId))
  const [ids, orders] = [idsOf(sharedIdsSql), idsOf(sharedOrdersSql)]
  if (ids.size === 0 && orders.size === 0) return []
  const counts = new Map<AccountKey, number>()
  const shared: SharedFill[] = []
  for (const { account, order_id: orderId, trade_date: tradeDate, ...fill } of query<SharedFillRow>(reader, fillsSql).iterate(userId)) {
    counts.set(account, (counts.get(account) ?? 0) + 1)
    if (ids.has(wholeIdOf(fill.id) ?? fill.id) || (orderId !== null && orders.has(orderId))) shared.push({ ...fill, account, orderId, tradeDate })
  }
  return countedTwice(shared.sort(compareFills), (account) => counts.get(account) ?? 0).days
}

/** Accounts that already have fills of an import into another account, and how many; `coming` are all fills of the accounts of that import. */
export const alikeBeside = (reader: Reader, userId: string, coming: readonly SharedFill[]): ReturnType<typeof countedTwice>['warnings'] => {
  const idOf = ({ id }: { readonly id: string }): string => wholeIdOf(id) ?? id
  const ids = new Set(coming.map(idOf).filter(isBrokersId))
  const orders = new Set(coming.flatMap(({ orderId }) => (orderId !== null && isBrokersId(orderId) ? [orderId] : [])))
  if (ids.size === 0 && orders.size === 0) return []
  const accounts = new Set(coming.map(({ account }) => account))
  const shared = [...coming]
  for (const { order_id: orderId, trade_date: tradeDate, ...fill } of query<SharedFillRow>(reader, fillsSql).iterate(userId)) {
    if (!accounts.has(fill.account) && (ids.has(idOf(fill)) || (orderId !== null && orders.has(orderId)))) shared.push({ ...fill, orderId, tradeDate })
  }
  // Accounts of the import that share fills have a warning of their own.
  return countedTwice(shared.sort(compareFills), () => 0).warnings.filter(({ accounts: both }) => both.some((account) => !accounts.has(account)))
}

/**
 * Accounts that already have every fill of files for another one, whose rows name no account: most likely the same file, imported for two accounts.
 * A platform's ids may be made of a row's content, so some of a copied account may be equal to the leader's.
 */
export const sameFilesBeside = (reader: Reader, userId: string, coming: readonly SharedFill[]): ReturnType<typeof countedTwice>['warnings'] => {
  // A stand-in fill of an order has the order's id.
  const platforms = coming.filter(({ id }) => isPlatformsId(id.replace(/^order:/, '')))
  if (platforms.length === 0) return []
  const holders = new Map<string, Set<AccountKey>>(platforms.map(({ id }) => [id, new Set()]))
  for (const { id, account } of platforms) holders.get(id)?.add(account)
  const known = new Map<AccountKey, Set<string>>()
  for (const { account, id } of query<Pick<SharedFillRow, 'account' | 'id'>>(reader, 'SELECT account, id FROM fills WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))').iterate(userId, JSON.stringify([...holders.keys()]))) {
    holders.get(id)?.add(account)
    getOrInsert(known, account, () => new Set()).add(id)
  }
  const warnings = new Map<string, ReturnType<typeof countedTwice>['warnings'][number]>()
  for (const [account, own] of Map.groupBy(platforms.filter((fill) => known.get(fill.account)?.has(fill.id) !== true), (fill) => fill.account)) {
    const [first, ...rest] = own.map(({ id }) => holders.get(id) ?? new Set<AccountKey>())
    for (const other of first ?? []) {
      if (other === account || !rest.every((accounts) => accounts.has(other))) continue
      const both = [other, account].sort() as [AccountKey, AccountKey]
      warnings.set(both.join('\n'), { accounts: both, rows: own.length })
    }
  }
  return [...warnings.values()]
}
